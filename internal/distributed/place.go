package distributed

import (
	"hash/fnv"
	"slices"

	"github.com/gohops/hops/internal/par"
	"github.com/gohops/hops/internal/placement"
	"github.com/gohops/hops/internal/rank"
	"github.com/gohops/hops/internal/topo"
)

// place binds the threads of this rank to NUMA nodes, and has its memory made there, as
// the engine's options say. Ranks whose launcher has bound them, each to other CPUs, divide
// their own nodes only.
func (m *Member) place(e Engine, threads int) error {
	if m.Modelled {
		m.Team = par.NewTeam(threads, nil)
		return nil
	}
	nodes := e.Nodes
	if nodes == nil {
		nodes = topo.Here().Places()
	}
	here, ranks := m.Hosts.Local, m.Hosts.Mine.Size()
	if m.InProcess {
		here, ranks = m.Comm.Rank(), m.Comm.Size()
	}
	alike, err := m.sameCPUs(nodes)
	if err != nil {
		return err
	}
	if !alike {
		here, ranks = 0, 1
	}
	how, cpus := e.Place, 0
	for _, n := range nodes {
		cpus += len(n.CPUs)
	}
	if how == "" && ranks*threads > cpus {
		how = placement.None
	}
	at := placement.ForRank(how, nodes, here, ranks, threads)
	m.Memory.PlaceOn(at.Nodes...)
	if how == placement.Interleave {
		m.interleaved = at.Nodes
	}
	if at.CPUs == nil {
		m.Team = par.NewTeam(threads, nil)
		return nil
	}
	m.Team = par.NewTeam(threads, func(t int) { _ = topo.Pin(at.CPUs[t]) })
	m.caller, err = topo.NewVisitor(at.CPUs[0])
	return err
}

// sameCPUs tells whether all ranks of this host may use the same CPUs.
func (m *Member) sameCPUs(nodes []topo.Node) (bool, error) {
	h := fnv.New64a()
	for _, n := range nodes {
		cpus := topo.CPUs(slices.Sorted(slices.Values(n.CPUs)))
		_, _ = h.Write([]byte(cpus.String() + ";"))
	}
	extremes := []uint64{h.Sum64(), ^h.Sum64()}
	err := rank.Reduced(m.Hosts.Mine, rank.Max, extremes)
	return extremes[0] == ^extremes[1], err
}

// enter binds the calling goroutine, which is thread 0 of the rank, if its threads are
// bound. The function that it returns undoes that.
func (m *Member) enter() (leave func()) {
	if m.caller != nil && m.caller.Enter() {
		return m.caller.Leave
	}
	return func() {}
}
