package examples

import (
	"context"
	"fmt"

	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/query"
)

func Example_query() {
	ctx := context.Background()
	g := must(csr.Build(ctx, ring(), 0))
	defer g.Close()
	fmt.Println(must(query.ShortestPath(ctx, g, 0, 4)))
	c := must(query.ConnectedComponents(ctx, g, 0))
	fmt.Println(len(c.All), c.All[0].Size)
	// Output:
	// [0 5 4]
	// 2 6
}
