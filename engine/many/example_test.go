package many_test

import (
	"context"
	"fmt"
	"log"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/many"
)

// How near each of three vertices of a path is to all others.
func Example() {
	ctx := context.Background()
	friends := edge.List([]hops.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 2, V: 3}}, 4)
	g, err := csr.Build(ctx, friends, 0)
	if err != nil {
		log.Fatal(err)
	}
	defer g.Close()
	searcher, err := many.New(g, many.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer searcher.Close()

	depths := hops.NewDepths(g.NumVertices())
	if _, err := searcher.Search(ctx, []hops.Vertex{0, 1, 3}, depths); err != nil {
		log.Fatal(err)
	}
	fmt.Println("from 0 to 2:", depths.Level(0, 2), "hops")
	for i, sum := range depths.Sums() {
		fmt.Printf("%d reaches %d vertices in %d hops, the farthest in %d\n", depths.Roots[i], sum.Reached, sum.Hops, sum.Depth)
	}
	// Output:
	// from 0 to 2: 2 hops
	// 0 reaches 4 vertices in 6 hops, the farthest in 3
	// 1 reaches 4 vertices in 4 hops, the farthest in 2
	// 3 reaches 4 vertices in 6 hops, the farthest in 3
}
