package query

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
)

// Near calls visit with every vertex at most radius hops from center, the nearest
// first and center itself at 0 hops. Where edges are directed, it follows them. An
// error of visit ends the walk and is returned.
func Near(ctx context.Context, g *graph.Graph, center hops.Vertex, radius int, visit func(v hops.Vertex, depth int) error) error {
	if center >= g.NumVertices() {
		return fmt.Errorf("query: vertex %d: the graph has %d", center, g.NumVertices())
	}
	var stopped error
	err := graph.Walk(g, center, func(v hops.Vertex, depth int) bool {
		if depth > radius {
			return false
		}
		if stopped = ctx.Err(); stopped == nil {
			stopped = visit(v, depth)
		}
		return stopped == nil
	})
	if err != nil {
		return fmt.Errorf("query: %w", err)
	}
	return stopped
}
