package check

import (
	"math/bits"
	"unsafe"

	"github.com/gohops/hops"
)

// checkEdges is pass 3.
func (p *partTrial) checkEdges() (edges, loops int64, err error) {
	word, err := newPoll(p, p.word)
	if err != nil {
		return 0, 0, err
	}
	layout := layoutOf(p.last)
	compare := layout.compare
	if p.directed {
		compare = layout.compareDirected
	}
	sofar, err := judgeTuples(p, word, false, func(t stretch[uint32], s *scratch, sum *tally) {
		s.ends = unsafe.Slice((*ends)(unsafe.Pointer(unsafe.SliceData(t.ends))), len(t.edges))
		inside, wrong := compare(s.ends)
		if wrong >= 0 {
			sum.bad, sum.fault = t.first+int64(wrong), t.edges[wrong]
			return
		}
		loops := s.sift(layout, t.edges)
		sum.edges, sum.loops = sum.edges+inside-loops, sum.loops+loops
	}, p.markLikely)
	if err == nil {
		err = p.agreeOnEdge(sofar.bad, sofar.fault)
	}
	return sofar.edges, sofar.loops, err
}

// markLikely marks the children of all tuples that are tree edges, wherever they
// are.
func (p *partTrial) markLikely(edges []hops.Edge) error {
	if p.directed {
		return p.markChildren(edges)
	}
	p.both = grow(p.both, 2*len(edges))
	both := p.both
	p.each(len(edges), func(lo, hi int64) {
		for i, e := range edges[lo:hi] {
			both[2*(int(lo)+i)], both[2*(int(lo)+i)+1] = e, hops.Edge{U: e.V, V: e.U}
		}
	})
	return p.markChildren(both)
}

// markChildren marks the second vertex of every edge of which the first is its parent.
func (p *partTrial) markChildren(edges []hops.Edge) error {
	p.labels, p.parents = grow(p.labels, len(edges)), grow(p.parents, len(edges))
	labels, parents := p.labels, p.parents
	p.each(len(edges), func(lo, hi int64) {
		for i := lo; i < hi; i++ {
			labels[i], parents[i] = edges[i].V, uint64(edges[i].U)
		}
	})
	told, err := p.tell(labels, parents)
	p.each(len(told)/2, func(lo, hi int64) {
		for k := lo; k < hi; k++ {
			if i := told[2*k]; uint64(p.tree.Parent(p.vertex(int(i)))) == told[2*k+1] {
				mark(p.marked, hops.Vertex(i))
			}
		}
	})
	return err
}

// agreeOnEdge returns the error of the lowest tuple that some rank has found at
// fault; bad is this rank's, or -1.
func (p *partTrial) agreeOnEdge(bad int64, e hops.Edge) error {
	lowest, any, err := p.lowestOf(uint64(bad), bad >= 0)
	if err != nil || !any {
		return err
	}
	told := make([]uint64, 2)
	if bad >= 0 && uint64(bad) == lowest {
		told[0], told[1] = uint64(e.U), uint64(e.V)
	}
	if err := p.ranks.Sum(told); err != nil {
		return err
	}
	e = hops.Edge{U: hops.Vertex(told[0]), V: hops.Vertex(told[1])}
	words := make([]uint64, 2)
	for i, v := range [2]hops.Vertex{e.U, e.V} {
		if p.mine(v) {
			words[i] = uint64(layoutOf(p.last).code(p.word(uint32(v - p.tree.First))))
		}
	}
	if err := p.ranks.Sum(words); err != nil {
		return err
	}
	fault := edgeFault(e, int64(lowest), [2]int64{levelOf(level(words[0])), levelOf(level(words[1]))})
	if fault.Parent, err = p.parentOf(fault.Vertex); err != nil {
		return err
	}
	return fault
}

// checkMarks is pass 4.
func (p *partTrial) checkMarks() error {
	var low lowestFault
	p.each(p.tree.Len(), func(lo, hi int64) {
		for w := lo / 64; w < (hi+63)/64; w++ {
			for open := p.members.set[w] &^ p.marked[w]; open != 0; open &= open - 1 {
				if v := p.vertex(int(w<<6) + bits.TrailingZeros64(open)); v != p.tree.Root {
					low.note(Branch, v)
				}
			}
		}
	})
	err := p.agreeOnVertex(low.rule, low.at)
	if fault, ok := err.(*Error); ok {
		return branchError(fault.Vertex, fault.Parent, p.directed)
	}
	return err
}
