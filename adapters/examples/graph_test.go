package examples

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/graph"
)

// A graph is saved once, and opened from then on.
func Example_graph() {
	g := must(csr.Build(context.Background(), ring(), 0))
	dir := must(os.MkdirTemp("", ""))
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "ring.hops")
	if err := graph.Save(file, g); err != nil {
		fmt.Println(err)
	}
	opened := must(graph.Open(file))
	defer opened.Close()
	fmt.Println(opened.NumVertices(), opened.NumEdges(), opened.Degree(0), opened.Degree(6))
	// Output: 7 6 2 0
}
