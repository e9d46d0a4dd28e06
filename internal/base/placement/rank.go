package placement

import "github.com/gohops/hops/internal/base/topo"

// The ways to place ranks, and Known, which checks one: "" binds them where every
// thread has a CPU.
const (
	Bind       = "bind"
	Interleave = "interleave"
	None       = "none"
)

// Known are the ways to place ranks.
var Known = []string{"", Bind, Interleave, None}

// A RankPlace is where one rank of a host runs and has its memory.
type RankPlace struct {
	CPUs  []topo.CPUs // that each thread may run on; nil: any
	Nodes []int       // of the memory, interleaved over several; nil: where it is touched first
}

// ForRank places a rank of some on a host, each with that many threads, in one of the
// ways. Ranks are bound to nodes in their order, several of them to a node, or several
// nodes to a rank, whose threads are then divided among these. On a host of one node
// there is nothing to place.
func ForRank(how string, nodes []topo.Node, rank, ranks, threads int) (p RankPlace) {
	if len(nodes) < 2 || how == None {
		return p
	}
	if how == Interleave {
		for _, n := range nodes {
			p.Nodes = append(p.Nodes, n.ID)
		}
		return p
	}
	first := rank * len(nodes) / ranks
	last := max(first+1, (rank+1)*len(nodes)/ranks)
	own := nodes[first:last]
	own = own[:min(len(own), threads)]
	for _, n := range own {
		p.Nodes = append(p.Nodes, n.ID)
	}
	for t := range threads {
		p.CPUs = append(p.CPUs, own[t*len(own)/threads].CPUs)
	}
	return p
}

// OneEach gives every thread of a rank a CPU of its own, on a host of one node whose CPUs are
// as many as the threads of all its ranks. Left to the system, two threads now and then share
// a core while another is idle, and all ranks wait for both: sixteen ranks of one thread
// searched at half the speed. A rank of sixteen threads, alone on its host, searched at 38, 32, 44,
// 30, 37 and 36 GTEPS where they were bound, and at 34, 31, 33, 26, 28 and 28 where they were not
// (scale 22, in turn on two machines).
func OneEach(how string, nodes []topo.Node, rank, ranks, threads int) (cpus []topo.CPUs) {
	all := nodes[0].CPUs
	if len(nodes) > 1 || ranks*threads != len(all) || how != "" && how != Bind {
		return nil
	}
	for t := range threads {
		cpus = append(cpus, all[rank*threads+t:][:1])
	}
	return cpus
}
