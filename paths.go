package hops

import (
	"math"

	"github.com/gohops/hops/internal/base/arena"
)

// Paths are the result of a search for shortest paths: a tree, and the distance of
// every vertex from its root. The root has distance 0, a vertex outside the tree +Inf.
//
// A distance is the least sum of weights over all paths from the root, added up from
// the root on and rounded after every addition. Rounding is monotone, so that sum is
// one number whatever the algorithm: results are equal in every bit.
//
// Exactly one of Single and Double is in use. The benchmark's distances have 32 bits.
// Distances in other graphs have 64 bits, because sums of integers on real roads pass 2²⁴.
type Paths struct {
	Tree
	Single []float32
	Double []float64
}

// NewPaths returns an empty result for a graph of n vertices, with distances of 64
// bits.
func NewPaths(n Vertex) *Paths {
	p := &Paths{Tree: *NewTree(n), Double: arena.OnHeap[float64](int(n))}
	p.Reset()
	return p
}

// NewSinglePaths is NewPaths with distances of 32 bits, as the benchmark has them.
func NewSinglePaths(n Vertex) *Paths {
	p := &Paths{Tree: *NewTree(n), Single: arena.OnHeap[float32](int(n))}
	p.Reset()
	return p
}

// Reset empties the result.
func (p *Paths) Reset() {
	p.Tree.Reset()
	arena.Fill(p.Single, float32(math.Inf(1)))
	arena.Fill(p.Double, math.Inf(1))
}

// Distance returns the distance of v from the root, or +Inf if v is not in the tree.
func (p *Paths) Distance(v Vertex) float64 {
	if p.Double == nil {
		return float64(p.Single[v-p.First])
	}
	return p.Double[v-p.First]
}
