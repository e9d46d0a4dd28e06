package check

import (
	"unsafe"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/par"
)

// A tally is what this rank's share of the tuples has shown so far.
type tally struct {
	edges, loops int64
	bad          int64 // number of the first tuple at fault, or -1
	fault        hops.Edge
}

// checkEdges is pass 3 over this rank's share of the tuples. After a fault it
// still answers the others; what they find may be lower.
func (p *partTrial) checkEdges() (edges, loops int64, err error) {
	sofar := tally{bad: -1}
	err = p.eachBatch(&sofar, func(block []hops.Edge, words []ends, first int64) error {
		likely := p.compareAll(block, words, first, &sofar)
		if sofar.bad >= 0 {
			likely = nil
		}
		return p.markLikely(likely)
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

// compareAll compares the levels of a batch, and returns the tuples that may be tree edges. Every
// worker has a range of it.
func (p *partTrial) compareAll(block []hops.Edge, words []ends, first int64, sofar *tally) (likely []hops.Edge) {
	layout, sums := layoutOf(p.last), make([]tally, len(p.scratch))
	compare := layout.compare
	if p.directed {
		compare = layout.compareDirected
	}
	p.tuples.team.Run(func(w int) {
		lo, hi := par.Split(int64(len(block)), 1, w, len(p.scratch))
		s, sum := &p.scratch[w], &sums[w]
		s.ends, s.likely, sum.bad = words[lo:hi], s.likely[:0], -1
		inside, wrong := compare(s.ends)
		if wrong >= 0 {
			sum.bad, sum.fault = first+lo+int64(wrong), block[lo+int64(wrong)]
			return
		}
		sum.loops = s.sift(layout, block[lo:hi])
		sum.edges = inside - sum.loops
	})
	likely = p.scratch[0].likely
	for w, sum := range sums {
		if sum.bad >= 0 && sofar.bad < 0 {
			sofar.bad, sofar.fault = sum.bad, sum.fault
		}
		sofar.edges, sofar.loops = sofar.edges+sum.edges, sofar.loops+sum.loops
		if w > 0 {
			likely = append(likely, p.scratch[w].likely...)
		}
	}
	p.scratch[0].likely = likely
	return likely
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
	for k := 0; k+1 < len(told); k += 2 {
		if i := told[k]; uint64(p.tree.Parent(p.vertex(int(i)))) == told[k+1] {
			p.marked.Add(i)
		}
	}
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
	var rule Rule
	var at uint64
	for i := range p.members.set.All {
		if v := p.vertex(int(i)); v != p.tree.Root && !p.marked.Has(i) {
			rule, at = Branch, uint64(v)
			break
		}
	}
	err := p.agreeOnVertex(rule, at)
	if fault, ok := err.(*Error); ok {
		return branchError(fault.Vertex, fault.Parent, p.directed)
	}
	return err
}
