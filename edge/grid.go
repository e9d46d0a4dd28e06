package edge

import (
	"fmt"

	"github.com/gohops/hops"
)

// A Grid is a rectangle of vertices, each joined to its neighbours to the right and
// below: a graph of small degree and large diameter.
type Grid struct{ width, height int64 }

var _ hops.Source = (*Grid)(nil)

// NewGrid returns a grid of width × height vertices, numbered row by row.
func NewGrid(width, height int64) (*Grid, error) {
	if width < 1 || height < 1 || width > MaxPackedVertices/height {
		return nil, fmt.Errorf("edge: a grid of %d × %d vertices: want from 1 to 2^48 of them", width, height)
	}
	return &Grid{width, height}, nil
}

// NumVertices implements hops.Source.
func (g *Grid) NumVertices() hops.Vertex { return hops.Vertex(g.width * g.height) }

// NumEdges implements hops.Source.
func (g *Grid) NumEdges() int64 { return g.across() + g.width*(g.height-1) }

// across is the number of edges to the right, which come first.
func (g *Grid) across() int64 { return (g.width - 1) * g.height }

// EdgesAt implements hops.Source.
func (g *Grid) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	n, err := span(len(dst), off, g.NumEdges())
	for i := range dst[:n] {
		e := off + int64(i)
		if e < g.across() {
			v := hops.Vertex(e/(g.width-1)*g.width + e%(g.width-1))
			dst[i] = hops.Edge{U: v, V: v + 1}
			continue
		}
		v := hops.Vertex(e - g.across())
		dst[i] = hops.Edge{U: v, V: v + hops.Vertex(g.width)}
	}
	return n, err
}
