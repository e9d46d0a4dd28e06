package cluster

import (
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

// Rows of more entries than a byte counts have room for all of them, where no vertex is heavy: of one vertex they are
// counted at either end of its edges, by all ranks.
func TestLongRowsAreCounted(t *testing.T) {
	const leaves = 1500
	for _, directed := range []bool{false, true} {
		var edges []hops.Edge
		for i := range hops.Vertex(leaves) {
			edges = append(edges, hops.Edge{U: 0, V: 2 + i}, hops.Edge{U: 2 + i, V: 1}, hops.Edge{U: 1, V: 0})
		}
		src := hops.Source(edge.List(edges, leaves+2))
		if directed {
			src = hops.Directed(src)
		}
		for _, ranks := range []int{1, 2, 3} {
			s := mustBuild(t, src, Options{Ranks: ranks, Threads: 2, Light: true})
			tree := hops.NewTree(leaves + 2)
			if _, err := s.Search(t.Context(), 0, tree); err != nil {
				t.Fatal(err)
			}
			for v := range hops.Vertex(leaves + 2) {
				if tree.Parent(v) == hops.NoVertex {
					t.Fatalf("directed %v, %d ranks: vertex %d was not reached", directed, ranks, v)
				}
			}
		}
	}
}
