package view

import (
	"github.com/gohops/hops/query"
)

// Paths returns a part of all shortest paths in at most limit vertices, or in one path if
// that has more. The level of a vertex is its layer. Every vertex of the view is on a path
// in it. left is the number of vertices that are not in the view.
func Paths(all *query.PathLayers, limit int) (v *View, left int) {
	v = &View{}
	some := all.Narrow(limit)
	starts := make([]int, len(some.Layers)) // of the layers in the vertices of the view
	for d, layer := range some.Layers {
		starts[d] = len(v.Vertices)
		left += len(all.Layers[d]) - len(layer)
		for _, vertex := range layer {
			v.Vertices = append(v.Vertices, Vertex{Vertex: vertex, Level: d, Parent: -1})
		}
	}
	for d, links := range some.Links {
		for _, l := range links {
			v.Edges = append(v.Edges, [2]int{starts[d] + int(l.From), starts[d+1] + int(l.To)})
		}
	}
	if most := len(v.Edges) - maxEdges; most > 0 {
		v.Edges, v.EdgesLeft = v.Edges[:maxEdges], most
	}
	return v, left
}
