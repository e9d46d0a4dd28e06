package examples

import (
	"context"
	"fmt"
	"os"

	"github.com/gohops/hops/edge"
)

// A list of edges is packed into memory, and written as text.
func Example_edge() {
	ctx := context.Background()
	packed := must(edge.Pack(ctx, ring(), 0, nil))
	defer packed.Close()
	if err := edge.WriteText(ctx, os.Stdout, packed, 1, nil); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 0 1
	// 1 2
	// 2 3
	// 3 4
	// 4 5
	// 5 0
}
