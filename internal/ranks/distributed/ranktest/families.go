package ranktest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/testing/checktest"
	"github.com/gohops/hops/level"
)

// A family is a graph of one kind. Labels are shuffled, so that a frontier of neighbouring
// vertices has bits all over a bitmap.
type family struct {
	name  string
	n     hops.Vertex
	edges []hops.Edge
}

// families are a graph of every kind that differs in its levels: their number, their sizes
// and their degrees.
func families() []family {
	star := func(hub, first, n hops.Vertex) (edges []hops.Edge) {
		for v := first; v < first+n; v++ {
			edges = append(edges, hops.Edge{U: hub, V: v})
		}
		return edges
	}
	var tree, hubs []hops.Edge
	for v := hops.Vertex(1); v < 400; v++ {
		tree = append(tree, hops.Edge{U: (v - 1) / 3, V: v})
	}
	for h := range hops.Vertex(4) { // each with leaves, and a chain to the next one
		hubs = append(append(hubs, star(100*h, 100*h+1, 75)...), checktest.Path(100*h+75, 26)...)
	}
	apart := append(checktest.Path(0, 100), checktest.Grid(100, 9, 11)...)
	return []family{
		{"chain", 250, checktest.Path(0, 250)},
		{"tree", 400, tree},
		{"lattice", 13 * 17, checktest.Grid(0, 13, 17)},
		{"star", 400, star(7, 8, 392)},
		{"hubs with chains", 401, hubs},
		{"disconnected", 400, append(apart, star(220, 221, 170)...)},
		{"random", 500, checktest.Random(3, 0, 500, 2000)},
	}
}

// AnyOrder searches graphs of every family, undirected and directed, by steps in any order and
// with limits of the depth: each step finds the frontier as the step before it has left it.
func AnyOrder(t *testing.T, build func(src hops.Source) *distributed.Searcher) {
	t.Helper()
	for i, f := range families() {
		src := edge.List(checktest.Relabel(f.n, f.edges, 5), f.n)
		for _, src := range []hops.Source{src, hops.Directed(src)} {
			near, err := Read(src)
			if err != nil {
				t.Fatal(err)
			}
			s := build(src)
			near.inAnyOrder(t, f.name, s, rand.New(rand.NewPCG(uint64(i), 7)))
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// inAnyOrder searches by each step alone, and then by some of them in turn.
func (g Graph) inAnyOrder(t *testing.T, name string, s *distributed.Searcher, r *rand.Rand) {
	t.Helper()
	tree, err := s.NewTree()
	if err != nil {
		t.Fatal(err)
	}
	steps := s.Steps()
	for search := range len(steps) + 3 {
		plan := level.Plan{steps[search%len(steps)].Name}
		for search >= len(steps) && len(plan) < 1+r.IntN(9) {
			plan = append(plan, steps[r.IntN(len(steps))].Name)
		}
		for _, rank := range s.Ranks {
			rank.Policy = plan
		}
		root, depth := uint32(r.IntN(len(g))), r.IntN(3)*r.IntN(7)
		s.LimitDepth(depth)
		tree.Reset()
		trace, err := s.Search(t.Context(), hops.Vertex(root), tree)
		if err == nil {
			err = g.checkTo(tree, root, depth)
		}
		if err == nil && depth > 0 && len(trace.Levels) > depth {
			err = fmt.Errorf("%d levels ran", len(trace.Levels))
		}
		if err != nil {
			t.Fatalf("%s, plan %v, at most %d hops: %v", name, plan, depth, err)
		}
		for i, l := range trace.Levels {
			if l.Step != plan[min(i, len(plan)-1)] {
				t.Fatalf("%s: level %d ran %s, not %v", name, i, l.Step, plan)
			}
		}
	}
}
