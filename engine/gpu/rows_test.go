package gpu

import (
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

// The rows of two hubs, which are too long to be sorted, hold every neighbour once,
// however many edges lead there, and begin with the neighbour of the highest degree.
func TestLargeRowsAreUnique(t *testing.T) { eachDriver(t, largeRowsAreUnique) }

func largeRowsAreUnique(t *testing.T, driver string) {
	const leaves = sortedRow + 100
	var edges []hops.Edge
	for i := range hops.Vertex(3 * leaves) {
		edges = append(edges, hops.Edge{U: 0, V: 2 + i%leaves}, hops.Edge{U: 2 + i*i%leaves, V: 1})
	}
	edges = append(edges, hops.Edge{U: 0, V: 1}, hops.Edge{U: 1, V: 0})
	want := [2][]uint32{}
	for _, e := range edges {
		want[min(e.U, e.V)] = append(want[min(e.U, e.V)], uint32(max(e.U, e.V)))
	}
	want[1] = append(want[1], 0)
	s, err := Build(t.Context(), edge.List(edges, leaves+2), Options{Driver: driver})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for hub := range want {
		slices.Sort(want[hub])
		once, got := slices.Compact(want[hub]), readRow(t, s.graph, hub)
		if got[0] != uint32(1-hub) {
			t.Errorf("the row of hub %d begins with %d", hub, got[0])
		}
		if slices.Sort(got); !slices.Equal(got, once) {
			t.Errorf("the row of hub %d has %d entries, want %d", hub, len(got), len(once))
		}
	}
}

// readRow reads a row of the first group, from a graph whose rows are in one buffer.
func readRow(t *testing.T, g *graph, row int) []uint32 {
	t.Helper()
	place, base := make([]uint32, 2), make([]uint64, 1)
	if err := g.dev.read(bytesOf(place), g.place, 8*int64(row)); err != nil {
		t.Fatal(err)
	}
	if err := g.dev.read(bytesOf(base), g.base, 0); err != nil {
		t.Fatal(err)
	}
	entries := make([]uint32, place[1])
	if err := g.dev.read(bytesOf(entries), g.parts[0], 4*int64(base[0]+uint64(place[0]))); err != nil {
		t.Fatal(err)
	}
	return entries
}
