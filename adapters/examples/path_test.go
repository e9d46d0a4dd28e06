package examples

import (
	"context"
	"fmt"

	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/path"
)

func Example_path() {
	g := must(csr.Build(context.Background(), ring(), 0))
	defer g.Close()
	fmt.Println(must(path.Between(context.Background(), g, 0, 4)))
	// Output: [0 5 4]
}
