package many

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/kernel"
	"github.com/gohops/hops/internal/testing/oracle"
)

// plainLevels are the oracle's, up to a depth if that is not 0.
func plainLevels(g *graph.Graph, root hops.Vertex, maxDepth int) []int32 {
	levels, _ := oracle.BFS(int(g.NumVertices()), g.Neighbors, root)
	for v, l := range levels {
		if maxDepth > 0 && int(l) > maxDepth {
			levels[v] = -1
		}
	}
	return levels
}

// fataler is a test or a property.
type fataler interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func buildGraph(t fataler, src hops.Source) *graph.Graph {
	t.Helper()
	g, err := csr.Build(context.Background(), src, 0)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// checkSearch searches from all roots and compares with plain searches.
func checkSearch(t fataler, s *Searcher, roots []hops.Vertex, d *hops.Depths, maxDepth int) hops.Trace {
	t.Helper()
	trace, err := s.Search(context.Background(), roots, d)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.Roots, roots) {
		t.Fatalf("searched from %v, want %v", d.Roots, roots)
	}
	for i, root := range roots {
		want := plainLevels(s.graph, root, maxDepth)
		if got := d.Levels(i, nil); !slices.Equal(got, want) {
			t.Fatalf("%d vertices, root %d, %d of %d, %v: levels\n%v, want\n%v", len(want), root, i, len(roots), trace.Levels, got, want)
		}
	}
	for v, word := range d.Reached {
		if word>>(len(roots)-1)>>1 != 0 {
			t.Fatalf("vertex %d is reached from roots that there are not: %b", v, word)
		}
	}
	return trace
}

func kroneckerGraph(t testing.TB, scale int) *graph.Graph {
	t.Helper()
	src, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	g := buildGraph(t, src)
	t.Cleanup(func() { _ = g.Close() })
	return g
}

// someRoots are random vertices, isolated ones and doubles too.
func someRoots(r *rand.Rand, n hops.Vertex, count int) []hops.Vertex {
	roots := make([]hops.Vertex, count)
	for i := range roots {
		roots[i] = hops.Vertex(r.Uint64N(uint64(n)))
	}
	return roots
}

func testSources(t *testing.T) map[string]hops.Source {
	t.Helper()
	scale := 11
	if testing.Short() {
		scale = 9
	}
	kronecker, err := edge.NewKronecker(scale, 8, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	sparse, err := edge.NewUniform(1000, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	way := make([]hops.Edge, 300)
	for i := range way {
		way[i] = hops.Edge{U: hops.Vertex(i), V: hops.Vertex(i + 1)}
	}
	return map[string]hops.Source{
		"kronecker": kronecker, "kronecker directed": hops.Directed(kronecker),
		"sparse": sparse, "sparse directed": hops.Directed(sparse),
		"path": edge.List(way, 301), "path directed": hops.Directed(edge.List(way, 301)),
		"no edges": edge.List(nil, 100),
	}
}

func TestSearchAgreesWithPlainSearches(t *testing.T) {
	for _, reference := range []bool{false, true} {
		if !reference && testing.Short() {
			continue // the race detector cannot see into the other kernels
		}
		for name, src := range testSources(t) {
			t.Run(fmt.Sprint(name, reference), func(t *testing.T) {
				kernels := kernel.Best()
				if reference {
					kernels = kernel.Kernels{}
				}
				g := buildGraph(t, src)
				defer g.Close()
				s, err := newSearcher(g, Options{Threads: 3}, kernels)
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				r := rand.New(rand.NewPCG(1, 2))
				d := hops.NewDepths(src.NumVertices())
				for _, count := range []int{64, 1, 3, 63} {
					checkSearch(t, s, someRoots(r, src.NumVertices(), count), d, 0)
				}
			})
		}
	}
}

// Any small graph, roots, direction, depth and number of workers.
func TestSearchOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 300).Draw(t, "vertices")
		vertex := rapid.Custom(func(t *rapid.T) hops.Vertex { return hops.Vertex(rapid.IntRange(0, n-1).Draw(t, "vertex")) })
		edges := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) hops.Edge {
			return hops.Edge{U: vertex.Draw(t, "from"), V: vertex.Draw(t, "to")}
		}), 0, 3*n).Draw(t, "edges")
		var src hops.Source = edge.List(edges, hops.Vertex(n))
		if rapid.Bool().Draw(t, "directed") {
			src = hops.Directed(src)
		}
		opts := Options{
			Threads:   rapid.IntRange(1, 4).Draw(t, "threads"),
			Direction: rapid.SampledFrom([]string{"", "top-down", "bottom-up", "split"}).Draw(t, "direction"),
			MaxDepth:  rapid.IntRange(0, 4).Draw(t, "depth"),
		}
		g := buildGraph(t, src)
		defer g.Close()
		s, err := New(g, opts)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		roots := rapid.SliceOfN(vertex, 1, hops.MaxRoots).Draw(t, "roots")
		checkSearch(t, s, roots, hops.NewDepths(hops.Vertex(n)), opts.MaxDepth)
	})
}

// All steps, on a graph that is large enough for them.
func TestSearchSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("for the steps that the others may leave out")
	}
	g := kroneckerGraph(t, 13)
	r := rand.New(rand.NewPCG(3, 4))
	roots := someRoots(r, g.NumVertices(), hops.MaxRoots)
	for direction, want := range map[string][]string{
		"": {"top-down", "bottom-up"}, "top-down": {"top-down"}, "bottom-up": {"bottom-up"}, "split": {"split"},
	} {
		s, err := New(g, Options{Threads: 2, Direction: direction})
		if err != nil {
			t.Fatal(err)
		}
		trace := checkSearch(t, s, roots, hops.NewDepths(g.NumVertices()), 0)
		for _, step := range want {
			if !slices.ContainsFunc(trace.Levels, func(l hops.Level) bool { return l.Step == step }) {
				t.Errorf("direction %q: no level ran %s: %s", direction, step, trace.Plan())
			}
		}
		_ = s.Close()
	}
}

// Searches from one root by the cpu engine give the same levels.
func TestSearchAgreesWithCPU(t *testing.T) {
	g := kroneckerGraph(t, 10)
	s, err := New(g, Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	one, err := cpu.New(g, cpu.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	roots := someRoots(rand.New(rand.NewPCG(5, 6)), g.NumVertices(), 20)
	d, tree := hops.NewDepths(g.NumVertices()), hops.NewTree(g.NumVertices())
	if _, err := s.Search(t.Context(), roots, d); err != nil {
		t.Fatal(err)
	}
	for i, root := range roots {
		tree.Reset()
		if _, err := one.Search(t.Context(), root, tree); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(d.Levels(i, nil), tree.Levels(nil)) {
			t.Fatalf("root %d: levels differ", root)
		}
	}
	checkSearch(t, s, roots[:5], d, 0)
}

func TestSearchRefuses(t *testing.T) {
	g := kroneckerGraph(t, 8)
	s, err := New(g, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := New(g, Options{Direction: "sideways"}); err == nil {
		t.Error("unknown direction: no error")
	}
	d := hops.NewDepths(256)
	for name, roots := range map[string][]hops.Vertex{"none": nil, "too many": make([]hops.Vertex, 65), "outside": {0, 256}} {
		if _, err := s.Search(t.Context(), roots, d); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := s.Search(t.Context(), []hops.Vertex{1}, hops.NewDepths(255)); err == nil {
		t.Error("too little room: no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Search(ctx, []hops.Vertex{1}, d); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	checkSearch(t, s, []hops.Vertex{1, 2}, d, 0)
}
