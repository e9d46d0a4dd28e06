package cluster

import (
	"github.com/gohops/hops/internal/deal"
	"github.com/gohops/hops/internal/partition"
)

// divide finds the heavy vertices and divides the others among the workers.
func (b *builder) divide() error {
	b.chooseHeavy()
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

// chooseHeavy finds the vertices of the highest degrees: those of the highest classes
// that together have no more members than wanted. All ranks know the classes of all
// vertices, and find the same.
func (b *builder) chooseHeavy() {
	var histogram [deal.Classes]int
	for _, c := range b.Class {
		histogram[c]++
	}
	total := 0
	for b.cut = deal.Classes; b.cut > 1+leastHeavyClass && total+histogram[b.cut-1] <= b.opts.heavy(); {
		b.cut--
		total += histogram[b.cut]
	}
	labels := make([]uint32, 0, total)
	for v := range b.Class {
		if b.isHeavy(uint32(v)) {
			labels = append(labels, uint32(v))
		}
	}
	b.heavy = newHeavy(labels)
}

// isHeavy tells whether v is one of the heavy vertices.
func (b *builder) isHeavy(v uint32) bool { return int(b.Class[v]) >= b.cut }

// leastHeavyClass is the class of a degree of 64. In small graphs it keeps vertices
// with short rows from being heavy.
var leastHeavyClass = int(deal.ClassOf(64))
