package graph_test

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/graph"
)

func kronecker(t testing.TB, scale int) hops.Source {
	t.Helper()
	src, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// A search after the first allocates nothing: no queues, no trace, no tree.
func TestSearchDoesNotAllocate(t *testing.T) {
	for _, src := range []hops.Source{kronecker(t, 12), hops.Directed(kronecker(t, 12)), line(3000)} {
		g := buildGraph(t, src)
		defer g.Close()
		s, err := cpu.New(g, cpu.Options{Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		tree := hops.NewTree(g.NumVertices())
		ctx, root := context.Background(), hops.Vertex(0)
		for g.Degree(root) == 0 {
			root++
		}
		allocs := testing.AllocsPerRun(20, func() {
			tree.Reset()
			if trace, err := s.Search(ctx, root, tree); err != nil || len(trace.Levels) < 3 {
				t.Fatal(err, len(trace.Levels))
			}
		})
		if allocs != 0 {
			t.Errorf("directed %t: %v allocations per search", g.Directed, allocs)
		}
	}
}

// Many goroutines search one graph, each with its own searcher, and walk it while
// its file is still being checked.
func TestManySearchers(t *testing.T) {
	built := buildGraph(t, kronecker(t, 11))
	defer built.Close()
	want := treeFrom(t, built, 1).Levels(nil)
	g, err := graph.ReadGraph(bytes.NewReader(fileOf(t, built)), "graph")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			depth := int32(0)
			if err := graph.Walk(g, 1, func(_ hops.Vertex, d int) bool { depth = int32(d); return true }); err != nil || depth != slices.Max(want) {
				t.Errorf("walked to depth %d: %v", depth, err)
			}
			s, err := cpu.New(g, cpu.Options{Threads: 2})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			tree := hops.NewTree(g.NumVertices())
			for _, root := range []hops.Vertex{5, 1} {
				tree.Reset()
				if _, err := s.Search(context.Background(), root, tree); err != nil {
					t.Error(err)
				}
			}
			if !slices.Equal(tree.Levels(nil), want) {
				t.Error("other levels beside other searchers")
			}
		})
	}
	wg.Wait()
}
