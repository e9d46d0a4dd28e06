package examples

import (
	"context"
	"fmt"
	"sync"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cluster"
)

// Two ranks build and search the graph together, each with its part of the tree.
func Example_engineCluster() {
	comms := must(cluster.Local(2, 1))
	found := make([]int, len(comms))
	var ranks sync.WaitGroup
	for i, comm := range comms {
		ranks.Go(func() {
			r := must(cluster.Join(context.Background(), comm, ring(), cluster.Options{Threads: 1}))
			defer r.Close()
			tree := must(r.NewTree())
			must(r.Search(context.Background(), 0, tree))
			for v := tree.First; v < tree.First+hops.Vertex(tree.Len()); v++ {
				if tree.Parent(v) != hops.NoVertex {
					found[i]++
				}
			}
		})
	}
	ranks.Wait()
	fmt.Println(found[0] + found[1])
	// Output: 6
}
