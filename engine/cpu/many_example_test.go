package cpu_test

import (
	"context"
	"fmt"
	"log"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/graph"
)

// How near each of three vertices of a path is to all others.
func ExampleSearcher_SearchMany() {
	ctx := context.Background()
	friends := edge.List([]hops.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 2, V: 3}}, 4)
	searcher, err := cpu.Build(ctx, friends, cpu.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer searcher.Close()

	depths := graph.NewDepths(4)
	if _, err := searcher.SearchMany(ctx, []hops.Vertex{0, 1, 3}, depths); err != nil {
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
