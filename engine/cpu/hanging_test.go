package cpu

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/base/kernel"
	"github.com/gohops/hops/internal/testing/checktest"
	"github.com/gohops/hops/internal/testing/enginetest"
)

// hungEngine leaves out all trees that hang on a graph, however small it is.
func hungEngine(threads int) enginetest.Engine {
	e := engine(Options{Threads: threads}, stepTopDown)
	build := e.Build
	e.Build = func(ctx context.Context, src hops.Source) (enginetest.Searcher, error) {
		x, err := build(ctx, src)
		if err != nil {
			return nil, err
		}
		s := x.(*Searcher)
		if !s.graph.Directed {
			err = s.m.hang(1)
		}
		return s, err
	}
	return e
}

func TestHangingTreesInTheSuite(t *testing.T) {
	for _, threads := range []int{3, 1} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			e := hungEngine(threads)
			e.MaxPath, e.MaxScale, e.Roots = 300, 12, 4
			if testing.Short() {
				e.MaxPath, e.MaxScale, e.Roots = 60, 8, 1
			}
			enginetest.Run(t, e)
		})
	}
}

// Searches without the fringe give the levels and the counts of a serial search, from
// every root: in the fringe, outside of it, in another component.
func TestHangingTrees(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		edges, n := hungGraph(r)
		src := edge.List(edges, n)
		s, err := build(context.Background(), src, Options{Threads: rapid.IntRange(1, 3).Draw(r, "threads")}, kernel.Best())
		if err != nil {
			r.Fatal(err)
		}
		defer s.Close()
		if err := s.m.hang(1); err != nil {
			r.Fatal(err)
		}
		neighbours := checktest.Neighbours(n, edges)
		tree := hops.NewTree(n)
		for root := range n {
			tree.Reset()
			trace, err := s.Search(context.Background(), root, tree)
			if err != nil {
				r.Fatal(err)
			}
			want := checktest.Search(neighbours, root).Levels(nil)
			if got := tree.Levels(nil); !slices.Equal(got, want) {
				r.Fatalf("%v, root %d: levels %v, want %v", edges, root, got, want)
			}
			compareFound(r, trace, want)
		}
	})
}

// A graph of which most vertices are in chains has a fringe and no records. Searches from
// a chain, from the rest of the graph, and to a limited depth give valid trees.
func TestChainsAreAFringe(t *testing.T) {
	kronecker, err := edge.NewKronecker(10, 4, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	src := withChains(t, kronecker, 600)
	s, err := Build(context.Background(), src, Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.m.fringe == nil || s.m.records != nil {
		t.Fatal("no fringe, or records beside it")
	}
	if _, peak := s.Memory(); peak > (Options{Threads: 2}).Need(src.NumVertices(), src.NumEdges()) {
		t.Errorf("%d bytes were in use, more than needed", peak)
	}
	edges := make([]hops.Edge, src.NumEdges())
	if _, err := src.EdgesAt(edges, 0); err != nil {
		t.Fatal(err)
	}
	neighbours := checktest.Neighbours(src.NumVertices(), edges)
	for _, root := range []hops.Vertex{hops.Vertex(s.m.fringe.Center), hops.Vertex(slices.Index(s.m.fringe.Up, s.m.fringe.Center)), 7} {
		want := checktest.Search(neighbours, root).Levels(nil)
		for _, depth := range []int{0, 50} {
			s.LimitDepth(depth)
			tree := hops.NewTree(src.NumVertices())
			if _, err := s.Search(context.Background(), root, tree); err != nil {
				t.Fatal(err)
			}
			for v, got := range tree.Levels(nil) {
				if depth > 0 && want[v] > int32(depth) {
					want[v] = -1
				}
				if got != want[v] {
					t.Fatalf("root %d, depth %d: vertex %d is at level %d, want %d", root, depth, v, got, want[v])
				}
			}
		}
	}
}

// compareFound compares the levels of a trace with those of the vertices.
func compareFound(r *rapid.T, trace hops.Trace, levels []int32) {
	sizes := make([]int64, slices.Max(levels)+2)
	for _, l := range levels {
		if l >= 0 {
			sizes[l]++
		}
	}
	if len(trace.Levels) != len(sizes)-1 {
		r.Fatalf("%d levels, want %d", len(trace.Levels), len(sizes)-1)
	}
	for i, l := range trace.Levels {
		if l.Frontier != sizes[i] || l.Found != sizes[i+1] || l.Examined < l.Found {
			r.Fatalf("level %d: %+v, want %d and %d", i, l, sizes[i], sizes[i+1])
		}
	}
}

// hungGraph is a graph of some cycles, of trees that hang on them, and of other trees.
func hungGraph(r *rapid.T) (edges []hops.Edge, n hops.Vertex) {
	size := rapid.IntRange(1, 40).Draw(r, "vertices")
	extra := rapid.IntRange(0, 4).Draw(r, "cycles")
	for v := 1; v < size; v++ {
		if up := rapid.IntRange(-1, v-1).Draw(r, "up"); up >= 0 {
			edges = append(edges, hops.Edge{U: hops.Vertex(v), V: hops.Vertex(up)})
		}
	}
	vertex := rapid.IntRange(0, size-1)
	for range extra {
		edges = append(edges, hops.Edge{U: hops.Vertex(vertex.Draw(r, "from")), V: hops.Vertex(vertex.Draw(r, "to"))})
	}
	return edges, hops.Vertex(size)
}
