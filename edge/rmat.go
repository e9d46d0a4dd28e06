package edge

import (
	"fmt"
	"math"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/mrg"
)

// An RMAT is a recursive random graph (Chakrabarti, Zhan and Faloutsos 2004) with
// any probabilities: every edge descends through the quadrants of the adjacency
// matrix, one for each bit of its labels, which are then scrambled.
type RMAT struct {
	scale    int
	edges    int64
	seed     uint64
	toA      uint64 // half draws below it descend into quadrant A
	toB      uint64 // … into A or B
	toC      uint64 // … into A, B or C
	scramble scrambler
}

var _ hops.Source = (*RMAT)(nil)

// NewRMAT returns a graph of 2^scale vertices and edgeFactor·2^scale edges.
// a, b, c and d are the probabilities of the quadrants at the upper left, upper
// right, lower left and lower right; their sum must be 1.
func NewRMAT(scale, edgeFactor int, a, b, c, d float64, seed uint64) (*RMAT, error) {
	edges, err := checkGraph(scale, edgeFactor)
	if err != nil {
		return nil, err
	}
	for _, p := range [...]float64{a, b, c, d} {
		if !(p >= 0 && p <= 1) { // refuses NaN too
			return nil, fmt.Errorf("edge: %v is no probability", p)
		}
	}
	if sum := a + b + c + d; math.Abs(sum-1) > 1e-9 {
		return nil, fmt.Errorf("edge: the probabilities %v, %v, %v, %v add up to %v and not to 1", a, b, c, d, sum)
	}
	return &RMAT{
		scale: scale, edges: edges, seed: seed,
		toA: share(a), toB: share(a + b), toC: share(1 - d),
		scramble: newScrambler(mrg.Seed(seed, seed), scale),
	}, nil
}

// share scales a probability to the range of half a draw: to multiples of 2⁻³².
func share(p float64) uint64 { return uint64(math.Round(math.Ldexp(p, 32))) }

// NumVertices implements hops.Source.
func (r *RMAT) NumVertices() hops.Vertex { return 1 << r.scale }

// NumEdges implements hops.Source.
func (r *RMAT) NumEdges() int64 { return r.edges }

// EdgesAt implements hops.Source.
func (r *RMAT) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	n, err := span(len(dst), off, r.edges)
	for i := range dst[:n] {
		u, v := r.descend(off + int64(i))
		dst[i] = hops.Edge{U: r.scramble.vertex(u), V: r.scramble.vertex(v)}
	}
	return n, err
}

// descend returns the ends of edge i before scrambling. Each draw serves two
// levels. A difference of two numbers below 2⁶³ has its sign in the highest bit.
func (r *RMAT) descend(i int64) (u, v uint64) {
	draws := streamOf(r.seed, i)
	var draw uint64
	for level := range r.scale {
		if level%2 == 0 {
			draw = draws.next()
		} else {
			draw >>= 32
		}
		half := draw & (1<<32 - 1)
		inA, inAB, inABC := (half-r.toA)>>63, (half-r.toB)>>63, (half-r.toC)>>63
		u = u<<1 | (inAB ^ 1)
		v = v<<1 | (inA ^ inAB ^ inABC ^ 1)
	}
	return u, v
}
