package check

import (
	"math/bits"
	"unsafe"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/par"
)

// A tally is what this rank's share of the tuples has shown so far.
type tally struct {
	edges, loops int64
	bad          int64 // number of the first tuple at fault, or -1
	fault        hops.Edge
	weight       float32 // of that tuple, where weights count
}

// checkEdges is pass 3 over this rank's share of the tuples. After a fault it
// still answers the others; what they find may be lower.
func (p *partTrial) checkEdges() (edges, loops int64, err error) {
	sofar := tally{bad: -1}
	err = p.eachBatch(&sofar, func(block []hops.Edge, words []ends, first int64) error {
		return p.markLikely(p.inRanges(len(block), &sofar, func(lo, hi int64, s *scratch, sum *tally) {
			p.compareSome(block[lo:hi], words[lo:hi], first+lo, s, sum)
		}))
	})
	if err == nil {
		err = p.agreeOnEdge(sofar.bad, sofar.fault)
	}
	if err != nil {
		return 0, 0, err
	}
	total := []uint64{uint64(sofar.edges), uint64(sofar.loops)}
	err = p.ranks.Sum(total)
	return int64(total[0]), int64(total[1]), err
}

// inRanges has every worker judge a range of a batch, and adds up what they find. It returns the
// tuples that may be tree edges: none if one is at fault.
func (p *partTrial) inRanges(n int, sofar *tally, judge func(lo, hi int64, s *scratch, sum *tally)) (likely []hops.Edge) {
	sums := make([]tally, len(p.scratch))
	p.team.Run(func(w int) {
		lo, hi := par.Split(int64(n), 1, w, len(p.scratch))
		p.scratch[w].likely, sums[w].bad = p.scratch[w].likely[:0], -1
		judge(lo, hi, &p.scratch[w], &sums[w])
	})
	likely = p.scratch[0].likely
	for w, sum := range sums {
		sofar.edges, sofar.loops = sofar.edges+sum.edges, sofar.loops+sum.loops
		if sum.bad >= 0 {
			sofar.bad, sofar.fault, sofar.weight = sum.bad, sum.fault, sum.weight
			return nil
		}
		if w > 0 {
			likely = append(likely, p.scratch[w].likely...)
		}
	}
	p.scratch[0].likely = likely
	return likely
}

// compareSome compares the levels of some tuples, and collects those that may be tree edges.
func (p *partTrial) compareSome(block []hops.Edge, words []ends, first int64, s *scratch, sum *tally) {
	layout := layoutOf(p.last)
	compare := layout.compare
	if p.directed {
		compare = layout.compareDirected
	}
	inside, wrong := compare(words)
	if wrong >= 0 {
		sum.bad, sum.fault = first+int64(wrong), block[wrong]
		return
	}
	s.ends = words
	sum.loops = s.sift(layout, block)
	sum.edges = inside - sum.loops
}

// eachBatch calls f with the tuples of this rank's share and the words of their ends. When a
// fault has been found, the batches are empty.
func (p *partTrial) eachBatch(sofar *tally, f func(block []hops.Edge, words []ends, first int64) error) error {
	word, err := newPoll(p, p.word)
	if err != nil {
		return err
	}
	first, end := p.share()
	room := make([]hops.Edge, min(int64(p.batch), end-first))
	return p.inBatches(int(end-first), func(lo, hi int) error {
		block := room[:hi-lo]
		if sofar.bad >= 0 {
			block = nil
		}
		if err := p.read(block, first+int64(lo)); err != nil {
			return err
		}
		words, err := word.ask(bothEnds(block))
		if err != nil {
			return err
		}
		return f(block, unsafe.Slice((*ends)(unsafe.Pointer(unsafe.SliceData(words))), len(block)), first+int64(lo))
	})
}

// read fills a block with the tuples from first on.
func (p *partTrial) read(block []hops.Edge, first int64) error {
	return lowest(p.ctx, p.tuples.team, int64(len(block)), blockTuples, func(_ int, lo, hi int64) error {
		if err := readTuples(p.tuples.src, block[lo:hi], first+lo); err != nil {
			return err
		}
		return p.tuples.within(block[lo:hi], first+lo)
	})
}

// bothEnds are the ends of tuples, as they are in memory.
func bothEnds(block []hops.Edge) []hops.Vertex {
	return unsafe.Slice((*hops.Vertex)(unsafe.Pointer(unsafe.SliceData(block))), 2*len(block))
}

// markLikely marks the children of all tuples that are tree edges, wherever they
// are.
func (p *partTrial) markLikely(edges []hops.Edge) error {
	if !p.directed {
		for _, e := range edges {
			edges = append(edges, hops.Edge{U: e.V, V: e.U})
		}
	}
	return p.markChildren(edges)
}

// markChildren marks the second vertex of every edge of which the first is its parent.
func (p *partTrial) markChildren(edges []hops.Edge) error {
	labels, parents := p.labels[:0], make([]uint64, 0, len(edges))
	for _, e := range edges {
		labels, parents = append(labels, e.V), append(parents, uint64(e.U))
	}
	p.labels = labels
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
