package examples

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/engine/many"
)

func Example_engineMany() {
	ctx := context.Background()
	g := must(csr.Build(ctx, ring(), 0))
	defer g.Close()
	s := must(many.New(g, many.Options{}))
	defer s.Close()
	d := many.NewDepths(g.NumVertices())
	must(s.Search(ctx, []hops.Vertex{0, 2}, d))
	fmt.Println(d.Level(0, 3), d.Level(1, 3))
	// Output: 3 1
}
