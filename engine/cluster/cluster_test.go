package cluster

import (
	"context"
	"fmt"
	"os"
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
		e.MaxScale, e.MaxPath, e.Roots, e.NamedRoots = 10, 30, 1, 1
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

// rankCounts are the numbers of ranks that everything is run on.
var rankCounts = []int{1, 2, 3, 4, 6, 7, 9}

// visibleKernels are those of a short run: the vector kernels are out of the race
// detector's sight.
func visibleKernels(t *testing.T) {
	if testing.Short() {
		bestKernels = func() kernel.Kernels { return kernel.Kernels{} }
		t.Cleanup(func() { bestKernels = kernel.Best })
	}
}

// Every exchange and every shape of a grid on every number of ranks, a search or
// two of each: what there is to race for.
func TestEverything(t *testing.T) {
	visibleKernels(t)
	src := kronecker(t, 7)
	near, err := neighbors(src)
	if err != nil {
		t.Fatal(err)
	}
	for _, ranks := range rankCounts {
		for _, o := range everyOption(ranks) {
			o.Ranks, o.Hosts = ranks, (ranks+1)/2
			s := build(t, src, o)
			tree := hops.NewTree(s.n)
			for root := uint32(1); root < 40; root += 30 {
				tree.Reset()
				if _, err := s.Search(t.Context(), hops.Vertex(root), tree); err != nil {
					t.Fatalf("%+v: %v", o, err)
				}
				if err := checkPart(tree, near, root); err != nil {
					t.Errorf("%+v: root %d: %v", o, root, err)
				}
			}
		}
	}
}

func TestEngine(t *testing.T) {
	visibleKernels(t)
	counts := rankCounts
	if testing.Short() {
		counts = []int{3}
	}
	for _, ranks := range counts {
		for _, x := range exchanges {
			t.Run(fmt.Sprintf("%d/%s", ranks, x.name), func(t *testing.T) {
				enginetest.Run(t, engine(Options{Ranks: ranks, Exchange: x.name, Threads: 1}, x.steps...))
			})
		}
	}
}

// TestGrid runs blocks on grids of all shapes.
func TestGrid(t *testing.T) {
	visibleKernels(t)
	shapes := []string{"1x1", "1x2", "2x1", "1x3", "3x1", "2x2", "2x3", "3x2", "1x7", "3x3"}
	if testing.Short() {
		shapes = []string{"2x2"}
	}
	if os.Getenv(allRanksVariable) != "" {
		shapes = everyShape()
	}
	for _, shape := range shapes {
		t.Run(shape, func(t *testing.T) {
			var rows, columns int
			if _, err := fmt.Sscanf(shape, "%dx%d", &rows, &columns); err != nil {
				t.Fatal(err)
			}
			o := Options{Layout: "2d", Grid: shape, Ranks: rows * columns, Threads: 1 + rows%2}
			if rows == 2 {
				o.Predecessors = "level"
			}
			enginetest.Run(t, engine(o, gridTopDown.Name, gridBottomUp.Name))
		})
	}
}

// everyShape has all grids of all numbers of ranks.
func everyShape() (shapes []string) {
	for _, ranks := range rankCounts {
		for _, o := range everyOption(ranks) {
			if o.Grid != "" {
				shapes = append(shapes, o.Grid)
			}
		}
	}
	return shapes
}

// TestVariants runs what is there for comparison, and threads.
func TestVariants(t *testing.T) {
	for name, o := range variants() {
		t.Run(name, func(t *testing.T) {
			if o.Threads == 0 {
				o.Threads = 1
			}
			e := engine(o)
			e.MaxScale, e.MaxPath, e.Roots = 10, 50, 2
			enginetest.Run(t, e)
		})
	}
}

func variants() map[string]Options {
	all := map[string]Options{
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
		"summary":      {Ranks: 5, Hosts: 2, Summary: 64, Exchange: "allgather"},
		"ownSummary":   {Ranks: 2, Summary: 256, Exchange: "allgather", Gather: "plain"},
	}
	if testing.Short() {
		return map[string]Options{"threads": all["threads"], "bulk": all["bulk"], "hosts": all["hosts"]}
	}
	return all
}
