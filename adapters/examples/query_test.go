package examples

import (
	"context"
	"fmt"

	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/query"
)

// Questions are asked of a finished graph.
func Example_query() {
	ctx := context.Background()
	g := must(csr.Build(ctx, ring(), 0))
	defer g.Close()
	parts := must(query.ConnectedComponents(ctx, g, 0))
	fmt.Println(must(query.ShortestPath(ctx, g, 0, 4)), len(parts.All))
	// Output: [0 5 4] 2
}

// A searcher of another module answers the questions that search the whole graph.
func Example_queryDiameter() {
	ctx := context.Background()
	g := must(csr.Build(ctx, ring(), 0))
	defer g.Close()
	fmt.Println(must(query.DiameterAtLeast(ctx, query.SweepOne(g, must(buildSerial(ctx, ring()))), 0)))
	// Output: 3
}
