package examples

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/graph500"
)

// A GPU searches where there is one, and the host otherwise.
func Example_engineGPU() {
	ctx := context.Background()
	var s graph500.Searcher
	if device, err := gpu.Build(ctx, ring(), gpu.Options{}); err == nil {
		s = device
	} else {
		s = must(cpu.Build(ctx, ring(), cpu.Options{}))
	}
	defer s.Close()
	tree := must(graph500.NewTree(s, hops.Vertex(7)))
	must(s.Search(ctx, 0, tree))
	fmt.Println(tree.Level(3), tree.Has(6))
	// Output: 3 false
}
