package ranktest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/testing/checktest"
	"github.com/gohops/hops/internal/testing/families"
	"github.com/gohops/hops/level"
)

// inOrder are the families that are searched by steps in any order: they differ in the sizes of levels.
var inOrder = []string{"chain", "chains", "random tree", "lattice", "star", "kronecker with chains", "uniform"}

// AnyOrder searches graphs of every family, undirected and directed, by steps in any order and
// with limits of the depth: each step finds the frontier as the step before it has left it.
func AnyOrder(t *testing.T, build func(src hops.Source) *distributed.Searcher) {
	t.Helper()
	for i, name := range inOrder {
		if testing.Short() && i%3 != 0 {
			continue
		}
		r := rand.New(rand.NewPCG(uint64(i), 7))
		s := families.All[slices.IndexFunc(families.All, func(f families.Family) bool { return f.Name == name })].Draw(r, 300)
		var edges []hops.Edge
		for _, e := range s.Edges {
			edges = append(edges, hops.Edge{U: hops.Vertex(e[0]), V: hops.Vertex(e[1])})
		}
		// Labels are shuffled, so that a frontier of neighbours has bits all over a bitmap.
		src := edge.List(checktest.Relabel(hops.Vertex(s.N), edges, 5), hops.Vertex(s.N))
		for _, src := range []hops.Source{src, hops.Directed(src)} {
			near, err := Read(src)
			if err != nil {
				t.Fatal(err)
			}
			s := build(src)
			near.inAnyOrder(t, name, s, r)
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
