package cpu

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/base/kernel"
	"github.com/gohops/hops/internal/testing/enginetest"
)

func engine(opts Options, steps ...string) enginetest.Engine {
	return engineOf(opts, kernel.Best(), steps...)
}

func engineOf(opts Options, kernels kernel.Kernels, steps ...string) enginetest.Engine {
	return enginetest.Engine{
		Build: func(ctx context.Context, src hops.Source) (enginetest.Searcher, error) {
			return build(ctx, src, opts, kernels)
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

// TestLean runs rows alone, with the steps that read them in other ways.
func TestLean(t *testing.T) {
	for _, direction := range []string{"", stepSplit} {
		t.Run(direction, func(t *testing.T) {
			e := engine(Options{Lean: true, Direction: direction, Threads: 2})
			e.MaxPath, e.MaxScale, e.Roots = 30, 10, 1
			enginetest.Run(t, e)
		})
	}
}

// The lean form takes less memory than the full one, and both no more than they need.
func TestLeanNeedsLess(t *testing.T) {
	src, err := edge.NewKronecker(14, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	n, m := src.NumVertices(), src.NumEdges()
	var live, need [2]int64
	for i, lean := range []bool{false, true} {
		o := Options{Lean: lean, Threads: 2}
		s, err := Build(t.Context(), src, o)
		if err != nil {
			t.Fatal(err)
		}
		finished, peak := s.Memory()
		if live[i], need[i] = finished, o.Need(n, m); peak > need[i] {
			t.Errorf("lean %t: %d bytes were in use, need is %d", lean, peak, need[i])
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if live[1] >= live[0] || need[1] >= need[0] {
		t.Errorf("full and lean: %d bytes, %d needed", live, need)
	}
}

// TestReference runs the Go forms of the kernels, which is all there is on other
// processors.
func TestReference(t *testing.T) {
	enginetest.Run(t, engineOf(Options{Threads: 3}, kernel.Kernels{}, "top-down", "bottom-up"))
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

// TestClearIsReset clears trees that are full, of as many vertices as some workers
// own none of, and one that is not this graph's.
func TestClearIsReset(t *testing.T) {
	for _, n := range []hops.Vertex{1, 63, 4097, 20_000} {
		for _, threads := range []int{1, 2, 5} {
			s, err := Build(context.Background(), edge.List([]hops.Edge{{U: 0, V: n - 1}}, n), Options{Threads: threads})
			if err != nil {
				t.Fatal(err)
			}
			for _, size := range []hops.Vertex{n, n + 1} {
				full := hops.NewTree(size)
				full.Root = 0
				clear(full.Narrow)
				s.Clear(full)
				if want := hops.NewTree(size); full.Root != want.Root || !slices.Equal(full.Narrow, want.Narrow) {
					t.Errorf("%d vertices, %d threads: a tree of %d is not empty", n, threads, size)
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
