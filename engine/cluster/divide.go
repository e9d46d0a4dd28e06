package cluster

import (
	"slices"

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/deal"
	"github.com/gohops/hops/internal/par"
	"github.com/gohops/hops/internal/partition"
	"github.com/gohops/hops/internal/rank"
)

// divide finds the heavy vertices and divides the others among the workers.
func (b *builder) divide() error {
	if err := b.chooseHeavy(); err != nil {
		return err
	}
	longest := ^uint32(0)
	for _, v := range b.heavy.labels {
		longest = min(longest, b.Entries[v]-1)
	}
	b.Parts = partition.New(b.Entries, longest, b.Comm.Size()*b.Team.Size(), b.Team.Size())
	b.heavy.own(b.Parts.Rank(b.Comm.Rank()))
	b.heavy.degrees = make([]int64, len(b.heavy.labels))
	for i, v := range b.heavy.labels {
		b.heavy.degrees[i] = int64(b.Out[v])
		if b.In(v) == 0 {
			b.heavy.closed.Add(uint64(i))
		}
	}
	for t := range b.workers {
		w := &b.workers[t]
		w.id = b.Comm.Rank()*b.Team.Size() + t
		w.thread, w.first, w.count = t, b.Parts.Cuts[w.id], b.Parts.Count(w.id)
	}
	return nil
}

// chooseHeavy finds the vertices of the highest degrees: those of the highest
// classes that together have no more members than wanted. Every rank looks at an even share of the
// vertices; a histogram of classes, added up over all ranks, says where to cut.
func (b *builder) chooseHeavy() error {
	lo, hi := par.Split(int64(len(b.Entries)), 64, b.Comm.Rank(), b.Comm.Size())
	histogram := make([]uint64, deal.Classes)
	for _, c := range b.Class[lo:hi] {
		histogram[c]++
	}
	if err := rank.Reduced(b.Comm, rank.Sum, histogram); err != nil {
		return err
	}
	cut, total := deal.Classes, uint64(0)
	for cut > 1+leastHeavyClass && total+histogram[cut-1] <= uint64(b.opts.heavy()) {
		cut--
		total += histogram[cut]
	}
	var mine []uint32
	for v := lo; v < hi; v++ {
		if int(b.Class[v]) >= cut {
			mine = append(mine, uint32(v))
		}
	}
	b.cut = cut
	return b.gatherHeavy(mine, int(total))
}

// isHeavy tells whether v is one of the heavy vertices.
func (b *builder) isHeavy(v uint32) bool { return int(b.Class[v]) >= b.cut }

// leastHeavyClass is the class of a degree of 64. In small graphs it keeps vertices
// with short rows from being heavy.
var leastHeavyClass = int(deal.ClassOf(64))

// gatherHeavy tells all ranks the labels of the heavy vertices, in order.
func (b *builder) gatherHeavy(mine []uint32, total int) error {
	counts := make([]uint64, b.Comm.Size())
	counts[b.Comm.Rank()] = uint64(len(mine))
	if err := rank.Reduced(b.Comm, rank.Sum, counts); err != nil {
		return err
	}
	labels, err := arena.Make[uint32](&b.Memory, total)
	if err != nil {
		return err
	}
	spans, at := make([]rank.Span, len(counts)), int64(0)
	for r, n := range counts {
		spans[r] = rank.Span{Lo: at, Hi: at + 4*int64(n)}
		at = spans[r].Hi
	}
	copy(labels[spans[b.Comm.Rank()].Lo/4:], mine)
	if err := b.Comm.Gather(arena.Bytes(labels), spans); err != nil {
		return err
	}
	b.heavy = newHeavy(slices.Clone(labels))
	arena.Free(&b.Memory, labels)
	return nil
}
