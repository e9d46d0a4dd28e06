package check

// Kernel 3: the passes of a tree, with sums of weights in place of levels.
//
//  1. Shape, as it is. In addition, the root has distance 0, every other vertex of the
//     tree a finite distance that is not negative, and those outside +Inf.
//  2. Levels, as it is: the parents of every vertex lead to the root, so no zero weight
//     can hide a cycle, and no distance stands alone.
//  3. Edges: no tuple leads out of the tree, and none makes a distance shorter. A vertex
//     is marked if a tuple from its parent makes its distance exactly.
//  4. Marks, as it is.
//
// That is enough. By 2 and 4 the distance of a vertex is the sum of weights along a real
// path, rounded after every addition, so it is at least the least such sum; by 3 it is
// at most that, along any path, because rounding is monotone. By 3 again the tree spans
// its component. The sums have the width of the distances.

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/gohops/hops"
)

// Paths checks that p holds shortest paths from p.Root. The source must have weights.
// Otherwise it is like Tree. Edges and loops are counted as by Tree.
func (c *Checker) Paths(ctx context.Context, p *hops.Paths) (Result, error) {
	n := len(c.words)
	weights, ok := c.tuples.src.(hops.WeightedSource)
	switch {
	case !ok:
		return Result{}, fmt.Errorf("check: the source (%T) has no weights", c.tuples.src)
	case p.Narrow == nil || p.First != 0 || p.Len() != n:
		return Result{}, fmt.Errorf("check: the tree covers %d vertices from %d on, the graph has %d from 0 on", p.Len(), p.First, n)
	case (p.Single == nil) == (p.Double == nil) || len(p.Single)+len(p.Double) != n:
		return Result{}, fmt.Errorf("check: there are %d and %d distances of %d vertices", len(p.Single), len(p.Double), n)
	case p.Double == nil:
		return judgePaths(ctx, c, weights, &p.Tree, p.Single)
	}
	return judgePaths(ctx, c, weights, &p.Tree, p.Double)
}

// A pathTrial is the check of one result with distances.
type pathTrial[D float32 | float64] struct {
	trial
	weights hops.WeightedSource
	far     []D
}

func judgePaths[D float32 | float64](ctx context.Context, c *Checker, weights hops.WeightedSource, tree *hops.Tree, far []D) (r Result, err error) {
	t := &pathTrial[D]{*newTrial(c, tree), weights, far}
	return r.from(ctx,
		func() error { return t.checkShape(ctx) },
		func() error { return t.checkDistances(ctx) },
		func() error { return t.findLevels(ctx) },
		func() error { r.Levels, err = t.packWords(ctx); return err },
		func() error { r.Edges, r.Loops, err = t.relax(ctx); return err },
		func() error { return t.checkPathMarks(ctx) },
	)
}

// checkDistances looks at every distance by itself.
func (t *pathTrial[D]) checkDistances(ctx context.Context) error {
	return t.eachVertex(ctx, func(lo, hi int64) error {
		for v := hops.Vertex(lo); v < hops.Vertex(hi); v++ {
			far := float64(t.far[v])
			if !plausible(far, t.parent(v) != hops.NoVertex, v == t.root) {
				fault := vertexError(Distance, v, t.parent(v))
				fault.Weighted = &Weighted{Distances: [2]float64{far}}
				return fault
			}
		}
		return nil
	})
}

// plausible judges a distance by itself.
func plausible(far float64, inTree, root bool) bool {
	switch {
	case !inTree:
		return math.IsInf(far, 1)
	case root:
		return far == 0
	}
	return far >= 0 && far <= math.MaxFloat64
}

// makes judges a tuple by the distances of its ends, u and v: it returns the rule that the
// tuple breaks, or 0, and whether it makes up the distance of V, and of U.
func makes[D float32 | float64](u, v, weight D, directed bool) (rule Rule, ofV, ofU bool) {
	inU, inV := !math.IsInf(float64(u), 1), !math.IsInf(float64(v), 1)
	switch {
	case inU && !inV, inV && !inU && !directed:
		return Span, false, false
	case !inU:
		return 0, false, false
	}
	forth, back := u+weight, v+weight
	if forth < v || back < u && !directed {
		return Relaxed, false, false
	}
	return 0, forth == v, back == u && !directed
}

// relax is pass 3. It counts the tuples within the tree.
func (t *pathTrial[D]) relax(ctx context.Context) (edges, loops int64, err error) {
	var edgeTotal, loopTotal atomic.Int64
	err = lowest(ctx, t.tuples.team, t.weights.NumEdges(), blockTuples, func(worker int, lo, hi int64) error {
		if t.scratch[worker].weights == nil {
			t.scratch[worker].weights = make([]float32, blockTuples)
		}
		block, weights := t.tuples.buffers[worker][:hi-lo], t.scratch[worker].weights[:hi-lo]
		if err := readWeighted(t.weights, block, weights, lo); err != nil {
			return err
		}
		if err := t.tuples.within(block, lo); err != nil {
			return err
		}
		inside, loops := int64(0), int64(0)
		for i, e := range block {
			if bad := t.judgeTuple(e, weights[i]); bad != 0 {
				return t.tupleError(bad, e, weights[i], lo+int64(i))
			}
			if t.parent(e.U) == hops.NoVertex {
				continue
			}
			if inside++; e.U == e.V {
				loops++
			}
		}
		loopTotal.Add(loops)
		edgeTotal.Add(inside - loops)
		return nil
	})
	return edgeTotal.Load(), loopTotal.Load(), err
}

// judgeTuple returns the rule that a tuple breaks, or 0, and marks the end whose distance
// it makes.
func (t *pathTrial[D]) judgeTuple(e hops.Edge, weight float32) Rule {
	rule, ofV, ofU := makes(t.far[e.U], t.far[e.V], D(weight), t.directed)
	if ofV && t.isParent(e.U, e.V) {
		mark(t.marked, e.V)
	}
	if ofU && t.isParent(e.V, e.U) {
		mark(t.marked, e.U)
	}
	return rule
}

func (t *pathTrial[D]) tupleError(rule Rule, e hops.Edge, weight float32, index int64) *Error {
	fault := edgeFault(e, index, [2]int64{t.level(e.U), t.level(e.V)})
	fault.Rule, fault.Weighted = rule, &Weighted{[2]float64{float64(t.far[e.U]), float64(t.far[e.V])}, weight}
	if rule == Relaxed {
		fault.Vertex = e.U
		if t.far[e.U] < t.far[e.V] {
			fault.Vertex = e.V
		}
	}
	fault.Parent = t.parent(fault.Vertex)
	return fault
}

// checkPathMarks is pass 4.
func (t *pathTrial[D]) checkPathMarks(ctx context.Context) error {
	err := t.checkMarks(ctx)
	if fault, ok := err.(*Error); ok {
		fault.Weighted = &Weighted{}
	}
	return err
}

func readWeighted(src hops.WeightedSource, block []hops.Edge, weights []float32, first int64) error {
	n, err := hops.TuplesAt(src, block, weights, first)
	if n < len(block) {
		return readingError(first, len(block), err)
	}
	for i, w := range weights {
		if !(w >= 0) {
			return fmt.Errorf("check: edge %d (%d, %d) has weight %v: weights are not negative", first+int64(i), block[i].U, block[i].V, w)
		}
	}
	return nil
}
