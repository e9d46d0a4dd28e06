package check

import (
	"context"
	"fmt"
	"math"

	"github.com/gohops/hops"
)

// Shortest paths in parts: the passes of a tree in parts with those of kernel 3 in place
// of the edges'. Owners are asked for distances instead of words: those of vertices of
// the tree are finite, as the pass before has seen.

// Paths checks this rank's part of shortest paths, as Checker.Paths does for all of them.
// Otherwise it is like Tree.
func (c *PartChecker) Paths(ctx context.Context, p *hops.Paths) (r Result, err error) {
	_, ok := c.tuples.src.(hops.WeightedSource)
	switch {
	case !ok:
		return r, fmt.Errorf("check: the source (%T) has no weights", c.tuples.src)
	case (p.Single == nil) == (p.Double == nil) && p.Len() > 0 || len(p.Single)+len(p.Double) != p.Len():
		return r, fmt.Errorf("check: there are %d and %d distances of %d vertices", len(p.Single), len(p.Double), p.Len())
	}
	trial, err := c.begin(ctx, &p.Tree)
	if err != nil {
		return r, err
	}
	t := &pathsPart{partTrial: trial, paths: p}
	if t.single, err = t.agreeOnWidth(); err != nil {
		return r, err
	}
	return r.from(ctx,
		t.knowNear, t.checkRoot, t.checkShape, t.checkDistances, t.findLevels,
		func() error { r.Levels, err = t.packWords(); return err },
		func() error { r.Edges, r.Loops, err = t.relax(); return err },
		t.checkPathMarks,
	)
}

// pathsPart is this rank's side of the check of one result with distances.
type pathsPart struct {
	*partTrial
	paths  *hops.Paths
	single bool // sums have 32 bits
}

// agreeOnWidth tells whether the distances of all parts have 32 bits.
func (t *pathsPart) agreeOnWidth() (single bool, err error) {
	widths := []uint64{0, 0}
	if t.paths.Len() > 0 && t.paths.Double == nil {
		widths[0] = 1
	} else if t.paths.Len() > 0 {
		widths[1] = 1
	}
	if err := t.ranks.Max(widths); err != nil {
		return false, err
	}
	if widths[0]+widths[1] == 2 {
		return false, fmt.Errorf("check: the parts have distances of different widths")
	}
	return widths[0] == 1, nil
}

// checkDistances looks at every distance by itself.
func (t *pathsPart) checkDistances() error {
	rule, at := Rule(0), uint64(0)
	for i := range t.tree.Len() {
		v := t.vertex(i)
		if !plausible(t.paths.Distance(v), t.tree.Parent(v) != hops.NoVertex, v == t.tree.Root) {
			rule, at = Distance, uint64(v)
			break
		}
	}
	err := t.agreeOnVertex(rule, at)
	fault, ok := err.(*Error)
	if !ok {
		return err
	}
	far, err := t.distanceOf(fault.Vertex)
	fault.Weighted = &Weighted{Distances: [2]float64{far}}
	if err != nil {
		return err
	}
	return fault
}

// distanceOf tells all ranks the distance of one vertex.
func (t *pathsPart) distanceOf(v hops.Vertex) (float64, error) {
	told := []uint64{0}
	if t.mine(v) {
		told[0] = math.Float64bits(t.paths.Distance(v))
	}
	err := t.ranks.Sum(told)
	return math.Float64frombits(told[0]), err
}

// makes judges a tuple by the distances of its ends, with sums of the width of these.
func (t *pathsPart) makes(u, v float64, weight float32) (rule Rule, ofV, ofU bool) {
	if t.single {
		return makes(float32(u), float32(v), weight, t.directed)
	}
	return makes(u, v, float64(weight), t.directed)
}

// relax is pass 3.
func (t *pathsPart) relax() (edges, loops int64, err error) {
	far, err := newPoll(t.partTrial, func(i uint32) uint64 { return math.Float64bits(t.paths.Distance(t.vertex(int(i)))) })
	if err != nil {
		return 0, 0, err
	}
	sofar, err := judgeTuples(t.partTrial, far, true, t.relaxSome, t.markChildren)
	if err == nil {
		err = t.agreeOnTuple(sofar)
	}
	return sofar.edges, sofar.loops, err
}

// relaxSome judges some tuples by the distances of their ends, up to the first at fault, and collects
// those that make a distance.
func (t *pathsPart) relaxSome(some stretch[uint64], s *scratch, sum *tally) {
	for i, e := range some.edges {
		u, v := math.Float64frombits(some.ends[2*i]), math.Float64frombits(some.ends[2*i+1])
		rule, ofV, ofU := t.makes(u, v, some.weights[i])
		if rule != 0 {
			sum.bad, sum.fault, sum.weight = some.first+int64(i), e, some.weights[i]
			return
		}
		if ofV {
			s.likely = append(s.likely, e)
		}
		if ofU {
			s.likely = append(s.likely, hops.Edge{U: e.V, V: e.U})
		}
		sum.count(e, !math.IsInf(u, 1))
	}
}

// count counts a tuple that is inside the tree.
func (s *tally) count(e hops.Edge, inside bool) {
	switch {
	case !inside:
	case e.U == e.V:
		s.loops++
	default:
		s.edges++
	}
}

// agreeOnTuple returns the error of the lowest tuple that some rank has found at fault.
func (t *pathsPart) agreeOnTuple(sofar tally) error {
	err := t.agreeOnEdge(sofar.bad, sofar.fault)
	fault, ok := err.(*Error)
	if !ok {
		return err
	}
	told := []uint64{0}
	if sofar.bad == fault.Index {
		told[0] = uint64(math.Float32bits(sofar.weight))
	}
	if err := t.ranks.Max(told); err != nil {
		return err
	}
	w := &Weighted{Weight: math.Float32frombits(uint32(told[0]))}
	for i, v := range [2]hops.Vertex{fault.Edge.U, fault.Edge.V} {
		if w.Distances[i], err = t.distanceOf(v); err != nil {
			return err
		}
	}
	fault.Weighted = w
	if fault.Rule, _, _ = t.makes(w.Distances[0], w.Distances[1], w.Weight); fault.Rule == Relaxed {
		fault.Vertex = fault.Edge.U
		if w.Distances[0] < w.Distances[1] {
			fault.Vertex = fault.Edge.V
		}
		if fault.Parent, err = t.parentOf(fault.Vertex); err != nil {
			return err
		}
	}
	return fault
}

// checkPathMarks is pass 4.
func (t *pathsPart) checkPathMarks() error {
	err := t.checkMarks()
	if fault, ok := err.(*Error); ok {
		fault.Weighted = &Weighted{}
	}
	return err
}
