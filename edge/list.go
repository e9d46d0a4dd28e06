package edge

import (
	"fmt"

	"github.com/gohops/hops"
)

// A Slice is a Source over edges in memory: for tests and small graphs.
type Slice struct {
	edges    []hops.Edge
	vertices hops.Vertex
}

var _ hops.Source = (*Slice)(nil)

// List returns a Source over the edges of a graph of n vertices. The edges are
// not copied. A label that is not below n is reported when it is read.
func List(edges []hops.Edge, n hops.Vertex) *Slice {
	return &Slice{edges: edges, vertices: n}
}

// NumVertices implements hops.Source.
func (s *Slice) NumVertices() hops.Vertex { return s.vertices }

// NumEdges implements hops.Source.
func (s *Slice) NumEdges() int64 { return int64(len(s.edges)) }

// EdgesAt implements hops.Source.
func (s *Slice) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	n, err := span(len(dst), off, s.NumEdges())
	for i := range n {
		e := s.edges[off+int64(i)]
		if max(e.U, e.V) >= s.vertices {
			return i, fmt.Errorf("edge: %w", outOfRange(off+int64(i), e, s.vertices))
		}
		dst[i] = e
	}
	return n, err
}
