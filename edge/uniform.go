package edge

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/gohops/hops"
)

// A Uniform is a random graph in which both ends of every edge are drawn from all
// vertices alike, loops and duplicates included.
type Uniform struct {
	vertices hops.Vertex
	edges    int64
	seed     uint64
}

var _ hops.Source = (*Uniform)(nil)

// NewUniform returns a graph whose vertices have averageDegree edges each, in the
// mean. Every edge counts at both of its ends, so there are half as many edges.
func NewUniform(numVertices hops.Vertex, averageDegree float64, seed uint64) (*Uniform, error) {
	if numVertices > MaxPackedVertices {
		return nil, fmt.Errorf("edge: %d vertices are more than 2^48", numVertices)
	}
	edges := math.Round(float64(numVertices) * averageDegree / 2)
	if !(edges >= 0 && edges <= 1<<62) { // refuses NaN too
		return nil, fmt.Errorf("edge: %d vertices of average degree %v: impossible number of edges", numVertices, averageDegree)
	}
	return &Uniform{vertices: numVertices, edges: int64(edges), seed: seed}, nil
}

// NumVertices implements hops.Source.
func (u *Uniform) NumVertices() hops.Vertex { return u.vertices }

// NumEdges implements hops.Source.
func (u *Uniform) NumEdges() int64 { return u.edges }

// EdgesAt implements hops.Source.
func (u *Uniform) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	n, err := span(len(dst), off, u.edges)
	for i := range dst[:n] {
		draws := streamOf(u.seed, off+int64(i))
		dst[i] = hops.Edge{U: u.vertex(draws.next()), V: u.vertex(draws.next())}
	}
	return n, err
}

// vertex scales a draw to the labels: no division, and no bias beyond 2⁻¹⁶.
func (u *Uniform) vertex(draw uint64) hops.Vertex {
	label, _ := bits.Mul64(draw, uint64(u.vertices))
	return hops.Vertex(label)
}
