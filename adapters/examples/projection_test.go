package examples

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/projection"
)

// A model is fitted to searches of small graphs, and tells what a search of a large
// one handles.
func Example_projection() {
	cpuEngine := graph500.Engine{Name: "cpu", Build: func(ctx context.Context, src hops.Source) (graph500.Searcher, error) {
		return cpu.Build(ctx, src, cpu.Options{})
	}}
	searches := must(projection.Measure(context.Background(), cpuEngine, []int{9, 10, 11, 12}, 4, func(int) {}))
	model := must(projection.Fit(searches))
	fmt.Println(model.Work(20).Edges > model.Work(12).Edges)
	// Output: true
}
