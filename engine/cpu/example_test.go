package cpu_test

import (
	"context"
	"fmt"
	"log"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/cpu"
)

// A path of four vertices, searched from one end.
func Example() {
	ctx := context.Background()
	friends := edge.List([]hops.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 2, V: 3}}, 4)
	searcher, err := cpu.Build(ctx, friends, cpu.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer searcher.Close()

	tree := hops.NewTree(4)
	trace, err := searcher.Search(ctx, 0, tree)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("3 was reached from", tree.Parent(3), "in", len(trace.Levels)-1, "hops")
	// Output: 3 was reached from 2 in 3 hops
}
