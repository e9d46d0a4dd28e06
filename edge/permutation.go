package edge

import (
	"fmt"
	"math/bits"

	"github.com/gohops/hops"
)

// A permutation puts the numbers below n into a random order. It computes each place from
// the number alone: there is no table, so that lists of any length can be drawn from.
type permutation struct {
	n, mask uint64
	shift   uint
	keys    [4]uint64 // odd
}

func newPermutation(n, seed uint64) (p permutation) {
	width := bits.Len64(max(n, 1) - 1)
	p.n, p.mask, p.shift = n, 1<<width-1, uint(width+1)/2
	draws := streamOf(seed, 0)
	for i := range p.keys {
		p.keys[i] = draws.next() | 1
	}
	return p
}

// at returns where i is, which is below n. mix permutes the numbers below a power of two that
// is less than twice n; those behind n are left by going on until a number is not one of them.
func (p *permutation) at(i uint64) uint64 {
	for {
		if i = p.mix(i); i < p.n {
			return i
		}
	}
}

// mix carries low bits upwards by a multiplication and high bits down by a shift. Both have
// an inverse, and so have all of them together.
func (p *permutation) mix(i uint64) uint64 {
	for _, key := range p.keys {
		i = (i + key>>32) * key & p.mask
		i ^= i >> p.shift
	}
	return i
}

// derived is a list of edges that another is made of. It has none of what that one can do
// beyond hops.Source.
type derived struct{ src hops.Source }

// Directed implements hops.DirectedSource.
func (d derived) Directed() bool { return hops.IsDirected(d.src) }

// NumVertices implements hops.Source.
func (d derived) NumVertices() hops.Vertex { return d.src.NumVertices() }

// A Permuted is a graph under other labels: a random permutation of its own.
type Permuted struct {
	derived
	labels permutation
}

var _ hops.DirectedSource = (*Permuted)(nil)

// NewPermuted returns the edges of src, in their order, with labels that the seed permutes.
func NewPermuted(src hops.Source, seed uint64) *Permuted {
	return &Permuted{derived{src}, newPermutation(uint64(src.NumVertices()), seed)}
}

// NumEdges implements hops.Source.
func (p *Permuted) NumEdges() int64 { return p.src.NumEdges() }

// EdgesAt implements hops.Source.
func (p *Permuted) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	n, err := p.src.EdgesAt(dst, off)
	for i, e := range dst[:n] {
		if max(e.U, e.V) >= p.NumVertices() {
			return i, fmt.Errorf("edge: %w", outOfRange(off+int64(i), e, p.NumVertices()))
		}
		dst[i] = hops.Edge{U: hops.Vertex(p.labels.at(uint64(e.U))), V: hops.Vertex(p.labels.at(uint64(e.V)))}
	}
	return n, err
}
