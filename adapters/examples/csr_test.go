package examples

import (
	"context"
	"fmt"

	"github.com/gohops/hops/csr"
)

// Kernel 1 makes rows of a list of edges.
func Example_csr() {
	g := must(csr.Build(context.Background(), ring(), 2))
	defer g.Close()
	fmt.Println(g.NumVertices(), g.NumEdges())
	// Output: 7 6
}
