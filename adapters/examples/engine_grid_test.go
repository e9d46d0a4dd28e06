package examples

import (
	"context"
	"fmt"
	"sync"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/grid"
)

// Two ranks, each with a block of the adjacency matrix, search the graph together.
func Example_engineGrid() {
	comms := must(grid.Local(2, 1))
	found := make([]int, len(comms))
	var ranks sync.WaitGroup
	for i, comm := range comms {
		ranks.Go(func() {
			r := must(grid.Join(context.Background(), comm, ring(), grid.Options{Threads: 1}))
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
