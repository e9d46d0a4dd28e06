package examples

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/engine/many"
)

// Searches from several roots run together.
func Example_engineMany() {
	ctx := context.Background()
	g := must(csr.Build(ctx, ring(), 0))
	defer g.Close()
	s := must(many.New(g, many.Options{}))
	defer s.Close()
	depths := hops.NewDepths(g.NumVertices())
	must(s.Search(ctx, []hops.Vertex{0, 3}, depths))
	fmt.Println(depths.Level(0, 2), depths.Level(1, 2))
	// Output: 2 1
}
