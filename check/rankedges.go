package check

import "github.com/gohops/hops"

// A tally is what this rank's share of the tuples has shown so far.
type tally struct {
	edges, loops int64
	bad          int64 // number of the first tuple at fault, or -1
	fault        hops.Edge
}

// checkEdges is pass 3 over this rank's share of the tuples. After a fault it
// still answers the others; what they find may be lower.
func (p *partTrial) checkEdges() (edges, loops int64, err error) {
	layout, s, sofar := layoutOf(p.last), newScratch(p.batch), tally{bad: -1}
	compare := layout.compare
	if p.directed {
		compare = layout.compareDirected
	}
	err = p.eachBatch(&s, &sofar, func(block []hops.Edge, first int64) error {
		inside, wrong := compare(s.ends[:len(block)])
		if wrong >= 0 {
			sofar.bad, sofar.fault = first+int64(wrong), block[wrong]
			return p.markLikely(nil)
		}
		loops := s.sift(layout, block)
		sofar.edges += inside - loops
		sofar.loops += loops
		return p.markLikely(s.likely)
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

// eachBatch calls f with the tuples of this rank's share, the words of their ends
// being in s. When a fault has been found, the blocks are empty.
func (p *partTrial) eachBatch(s *scratch, sofar *tally, f func(block []hops.Edge, first int64) error) error {
	first, end := Share(p.tuples.src.NumEdges(), p.ranks.Rank(), p.ranks.Size())
	room := make([]hops.Edge, min(int64(p.batch), end-first))
	return p.inBatches(int(end-first), func(lo, hi int) error {
		block := room[:hi-lo]
		if sofar.bad >= 0 {
			block = nil
		}
		if err := p.read(block, first+int64(lo)); err != nil {
			return err
		}
		if err := p.askEnds(block, s.ends); err != nil {
			return err
		}
		return f(block, first+int64(lo))
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

// askEnds asks for the words of both ends of every tuple.
func (p *partTrial) askEnds(block []hops.Edge, dst []ends) error {
	p.labels = grow(p.labels, 2*len(block))
	for i, e := range block {
		p.labels[2*i], p.labels[2*i+1] = e.U, e.V
	}
	words, err := ask(p.asker, p.labels, p.word)
	if err != nil {
		return err
	}
	for i := range block {
		dst[i] = ends{words[2*i], words[2*i+1]}
	}
	return nil
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
