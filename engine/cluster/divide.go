package cluster

import (
	"fmt"

	"github.com/gohops/hops/internal/deal"
	"github.com/gohops/hops/internal/packet"
)

// divide finds the heavy vertices and divides the others among the workers.
func (b *builder[L]) divide() error {
	cut := b.heavyClass()
	if err := b.Divide(cut, b.Team.Size()); err != nil {
		return err
	}
	if err := packet.Fits(b.opts.Encoding, b.Parts); err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	vertices, err := b.From(cut)
	if err != nil {
		return err
	}
	b.heavy = newHeavy[L](vertices, cut)
	b.heavy.own(b.Parts.Rank(b.Comm.Rank()))
	for t := range b.workers {
		w := &b.workers[t]
		w.id = b.Comm.Rank()*b.Team.Size() + t
		w.thread, w.first, w.count = t, b.Parts.Cuts[w.id], b.Parts.Count(w.id)
		w.offset = uint32(w.first - b.workers[0].first)
	}
	return nil
}

// heavyClass is the class from which vertices are heavy: those of the highest classes
// that together have no more members than wanted.
func (b *builder[L]) heavyClass() int {
	cut, total := deal.Classes, uint64(0)
	for cut > 1+leastHeavyClass && total+b.Histogram[cut-1] <= uint64(b.opts.heavy()) {
		cut--
		total += b.Histogram[cut]
	}
	return cut
}

// leastHeavyClass is the class of a degree of 64. In small graphs it keeps vertices
// with short rows from being heavy.
var leastHeavyClass = int(deal.ClassOf(64))
