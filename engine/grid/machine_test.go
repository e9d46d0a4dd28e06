package grid

import (
	"fmt"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/testing/enginetest"
)

// All ranks together keep the contract of level.Machine. They sample the rows of large
// frontiers.
func TestMachineContract(t *testing.T) {
	sources := enginetest.MachineSources(t)
	sources["directed"] = hops.Directed(kronecker(t, 9))
	for name, src := range sources {
		for _, o := range []Options{
			{Ranks: 1, Threads: 2},
			{Ranks: 4, Threads: 1, Hosts: 2},
			{Ranks: 6, Threads: 1, Hosts: 3, Shape: "2x3", Predecessors: "level"},
			{Ranks: 3, Threads: 1, narrowLimit: 1},
		} {
			t.Run(fmt.Sprint(name, o.Ranks), func(t *testing.T) {
				o.reference = testing.Short()
				all := distributed.Ensemble{Searcher: mustBuild(t, src, o)}
				bind := func(tree *hops.Tree) { all.Start(t.Context(), tree) }
				enginetest.CheckMachine(t, all, src, bind, false)
			})
		}
	}
}

// The edges of a frontier of a directed graph are those that lead out of its vertices.
func TestEdgesOutOfTheFrontier(t *testing.T) {
	src := hops.Directed(edge.List([]hops.Edge{{U: 0, V: 1}, {U: 0, V: 2}, {U: 1, V: 3}, {U: 2, V: 3}, {U: 2, V: 4}, {U: 2, V: 0}, {U: 5, V: 1}}, 200))
	for _, shape := range []string{"1x4", "2x2", "4x1"} {
		all := distributed.Ensemble{Searcher: mustBuild(t, src, Options{Ranks: 4, Threads: 1, Shape: shape})}
		all.Start(t.Context(), hops.NewTree(src.NumVertices()))
		front, err := all.Seed(0)
		for depth, edges := range []int64{2, 4, 0} {
			if err != nil || front.Edges != edges {
				t.Fatalf("%s, depth %d: %d edges, %v; want %d", shape, depth, front.Edges, err, edges)
			}
			front, _, err = all.Run(bottomUp)
		}
	}
}
