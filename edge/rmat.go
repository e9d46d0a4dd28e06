package edge

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/mrg"
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

// A scrambler renames the vertices of [0, 2^scale) one to one, to hide the
// pattern that a recursive generator leaves in its labels: two rounds of an odd
// multiplication and a reversal of the low scale bits.
type scrambler struct {
	offset uint64
	first  uint64 // odd
	second uint64 // odd
	shift  uint   // 64 - scale
}

// newScrambler draws its keys from a stream of the seed that no edge reaches.
func newScrambler(seed mrg.State, scale int) scrambler {
	seed.Skip(50, 7, 0)
	key := func() uint64 {
		high := uint64(seed.Next())
		return high*0xFFFFFFFF + uint64(seed.Next())
	}
	key0, key1 := key(), key()
	return scrambler{
		offset: key0 + key1,
		first:  key0 | 0x4519840211493211,
		second: key1 | 0x3050852102C843A5,
		shift:  uint(64 - scale),
	}
}

func (s *scrambler) vertex(v uint64) hops.Vertex {
	v = bits.Reverse64((v+s.offset)*s.first) >> (s.shift & 63)
	return hops.Vertex(bits.Reverse64(v*s.second) >> (s.shift & 63))
}

// A splitmix is the SplitMix64 generator of Steele, Lea and Flood (2014), in its
// state. It is small and quick enough to be started afresh for every edge.
type splitmix uint64

// streamOf returns the generator of edge i. The index is mixed first: streams of
// neighbouring states would be the same numbers, shifted by one.
func streamOf(seed uint64, i int64) splitmix {
	s := splitmix(i)
	return splitmix(seed ^ s.next())
}

func (s *splitmix) next() uint64 {
	*s += 0x9E3779B97F4A7C15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}
