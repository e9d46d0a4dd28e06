package cpu

import (
	"fmt"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/testing/enginetest"
)

// The machine keeps the contract of level.Machine, alone and as part of a search that
// moves between devices. It samples the rows of large frontiers.
func TestMachineContract(t *testing.T) {
	for name, src := range enginetest.MachineSources(t) {
		for _, threads := range []int{1, 3} {
			t.Run(fmt.Sprint(name, threads), func(t *testing.T) {
				s, err := Build(t.Context(), src, Options{Threads: threads})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				bind := func(tree *hops.Tree) { s.m.parents = tree.Narrow }
				enginetest.CheckMachine(t, s.m, src, bind, false)
				enginetest.CheckMachine(t, s.Portable(), src, bind, false)
			})
		}
	}
}
