package cluster

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/distributed/ranktest"
	"github.com/gohops/hops/level"
)

// Whatever order steps come in, the tree is right: each finds the frontier as the
// step before it has left it.
func TestAnyOrderOfSteps(t *testing.T) {
	src := kronecker(t, 8)
	near, err := ranktest.Read(src)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{
		{Ranks: 1, Threads: 2},
		{Ranks: 3, Threads: 1, Light: true},
		{Ranks: 4, Threads: 1, Hosts: 2},
		{Ranks: 3, Threads: 2, Gather: "plain"},
		{Ranks: 3, Threads: 2, narrowLimit: 1},
	} {
		o.reference = testing.Short()
		s := mustBuild(t, src, o)
		tree := newTree(s)
		names := make([]string, len(s.Steps()))
		for i, step := range s.Steps() {
			names[i] = step.Name
		}
		rapid.Check(t, func(t *rapid.T) {
			plan := level.Plan(rapid.SliceOfN(rapid.SampledFrom(names), 1, 8).Draw(t, "plan"))
			for _, r := range s.Ranks {
				r.Policy = plan
			}
			root := rapid.Uint32Range(0, uint32(src.NumVertices())-1).Draw(t, "root")
			tree.Reset()
			trace, err := s.Search(t.Context(), hops.Vertex(root), tree)
			if err != nil {
				t.Fatal(err)
			}
			if err := near.Check(tree, root); err != nil {
				t.Fatalf("%+v, root %d: %v", o, root, err)
			}
			for i, l := range trace.Levels[:min(len(plan), len(trace.Levels))] {
				if l.Step != plan[i] {
					t.Fatalf("level %d ran %s, not %s", i, l.Step, plan[i])
				}
			}
		})
	}
}

// The policy takes the list in the last levels, and it finds what is left.
func TestListIsTaken(t *testing.T) {
	s := mustBuild(t, kronecker(t, 13), Options{Ranks: 2, Threads: 1})
	taken, found := 0, int64(0)
	tree := newTree(s)
	for root := hops.Vertex(1); root < 400; root += 7 {
		tree.Reset()
		trace, err := s.Search(t.Context(), root, tree)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range trace.Levels {
			if l.Step == byList.Name {
				taken++
				found += l.Found
			}
		}
	}
	if taken == 0 || found == 0 {
		t.Errorf("%d levels by list found %d vertices", taken, found)
	}
}

// Where the bitmaps of all vertices would take more than the rows, no step gathers the
// frontier, unless the user has asked for it.
func TestStepsWithoutBitmaps(t *testing.T) {
	var edges []hops.Edge
	for v := range hops.Vertex(100) {
		edges = append(edges, hops.Edge{U: 150 * v, V: 150 * (v + 1)})
	}
	src := edge.List(edges, 1<<14)
	near, err := ranktest.Read(src)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{{Ranks: 3, Threads: 1}, {Ranks: 3, Threads: 1, narrowLimit: 1}, {Ranks: 3, Threads: 1, Exchange: "allgather"}} {
		s := mustBuild(t, src, o)
		if got := slices.Contains(s.Steps(), byAllgather); got != (o.Exchange != "") {
			t.Errorf("%+v: the frontier can be gathered: %v", o, got)
		}
		if _, err := near.Search(t.Context(), s, newTree(s), 150, 7500); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
