package examples

import (
	"context"
	"fmt"
	"log"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/cpu"
)

// ring is a small graph: six vertices in a ring, and one apart.
func ring() hops.Source {
	return edge.List([]hops.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 2, V: 3}, {U: 3, V: 4}, {U: 4, V: 5}, {U: 5, V: 0}}, 7)
}

func must[T any](x T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return x
}

// A tree answers for itself once it is filled.
func Example_hops() {
	s := must(cpu.Build(context.Background(), ring(), cpu.Options{}))
	defer s.Close()
	tree := hops.NewTree(7)
	must(s.Search(context.Background(), 0, tree))
	fmt.Println(tree.Level(3), len(tree.PathTo(2)), tree.Has(6))
	// Output: 3 3 false
}
