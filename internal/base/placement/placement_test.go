package placement

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gohops/hops/internal/base/topo"
)

// sockets is a host of n nodes, numbered with gaps, of four CPUs each.
func sockets(n int) []topo.Node {
	nodes := make([]topo.Node, n)
	for i := range nodes {
		nodes[i] = topo.Node{ID: 2 * i, CPUs: topo.CPUs{4 * i, 4*i + 1, 4*i + 2, 4*i + 3}, Memory: 1 << 30}
	}
	return nodes
}

// On every host, parts are ranges of workers of nearly equal size, a part shares a
// node with another part only if there are more parts than nodes, and every node is used.
func TestDivide(t *testing.T) {
	for _, n := range []int{1, 2, 4, 8} {
		for _, parts := range []int{0, 1, 2, 3, 4, 8, 16} {
			for _, threads := range []int{1, 2, 3, 4 * n, 64} {
				t.Run(fmt.Sprint(n, parts, threads), func(t *testing.T) { checkDivide(t, n, parts, threads) })
			}
		}
	}
}

func checkDivide(t *testing.T, nodes, parts, threads int) {
	all := Divide(sockets(nodes), parts, threads)
	if len(all) != threads {
		t.Fatalf("%d places for %d workers", len(all), threads)
	}
	if parts == 0 {
		parts = nodes
	}
	parts = min(parts, threads)
	size := make([]int, parts)
	used := map[int]int{} // part that each node serves first
	for w, s := range all {
		if w > 0 && s.Part < all[w-1].Part {
			t.Fatalf("worker %d is in part %d after %d", w, s.Part, all[w-1].Part)
		}
		size[s.Part]++
		if len(s.CPUs) == 0 || s.CPUs[0]/4*2 != s.Node {
			t.Fatalf("worker %d: CPUs %v, memory on node %d", w, s.CPUs, s.Node)
		}
		for _, cpu := range s.CPUs {
			if part, taken := used[cpu/4]; taken && part != s.Part && parts <= nodes {
				t.Fatalf("parts %d and %d share node %d", part, s.Part, cpu/4)
			}
			used[cpu/4] = s.Part
		}
	}
	if slices.Max(size)-slices.Min(size) > 1 {
		t.Errorf("parts of %v workers", size)
	}
	if len(used) != nodes {
		t.Errorf("%d of %d nodes in use", len(used), nodes)
	}
	if want := parts > 1 && nodes > 1; all.SeveralNodes() != want {
		t.Errorf("SeveralNodes is %t with %d parts on %d nodes", !want, parts, nodes)
	}
}

func TestWorkersStealWithinTheirPartFirst(t *testing.T) {
	all := Divide(sockets(2), 2, 5) // 0 1 2 | 3 4
	for id, want := range map[int][]int{0: {0, 1, 2, 3, 4}, 1: {1, 2, 0, 3, 4}, 4: {4, 3, 0, 1, 2}} {
		if got := all.StealOrder(id); !slices.Equal(got, want) {
			t.Errorf("worker %d steals from %v, want %v", id, got, want)
		}
	}
}

// Threads that together are as many as the CPUs of a host of one node have one each, and no
// two have the same one. Others have none of their own.
func TestOneEach(t *testing.T) {
	host := sockets(1) // of four CPUs
	used := map[int]bool{}
	for _, ranks := range []int{1, 2, 4} {
		clear(used)
		for rank := range ranks {
			for _, cpus := range OneEach("", host, rank, ranks, 4/ranks) {
				if len(cpus) != 1 || used[cpus[0]] {
					t.Errorf("rank %d of %d: CPUs %v, some taken: %v", rank, ranks, cpus, used)
				}
				used[cpus[0]] = true
			}
		}
		if len(used) != 4 {
			t.Errorf("%d ranks: %d of 4 CPUs are used", ranks, len(used))
		}
	}
	for _, x := range []struct {
		how                   string
		nodes, ranks, threads int
	}{{"", 1, 3, 1}, {"", 1, 1, 2}, {"", 1, 2, 4}, {"", 2, 2, 4}, {None, 1, 2, 2}, {Interleave, 1, 2, 2}} {
		if got := OneEach(x.how, sockets(x.nodes), 0, x.ranks, x.threads); got != nil {
			t.Errorf("%+v: CPUs %v", x, got)
		}
	}
}
