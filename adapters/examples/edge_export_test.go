package examples

import (
	"context"
	"fmt"
	"os"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/base/export"
)

// A graph is written for another program.
func Example_edgeExport() {
	ctx := context.Background()
	g := must(csr.Build(ctx, edge.List([]hops.Edge{{U: 0, V: 1}, {U: 2, V: 1}, {U: 1, V: 0}}, 3), 0))
	defer g.Close()
	name, _ := export.FormatOf("path.csv")
	if err := export.Write(ctx, os.Stdout, g, name); err != nil {
		fmt.Println(err)
	}
	// Output:
	// source,target
	// 0,1
	// 1,2
}
