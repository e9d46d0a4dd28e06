package cpu

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gohops/hops/engine/enginetest"
	"github.com/gohops/hops/internal/topo"
)

// sockets is a host of n nodes, numbered with gaps, of four CPUs each.
func sockets(n int) []topo.Node {
	places := make([]topo.Node, n)
	for i := range places {
		places[i] = topo.Node{ID: 2 * i, CPUs: topo.CPUs{4 * i, 4*i + 1, 4*i + 2, 4*i + 3}, Memory: 1 << 30}
	}
	return places
}

// Whatever the host: parts are ranges of workers of nearly equal size, each is on
// one node or on nodes of its own, and no node is left out if there are enough parts.
func TestSeats(t *testing.T) {
	for _, n := range []int{1, 2, 4, 8} {
		for _, parts := range []int{0, 1, 2, 3, 4, 8, 16} {
			for _, threads := range []int{1, 2, 3, 4 * n, 64} {
				t.Run(fmt.Sprint(n, parts, threads), func(t *testing.T) { checkSeats(t, n, parts, threads) })
			}
		}
	}
}

func checkSeats(t *testing.T, nodes, parts, threads int) {
	all := seats(sockets(nodes), parts, threads)
	if len(all) != threads {
		t.Fatalf("%d seats for %d workers", len(all), threads)
	}
	if parts == 0 {
		parts = nodes
	}
	parts = min(parts, threads)
	size := make([]int, parts)
	used := map[int]int{} // part that each node serves first
	for w, s := range all {
		if w > 0 && s.part < all[w-1].part {
			t.Fatalf("worker %d is in part %d after %d", w, s.part, all[w-1].part)
		}
		size[s.part]++
		if len(s.cpus) == 0 || s.cpus[0]/4*2 != s.node {
			t.Fatalf("worker %d: CPUs %v, memory on node %d", w, s.cpus, s.node)
		}
		for _, cpu := range s.cpus {
			if part, taken := used[cpu/4]; taken && part != s.part && parts <= nodes {
				t.Fatalf("parts %d and %d share node %d", part, s.part, cpu/4)
			}
			used[cpu/4] = s.part
		}
	}
	if slices.Max(size)-slices.Min(size) > 1 {
		t.Errorf("parts of %v workers", size)
	}
	if len(used) != nodes {
		t.Errorf("%d of %d nodes in use", len(used), nodes)
	}
	if want := parts > 1 && nodes > 1; apart(all) != want {
		t.Errorf("apart is %t with %d parts on %d nodes", !want, parts, nodes)
	}
}

func TestWorkersHelpWithinTheirPartFirst(t *testing.T) {
	all := seats(sockets(2), 2, 5) // 0 1 2 | 3 4
	for id, want := range map[int][]int{0: {0, 1, 2, 3, 4}, 1: {1, 2, 0, 3, 4}, 4: {4, 3, 0, 1, 2}} {
		if got := helpOrder(all, id); !slices.Equal(got, want) {
			t.Errorf("worker %d helps %v, want %v", id, got, want)
		}
	}
}

// A single node can run parts too: only speed could tell them apart.
func TestParts(t *testing.T) {
	if testing.Short() {
		t.Skip("parts differ in where things are, not in what is done")
	}
	for _, parts := range []int{2, 4} {
		t.Run(fmt.Sprint(parts), func(t *testing.T) {
			e := engine(Options{Parts: parts, Threads: 4}, "top-down", "bottom-up")
			e.MaxPath, e.MaxScale = 1000, 12
			enginetest.Run(t, e)
		})
	}
}
