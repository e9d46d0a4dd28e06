package cpu

import (
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

// A search to a depth is the whole search without what is deeper.
func TestMaxDepth(t *testing.T) {
	src, err := edge.NewKronecker(10, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	tree := func(depth int) []int32 {
		s, err := Build(t.Context(), src, Options{Threads: 2, MaxDepth: depth})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		tree := hops.NewTree(src.NumVertices())
		if _, err := s.Search(t.Context(), connected, tree); err != nil {
			t.Fatal(err)
		}
		return tree.Levels(nil)
	}
	whole := tree(0)
	for depth := 1; depth <= int(slices.Max(whole))+1; depth++ {
		want := slices.Clone(whole)
		for v, d := range want {
			if int(d) > depth {
				want[v] = -1
			}
		}
		if got := tree(depth); !slices.Equal(got, want) {
			t.Errorf("to depth %d: other levels than those of the whole search up to it", depth)
		}
	}
}
