package topo_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gohops/hops/internal/base/placement"
	"github.com/gohops/hops/internal/base/topo"
)

// fixture describes the host of a fixture.
func fixture(t *testing.T, name string) topo.Facts {
	t.Helper()
	f, err := topo.Host(topo.Machine(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// places are the nodes of a fixture with CPUs and memory, for a process that is not bound.
func places(t *testing.T, name string) []topo.Node {
	t.Helper()
	return slices.DeleteFunc(fixture(t, name).Nodes, func(n topo.Node) bool { return len(n.CPUs) == 0 || n.Memory == 0 })
}

// A process that its launcher has bound to a socket is left there.
func TestBoundByLauncher(t *testing.T) {
	nodes := fixture(t, "twosocket").Places()
	if p := placement.ForRank(placement.Bind, nodes, 1, 2, 4); p.CPUs != nil || p.Nodes != nil {
		t.Errorf("placed %+v", p)
	}
}

// On hosts of two, four and eight sockets ranks that are bound share out the nodes in
// their order, and their threads run next to their memory.
func TestRanksOnSockets(t *testing.T) {
	for _, name := range []string{"twosocket", "foursocket", "eightsocket"} {
		nodes := places(t, name)
		if len(nodes) < 2 {
			t.Fatalf("%s has %d nodes", name, len(nodes))
		}
		for _, ranks := range []int{1, 2, 3, len(nodes), 2 * len(nodes)} {
			t.Run(fmt.Sprint(name, ranks), func(t *testing.T) { checkRanks(t, nodes, ranks) })
		}
	}
}

func checkRanks(t *testing.T, nodes []topo.Node, ranks int) {
	const threads = 16
	used := map[int]int{} // ranks on each node
	last := -1
	for r := range ranks {
		p := placement.ForRank(placement.Bind, nodes, r, ranks, threads)
		if len(p.CPUs) != threads || len(p.Nodes) == 0 {
			t.Fatalf("rank %d: %+v", r, p)
		}
		for _, id := range p.Nodes {
			used[id]++
			if id < last {
				t.Errorf("rank %d has node %d, one before it %d", r, id, last)
			}
			last = id
		}
		for thread, cpus := range p.CPUs {
			at := slices.IndexFunc(nodes, func(n topo.Node) bool { return slices.Equal(n.CPUs, cpus) })
			if at < 0 || !slices.Contains(p.Nodes, nodes[at].ID) {
				t.Errorf("rank %d, thread %d runs on CPUs %v, its memory is on nodes %v", r, thread, cpus, p.Nodes)
			}
		}
	}
	for _, n := range nodes {
		if got := used[n.ID]; got == 0 || ranks <= len(nodes) && got > 1 || got > (ranks+len(nodes)-1)/len(nodes) {
			t.Errorf("%d of %d ranks on node %d", got, ranks, n.ID)
		}
	}
}

// Interleaved memory is on all nodes that the process may use, and ranks on one node, or
// left alone, are not placed.
func TestRanksNotBound(t *testing.T) {
	for _, name := range []string{"twosocket", "foursocket", "eightsocket"} {
		nodes := places(t, name)
		p := placement.ForRank(placement.Interleave, nodes, 1, 2, 4)
		if p.CPUs != nil || len(p.Nodes) != len(nodes) {
			t.Errorf("%s: interleaved %+v", name, p)
		}
		if p := placement.ForRank(placement.None, nodes, 1, 2, 4); p.CPUs != nil || p.Nodes != nil {
			t.Errorf("%s: left alone %+v", name, p)
		}
		if p := placement.ForRank(placement.Bind, nodes[:1], 0, 2, 4); p.CPUs != nil || p.Nodes != nil {
			t.Errorf("%s: one node %+v", name, p)
		}
	}
}
