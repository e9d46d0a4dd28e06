package bench

import (
	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
)

// Source lists the edges of a finished graph, each once, so that any engine can
// build it again. The list takes 16 bytes an edge.
func Source(g *graph.Graph) (hops.Source, error) {
	edges := make([]hops.Edge, 0, g.NumEdges())
	for u := range g.NumVertices() {
		row, err := g.OutRow(u)
		if err != nil {
			return nil, err
		}
		for _, v := range row {
			if g.Directed || u <= hops.Vertex(v) {
				edges = append(edges, hops.Edge{U: u, V: hops.Vertex(v)})
			}
		}
	}
	list := edge.List(edges, g.NumVertices())
	if g.Directed {
		return hops.Directed(list), nil
	}
	return list, nil
}
