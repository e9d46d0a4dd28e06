package cluster

import (
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/ranks/distributed/ranktest"
)

// Whatever order steps come in, with any option, the tree of a graph of any family is right.
func TestAnyOrderOfSteps(t *testing.T) {
	for name, o := range variants() {
		t.Run(name, func(t *testing.T) {
			o.Exchange, o.Policy, o.reference = "", "alpha-beta", testing.Short()
			o.Threads = max(1, o.Threads)
			for _, o.narrowLimit = range []hops.Vertex{0, 1} {
				ranktest.AnyOrder(t, func(src hops.Source) *distributed.Searcher { return mustBuild(t, src, o) })
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
