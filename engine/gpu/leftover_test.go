package gpu

import (
	"slices"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
)

// fringed is a Kronecker graph with paths of these lengths that begin at its vertices
// 0, 1, 2, …: the last levels find few vertices each.
func fringed(t *testing.T, scale int, lengths []int) hops.Source {
	t.Helper()
	core, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	edges := make([]hops.Edge, core.NumEdges())
	if _, err := core.EdgesAt(edges, 0); err != nil {
		t.Fatal(err)
	}
	n := hops.Vertex(core.NumVertices())
	for i, length := range lengths {
		for at := hops.Vertex(i); length > 0; length-- {
			edges = append(edges, hops.Edge{U: at, V: n})
			at, n = n, n+1
		}
	}
	return edge.List(edges, n)
}

// Passes over the leftover alternate between the two bitmaps. The top-down levels before
// and after them need one that has all visited vertices.
func TestLeftoverAlternates(t *testing.T) {
	openclOrSkip(t)
	src := fringed(t, 12, append(slices.Repeat([]int{4}, 20), 5, 6, 60, 61))
	for alpha, want := range map[int][]string{0: {"L L L L L TD"}, 3000: {"L L L L L TD L TD"}} {
		s, err := Build(t.Context(), src, Options{Driver: "opencl", Alpha: alpha})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for _, steps := range stepsOfTrees(t, s, src, 0, 7, 11) {
			for _, some := range want {
				if !strings.Contains(steps, some) {
					t.Errorf("alpha %d: no %q in %s", alpha, some, steps)
				}
			}
		}
	}
}

var short = map[string]string{"top-down": "TD", "bottom-up": "BU", "bottom-up-hot": "BH", "bottom-up-leftover": "L"}

// stepsOfTrees checks the trees from some roots and returns the steps of each search.
func stepsOfTrees(t *testing.T, s *Searcher, src hops.Source, roots ...hops.Vertex) (all []string) {
	t.Helper()
	checker, tree := check.New(src, 1), hops.NewTree(src.NumVertices())
	for _, root := range roots {
		tree.Reset()
		trace, err := s.Search(t.Context(), root, tree)
		if err != nil {
			t.Fatal(err)
		}
		result, err := checker.Tree(t.Context(), tree)
		if err != nil {
			t.Errorf("root %d: %v", root, err)
		}
		if result.Vertices != trace.Found()+1 {
			t.Errorf("root %d: %d vertices in the tree, %d found", root, result.Vertices, trace.Found())
		}
		var steps []string
		for _, l := range trace.Levels {
			steps = append(steps, short[l.Step])
		}
		all = append(all, strings.Join(steps, " "))
	}
	return all
}

// The long row of a hub is left to the whole grid. The root is at the end of a path that
// leads to the hub of a wheel; the hub finds its parent behind all vertices of the rim.
func TestHubRowsAreLeftToTheGrid(t *testing.T) {
	openclOrSkip(t)
	const rim = 1500
	const root = rim + 3
	edges := []hops.Edge{{U: 0, V: rim + 1}, {U: rim + 1, V: rim + 2}, {U: rim + 2, V: root}}
	for v := hops.Vertex(1); v <= rim; v++ {
		edges = append(edges, hops.Edge{U: 0, V: v}, hops.Edge{U: v, V: v%rim + 1})
	}
	src := edge.List(edges, root+1)
	for name, o := range map[string]Options{"fused": {Alpha: 1 << 20, Beta: 1 << 20}, "stepped": {Stepped: plans["bottomUp"]}} {
		o.Driver, o.defines = "opencl", smallLimits
		s, err := Build(t.Context(), src, o)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		tree := hops.NewTree(src.NumVertices())
		trace, err := s.Search(t.Context(), root, tree)
		if err != nil {
			t.Fatal(err)
		}
		if got := tree.Parent(0); got != rim+1 {
			t.Errorf("%s: the hub's parent is %d", name, got)
		}
		// A warp alone looks at no entry twice, and the grid begins with the first again.
		if most := int64(4*rim + 1); trace.Levels[2].Examined <= most {
			t.Errorf("%s: %d of %d entries examined: the grid had nothing to do", name, trace.Levels[2].Examined, most)
		}
	}
}
