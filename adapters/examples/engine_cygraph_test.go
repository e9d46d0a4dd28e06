package examples

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cygraph"
)

// The time of a search is that of the modelled hardware.
func Example_engineCyGraph() {
	s := must(cygraph.Build(context.Background(), ring(), cygraph.Options{Kernels: 16}))
	defer s.Close()
	tree := hops.NewTree(7)
	trace := must(s.Search(context.Background(), 0, tree))
	fmt.Println(trace.Clock == hops.Model, trace.Time() > 0, tree.Level(3))
	// Output: true true 3
}
