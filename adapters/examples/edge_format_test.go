package examples

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gohops/hops/edge/format"
)

// A file names its vertices as it likes.
func Example_edgeFormat() {
	dir := must(os.MkdirTemp("", ""))
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "friends.txt")
	if err := os.WriteFile(file, []byte("Ada Grace\nGrace Barbara\n"), 0o600); err != nil {
		fmt.Println(err)
	}
	g := must(format.Load(context.Background(), file, format.Options{IDs: format.TextIDs, Threads: 1}))
	defer g.Close()
	fmt.Println(g.NumVertices(), g.NumEdges(), g.Name(2))
	// Output: 3 2 Barbara
}
