package cpu

import (
	"context"
	"fmt"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/enginetest"
	"github.com/gohops/hops/internal/kernel"
)

func engine(opts Options, steps ...string) enginetest.Engine {
	return enginetest.Engine{
		Build: func(ctx context.Context, src hops.Source) (enginetest.Searcher, error) {
			return Build(ctx, src, opts)
		},
		Steps:    steps,
		Directed: true,
	}
}

func TestEngine(t *testing.T) {
	if testing.Short() {
		t.Skip("TestReference has what the race detector can see")
	}
	for _, threads := range []int{1, 2, 5} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			enginetest.Run(t, engine(Options{Threads: threads}, "top-down", "bottom-up"))
		})
	}
}

// TestReference runs the Go forms of the kernels, which is all there is on other
// processors.
func TestReference(t *testing.T) {
	bestKernels = func() kernel.Kernels { return kernel.Kernels{} }
	defer func() { bestKernels = kernel.Best }()
	enginetest.Run(t, engine(Options{Threads: 3}, "top-down", "bottom-up"))
}

func TestFixedDirections(t *testing.T) {
	for direction, threads := range map[string]int{
		"top-down":  fewWorkers + 1, // so many that long rows are cut into pieces
		"bottom-up": 2,
		"split":     2,
	} {
		t.Run(direction, func(t *testing.T) {
			e := engine(Options{Direction: direction, Threads: threads}, direction)
			e.MaxPath = 300 // each of these levels looks at every vertex
			e.MaxScale = 12
			if testing.Short() {
				e.MaxPath, e.MaxScale, e.Roots = 100, 11, 2
			}
			enginetest.Run(t, e)
		})
	}
}
