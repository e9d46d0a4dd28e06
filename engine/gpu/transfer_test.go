package gpu

import (
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/level"
)

// What a device is told of a search that was run elsewhere it gives back: the frontier, which is
// the end of the list, and all that was visited.
func TestListsAreTaken(t *testing.T) {
	src := edge.List([]hops.Edge{{U: 6, V: 1}, {U: 6, V: 2}, {U: 6, V: 3}, {U: 3, V: 4}, {U: 1, V: 5}, {U: 5, V: 0}}, 7)
	found, parents := []uint32{1, 2, 3, 5, 4}, []uint32{6, 6, 6, 1, 3}
	eachDriver(t, func(t *testing.T, driver string) {
		p, err := BuildPortable(t.Context(), src, Options{Driver: driver}, true)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		for _, c := range []struct{ found, front int }{{3, 3}, {5, 2}, {5, 1}} {
			// The queue and the tree hold what a search before left there.
			stale := []uint32{6, 6, 6, 6, 6}
			if err := p.dev.write(p.queue[0], 0, bytesOf(stale)); err != nil {
				t.Fatal(err)
			}
			if err := p.Bind(hops.NewTree(7)); err != nil {
				t.Fatal(err)
			}
			h := &level.State{
				Root: 6, Found: found[:c.found], Parents: parents[:c.found],
				Front: level.Front{Vertices: int64(c.front), Edges: 6, Unvisited: int64(6 - c.found)},
			}
			if err := p.Take(h, level.Step{Name: portableTopDown}); err != nil {
				t.Fatal(err)
			}
			checkTaken(t, p, h)
		}
	})
}

func checkTaken(t *testing.T, p *Portable, h *level.State) {
	t.Helper()
	given, err := p.Give(level.Step{})
	if err != nil {
		t.Fatal(err)
	}
	if want := h.Found[len(h.Found)-int(h.Front.Vertices):]; !slices.Equal(given.Queue, want) {
		t.Errorf("the frontier is %v, want %v", given.Queue, want)
	}
	visited := uint64(1) << h.Root
	for _, v := range h.Found {
		visited |= 1 << v
	}
	if got := given.Visited[0] & (1<<7 - 1); got != visited {
		t.Errorf("visited are %07b, want %07b", got, visited)
	}
	tree := make([]uint32, 7)
	if err := p.dev.read(bytesOf(tree), p.parent, 0); err != nil {
		t.Fatal(err)
	}
	for i, v := range h.Found {
		if tree[v] != h.Parents[i] {
			t.Errorf("the parent of %d is %d, want %d", v, tree[v], h.Parents[i])
		}
	}
}
