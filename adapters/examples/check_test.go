package examples

import (
	"context"
	"errors"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
)

// A tree that skips a level is found out.
func Example_check() {
	tree := hops.NewTree(7)
	tree.Root = 0
	for v, parent := range []hops.Vertex{0, 0, 1, 2, 3, 4} { // the long way round to 5
		tree.SetParent(hops.Vertex(v), parent)
	}
	checker := check.New(ring(), 0)
	defer checker.Close()
	_, err := checker.Tree(context.Background(), tree)
	var fault *check.Error
	fmt.Println(errors.As(err, &fault), fault.Rule == check.Levels, fault.Edge)
	has := must(check.HasEdge(context.Background(), ring(), 1))
	fmt.Println(has(5), has(6))
	// Output:
	// true true {5 0}
	// true false
}
