package cpu

import (
	"context"
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/testing/checktest"
)

// agrees compares a search with a serial one.
func agrees(t *testing.T, n hops.Vertex, edges []hops.Edge, root hops.Vertex, o Options) {
	t.Helper()
	s, err := Build(context.Background(), edge.List(edges, n), o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tree := hops.NewTree(n)
	if _, err := s.Search(context.Background(), root, tree); err != nil {
		t.Fatal(err)
	}
	want := checktest.Search(checktest.Neighbours(n, edges), root).Levels(nil)
	if got := tree.Levels(nil); !slices.Equal(got, want) {
		for v := range want {
			if got[v] != want[v] {
				t.Fatalf("%+v: vertex %d is at level %d, want %d", o, v, got[v], want[v])
			}
		}
	}
}

// A long row leads to the first and to the last vertex of every worker.
func TestLongRowsReachAllVertices(t *testing.T) {
	const n = 20_000 // entries, more than one worker reads alone
	var star []hops.Edge
	for v := hops.Vertex(1); v < n; v++ {
		star = append(star, hops.Edge{U: 0, V: v})
	}
	for _, threads := range []int{2, 5, fewWorkers + 1} {
		agrees(t, n, star, 0, Options{Direction: "top-down", Threads: threads})
	}
}

// Rows that are just long, and just not, lead to all of their vertices.
func TestRowsAboutAsLongAsLongOnes(t *testing.T) {
	var edges []hops.Edge
	n := hops.Vertex(1)
	for i := range 12 {
		hub := n
		edges = append(edges, hops.Edge{U: 0, V: hub})
		for range longRow - 2 + i%3 { // entries beside that of the root
			n++
			edges = append(edges, hops.Edge{U: hub, V: n})
		}
		n++
	}
	for _, threads := range []int{2, fewWorkers + 1} {
		agrees(t, n, edges, 0, Options{Direction: "top-down", Threads: threads})
	}
}

// A vertex with more hubs for neighbours than a byte counts finds the last of them.
func TestVerticesWithManyHubs(t *testing.T) {
	const hubs, leaves, v = 400, 10, 400 * 11
	var edges []hops.Edge
	for h := range hops.Vertex(hubs) {
		edges = append(edges, hops.Edge{U: h, V: v})
		for i := range hops.Vertex(leaves) {
			edges = append(edges, hops.Edge{U: h, V: hubs + h*leaves + i})
		}
	}
	for _, h := range []hops.Vertex{0, 100, 270, 399} {
		agrees(t, v+1, edges, hubs+h*leaves, Options{Direction: "split", Threads: 2})
	}
}

// A bin takes as many pairs as it has room for, and no more.
func TestBinsHaveRoom(t *testing.T) {
	var mem arena.Arena
	defer mem.Close()
	b, err := newBins(&mem, 3)
	if err != nil {
		t.Fatal(err)
	}
	size := int(b.size)
	for _, filled := range []int{0, 1, size - 1, size} {
		b.length[1], b.fullest = uint32(filled), int64(filled)
		for n, want := range map[int]bool{size - filled: true, size - filled + 1: false} {
			if got := b.room(n); got != want {
				t.Errorf("%d of %d pairs, %d more: room %v", filled, size, n, got)
			}
		}
	}
}
