package cpu

import (
	"context"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

// TestLeftover searches a star with a path of three at its end, and two pairs beside
// it. After the leaves seven vertices are left, few enough for a list: the path must
// be found by it, one vertex a level, and the pairs must stay on it.
func TestLeftover(t *testing.T) {
	const n, leaves = 8 * unvisitedShare, 8*unvisitedShare - 8
	var edges []hops.Edge
	for v := range hops.Vertex(leaves) {
		edges = append(edges, hops.Edge{U: 0, V: v + 1})
	}
	for v := hops.Vertex(leaves); v < leaves+3; v++ {
		edges = append(edges, hops.Edge{U: v, V: v + 1})
	}
	edges = append(edges, hops.Edge{U: n - 4, V: n - 3}, hops.Edge{U: n - 2, V: n - 1})
	s, err := Build(context.Background(), edge.List(edges, n), Options{Threads: 3, Direction: "bottom-up"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for range 2 {
		tree := hops.NewTree(n)
		trace, err := s.Search(context.Background(), 0, tree)
		if err != nil || trace.Found() != leaves+3 || len(trace.Levels) != 5 {
			t.Fatalf("found %d vertices in %d levels: %v", trace.Found(), len(trace.Levels), err)
		}
		for v := hops.Vertex(leaves + 1); v <= leaves+3; v++ {
			if tree.Parent(v) != v-1 {
				t.Errorf("parent of %d is %d", v, tree.Parent(v))
			}
		}
		var listed []uint32
		for w := range s.m.workers {
			listed = append(listed, s.m.workers[w].unvisited...)
		}
		if !s.m.hasUnvisited || len(listed) != 4 {
			t.Errorf("left are %v, want the two pairs", listed)
		}
	}
}
