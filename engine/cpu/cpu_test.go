package cpu

import (
	"context"
	"fmt"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/enginetest"
)

func engine(opts Options, steps ...string) enginetest.Engine {
	return enginetest.Engine{
		Build: func(ctx context.Context, src hops.Source) (enginetest.Searcher, error) {
			return Build(ctx, src, opts)
		},
		Steps: steps,
	}
}

func TestEngine(t *testing.T) {
	for _, threads := range []int{1, 2, 5} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			enginetest.Run(t, engine(Options{Threads: threads}, "top-down", "bottom-up"))
		})
	}
}

// TestReference runs the Go forms of the kernels, which is all there is on other
// processors.
func TestReference(t *testing.T) {
	defer func(have bool) { haveVectors = have }(haveVectors)
	haveVectors = false
	enginetest.Run(t, engine(Options{Threads: 2}, "top-down", "bottom-up"))
}

func TestFixedDirections(t *testing.T) {
	for _, direction := range []string{"top-down", "bottom-up", "split"} {
		t.Run(direction, func(t *testing.T) {
			// With so many workers long rows are cut into pieces.
			e := engine(Options{Direction: direction, Threads: fewWorkers + 1}, direction)
			e.MaxPath = 500 // each of these levels looks at every vertex
			e.MaxScale = 12
			enginetest.Run(t, e)
		})
	}
}
