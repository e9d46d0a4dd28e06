package examples

import (
	"context"
	"fmt"

	"github.com/gohops/hops/component"
	"github.com/gohops/hops/csr"
)

func Example_component() {
	g := must(csr.Build(context.Background(), ring(), 0))
	defer g.Close()
	c := must(component.Of(context.Background(), g, 0))
	fmt.Println(len(c.All), c.All[0].Size)
	// Output: 2 6
}
