package cluster

import (
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/topo"
	"github.com/gohops/hops/internal/ranks/distributed"
)

// Ranks that are bound, and ranks with interleaved memory, find the same trees. The host
// is said to have two nodes, both of them with all of its CPUs.
func TestPlacedRanks(t *testing.T) {
	src := kronecker(t, 9)
	cpus := topo.Here().CPUs
	for _, place := range []string{"", "bind", "interleave", "none"} {
		for _, threads := range []int{1, 2} {
			o := Options{Ranks: 2, Threads: threads, Place: place, reference: testing.Short()}
			e := o.engine()
			e.Nodes = []topo.Node{{ID: 0, CPUs: cpus, Memory: 1 << 30}, {ID: 0, CPUs: cpus, Memory: 1 << 30}}
			s, err := distributed.Build(t.Context(), src, o.layout(), e)
			if err != nil {
				t.Fatal(err)
			}
			tree := newTree(s)
			for root := hops.Vertex(1); root < 4; root++ {
				tree.Reset()
				if _, err := s.Search(t.Context(), root, tree); err != nil {
					t.Fatal(err)
				}
				validate(t, s, src, tree)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
