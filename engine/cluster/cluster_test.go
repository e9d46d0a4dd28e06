package cluster

import (
	"context"
	"fmt"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/enginetest"
	"github.com/gohops/hops/internal/kernel"
)

// engine is one configuration, in sizes that suit many ranks on few cores.
func engine(opts Options, steps ...string) enginetest.Engine {
	e := enginetest.Engine{
		Build: func(ctx context.Context, src hops.Source) (enginetest.Searcher, error) {
			return Build(ctx, src, opts)
		},
		Steps: steps, MaxScale: 11, MaxPath: 200, Roots: 2, NamedRoots: 2,
	}
	if testing.Short() {
		e.MaxScale, e.MaxPath, e.Roots = 10, 60, 1
	}
	return e
}

// exchanges are the ways to exchange, and the steps that each must take.
var exchanges = []struct {
	name  string
	steps []string
}{
	{"messages", []string{byMessages.Name}},
	{"probe", []string{byMessages.Name, byProbe.Name}},
	{"allgather", []string{byMessages.Name, byAllgather.Name}},
}

func TestEngine(t *testing.T) {
	counts := []int{1, 2, 3, 4, 6, 7, 9}
	if testing.Short() {
		// The vector kernels are out of the race detector's sight.
		bestKernels = func() kernel.Kernels { return kernel.Kernels{} }
		t.Cleanup(func() { bestKernels = kernel.Best })
		counts = []int{2, 3}
	}
	for _, ranks := range counts {
		for _, x := range exchanges {
			t.Run(fmt.Sprintf("%d/%s", ranks, x.name), func(t *testing.T) {
				enginetest.Run(t, engine(Options{Ranks: ranks, Exchange: x.name, Threads: 1}, x.steps...))
			})
		}
	}
}

// TestVariants runs what is there for comparison, and threads.
func TestVariants(t *testing.T) {
	for name, o := range map[string]Options{
		"threads":      {Ranks: 2, Threads: 3},
		"bulk":         {Ranks: 3, Threads: 2, Sync: "bulk", Exchange: "probe"},
		"light":        {Ranks: 3, Heavy: -1, Exchange: "probe"},
		"fewHeavy":     {Ranks: 2, Heavy: 3, Exchange: "probe"},
		"plain":        {Ranks: 3, Encoding: "plain", Exchange: "probe"},
		"differential": {Ranks: 3, Encoding: "differential", Exchange: "probe"},
		"coarse":       {Ranks: 2, Rows: "coarse"},
		"skip":         {Ranks: 2, Rows: "skip"},
		"list":         {Ranks: 2, Rows: "list"},
		"gatherPlain":  {Ranks: 3, Gather: "plain", Exchange: "allgather"},
		"leader":       {Ranks: 5, Hosts: 2, Gather: "leader", Exchange: "allgather"},
		"hosts":        {Ranks: 7, Hosts: 3, Exchange: "allgather"},
		"dense":        {Ranks: 4, Hosts: 2, Bitmaps: "dense", Exchange: "allgather"},
		"summary":      {Ranks: 2, Summary: 256, Exchange: "allgather"},
	} {
		t.Run(name, func(t *testing.T) {
			if o.Threads == 0 {
				o.Threads = 1
			}
			e := engine(o)
			e.MaxScale, e.MaxPath, e.Roots = 11, 50, 2
			enginetest.Run(t, e)
		})
	}
}
