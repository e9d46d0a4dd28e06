package distributed

import (
	"runtime"

	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/internal/base/placement"
	"github.com/gohops/hops/internal/base/topo"
	"github.com/gohops/hops/internal/ranks/rank"
)

// place binds the threads of this rank to NUMA nodes, and has its memory made there, as
// the engine's options say. Ranks whose launcher has bound them, each to other CPUs, divide
// their own nodes only.
func (m *Member) place(e Engine, threads int) error {
	if m.Modelled {
		m.Team = par.NewInterlocked(threads, nil)
		return nil
	}
	nodes := e.Nodes
	if nodes == nil {
		nodes = topo.HerePlaces()
	}
	here, ranks := m.Hosts.Local, m.Hosts.Mine.Size()
	if m.InProcess {
		here, ranks = m.Comm.Rank(), m.Comm.Size()
	}
	all, alike, err := m.hostCPUs(nodes)
	if err != nil {
		return err
	}
	own := threads
	if m.InProcess {
		own *= ranks
	}
	m.OwnCores = ranks*threads <= all && own <= runtime.GOMAXPROCS(0)
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
	newTeam := par.NewInterlocked
	if at.CPUs == nil && !m.InProcess {
		at.CPUs = placement.OneEach(how, nodes, here, ranks, threads)
		newTeam = par.NewBound
		if alike && threads == 1 && at.CPUs != nil && !rank.InOneProcess(m.Hosts.Mine) {
			m.confine(at.CPUs[0])
		}
	}
	m.stays = !m.InProcess && (at.CPUs != nil || runtime.GOMAXPROCS(0) > threads)
	if at.CPUs == nil {
		m.Team = par.NewInterlocked(threads, nil)
		return nil
	}
	m.Team = newTeam(threads, func(t int) { _ = topo.Pin(at.CPUs[t]) })
	m.caller, err = topo.NewVisitor(at.CPUs[0])
	return err
}

// confine binds all threads of this process to the CPU of the only one that searches, as
// launchers do that bind processes. Otherwise what Go does beside a search, as looking for
// idle work, now and then takes the core of another rank, for which all wait: sixteen ranks
// of one thread searched at 23 GTEPS with only their threads bound, and at 32 to 35 confined
// (scale 22). Where the system forbids it, the threads stay where they are.
func (m *Member) confine(cpus topo.CPUs) {
	if release, err := topo.Confine(cpus); err == nil {
		m.release = release
	}
}

// hostCPUs counts the CPUs that the ranks of this host may use, together, and tells
// whether each may use all of them.
func (m *Member) hostCPUs(nodes []topo.Node) (count int, alike bool, err error) {
	const most = 1 << 12 // CPUs of a host
	sets := bitset.New(2 * most)
	may, mayNot := sets[:len(sets)/2], sets[len(sets)/2:]
	for _, n := range nodes {
		for _, cpu := range n.CPUs {
			may.Add(uint64(cpu % most))
		}
	}
	for i := range may {
		mayNot[i] = ^may[i]
	}
	err = rank.Reduced(m.Hosts.Mine, rank.Or, sets)
	return int(may.Count()), may.Count()+mayNot.Count() == most, err
}

// enter binds the calling goroutine, which is thread 0 of the rank, if its threads are
// bound. The function that it returns undoes that.
func (m *Member) enter() (leave func()) {
	if m.caller != nil && m.caller.Enter() {
		return m.caller.Leave
	}
	return func() {}
}
