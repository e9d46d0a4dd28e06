package examples

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/device/adaptive"
)

// Host and device search together, and the host alone where there is no device.
func Example_engineAdaptive() {
	ctx := context.Background()
	host := must(cpu.Build(ctx, ring(), cpu.Options{}))
	var s graph500.Searcher = host
	if device, err := gpu.BuildPortable(ctx, ring(), gpu.Options{}, false); err == nil {
		s = must(adaptive.New(ctx, host.Portable(), device, adaptive.Options{}, device.Close, host.Close))
	}
	defer s.Close()
	tree := must(graph500.NewTree(s, hops.Vertex(7)))
	must(s.Search(ctx, 0, tree))
	fmt.Println(tree.Level(3), tree.Has(6))
	// Output: 3 false
}
