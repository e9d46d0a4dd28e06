package examples

import (
	"context"
	"fmt"

	"github.com/gohops/hops/engine/cluster"
)

// Two ranks inside this process divide the vertices among them.
func Example_engineCluster() {
	ctx := context.Background()
	s := must(cluster.Build(ctx, ring(), cluster.Options{Ranks: 2, Threads: 1}))
	defer s.Close()
	tree := must(s.NewTree())
	must(s.Search(ctx, 0, tree))
	fmt.Println(tree.Level(3), tree.Has(6))
	// Output: 3 false
}
