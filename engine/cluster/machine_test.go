package cluster

import (
	"fmt"
	"testing"

	"github.com/gohops/hops"
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
			{Ranks: 3, Threads: 1, Hosts: 2, narrowLimit: 1},
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
