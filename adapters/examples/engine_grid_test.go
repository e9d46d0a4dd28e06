package examples

import (
	"context"
	"fmt"

	"github.com/gohops/hops/engine/grid"
)

// Two ranks, each with a block of the adjacency matrix, search the graph together.
func Example_engineGrid() {
	ctx := context.Background()
	s := must(grid.Build(ctx, ring(), grid.Options{Ranks: 2, Threads: 1}))
	defer s.Close()
	tree := must(s.NewTree())
	must(s.Search(ctx, 0, tree))
	fmt.Println(tree.Level(3), tree.Has(6))
	// Output: 3 false
}
