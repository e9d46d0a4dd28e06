package cluster

import (
	"math/bits"
	"slices"

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/par"
	"github.com/gohops/hops/internal/rank"
)

const (
	classes = 256
	// classSteps is how many classes there are for each doubling of a degree.
	classSteps = 8
)

// classOf is the logarithm of a degree in eighths. Rows are ordered by it: the
// heaviest neighbour, give or take 9 %, comes first.
func classOf(degree uint32) uint8 {
	if degree == 0 {
		return 0
	}
	exponent := bits.Len32(degree) - 1
	fraction := uint64(degree)<<3>>exponent - classSteps
	return uint8(min(exponent*classSteps+int(fraction)+1, classes-1))
}

// classify notes the class of every vertex, each rank of a host for its share.
func (b *builder) classify() error {
	n := int64(len(b.entries))
	var err error
	if b.class, err = b.share(b.temporary, n); err != nil {
		return err
	}
	lo, hi := par.Split(n, 64, b.hosts.local, b.hosts.mine.Size())
	b.team.For(hi-lo, 1<<16, func(_ int, from, to int64) {
		for v := lo + from; v < lo+to; v++ {
			b.class[v] = classOf(b.entries[v])
		}
	})
	return b.comm.Barrier()
}

// divide finds the heavy vertices and divides the others among the workers.
func (b *builder) divide() error {
	if err := b.chooseHeavy(); err != nil {
		return err
	}
	longest := ^uint32(0)
	for _, v := range b.heavy.labels {
		longest = min(longest, b.entries[v]-1)
	}
	b.parts = newPartition(b.entries, longest, b.comm.Size()*b.team.Size(), b.team.Size())
	b.heavy.own(b.parts.rank(b.comm.Rank()))
	b.heavy.degrees = make([]int64, len(b.heavy.labels))
	for i, v := range b.heavy.labels {
		b.heavy.degrees[i] = int64(b.entries[v])
	}
	for t := range b.workers {
		w := &b.workers[t]
		w.id = b.comm.Rank()*b.team.Size() + t
		w.first = b.parts.cuts[w.id]
		w.count = b.parts.cuts[w.id+1] - w.first
	}
	return nil
}

// chooseHeavy finds the heaviest vertices: those of the highest classes that
// have no more members than wanted. Every rank looks at an even share of the
// vertices; a histogram of classes, added up over all ranks, says where to cut.
func (b *builder) chooseHeavy() error {
	lo, hi := par.Split(int64(len(b.entries)), 64, b.comm.Rank(), b.comm.Size())
	histogram := make([]uint64, classes)
	for _, c := range b.class[lo:hi] {
		histogram[c]++
	}
	if err := rank.Reduced(b.comm, rank.Sum, histogram); err != nil {
		return err
	}
	cut, total := classes, uint64(0)
	for cut > 1+leastHeavyClass && total+histogram[cut-1] <= uint64(b.opts.heavy()) {
		cut--
		total += histogram[cut]
	}
	var mine []uint32
	for v := lo; v < hi; v++ {
		if int(b.class[v]) >= cut {
			mine = append(mine, uint32(v))
		}
	}
	b.cut = cut
	return b.gatherHeavy(mine, int(total))
}

// isHeavy tells whether v is one of the heavy vertices.
func (b *builder) isHeavy(v uint32) bool { return int(b.class[v]) >= b.cut }

// leastHeavyClass keeps vertices with short rows from being heavy, which they are
// not in small graphs.
var leastHeavyClass = int(classOf(64))

// gatherHeavy tells all ranks the labels of the heavy vertices, in order.
func (b *builder) gatherHeavy(mine []uint32, total int) error {
	counts := make([]uint64, b.comm.Size())
	counts[b.comm.Rank()] = uint64(len(mine))
	if err := rank.Reduced(b.comm, rank.Sum, counts); err != nil {
		return err
	}
	labels, err := arena.Make[uint32](&b.mem, total)
	if err != nil {
		return err
	}
	spans, at := make([]rank.Span, len(counts)), int64(0)
	for r, n := range counts {
		spans[r] = rank.Span{Lo: at, Hi: at + 4*int64(n)}
		at = spans[r].Hi
	}
	copy(labels[spans[b.comm.Rank()].Lo/4:], mine)
	if err := b.comm.Gather(arena.Bytes(labels), spans); err != nil {
		return err
	}
	b.heavy = newHeavy(slices.Clone(labels))
	arena.Free(&b.mem, labels)
	return nil
}
