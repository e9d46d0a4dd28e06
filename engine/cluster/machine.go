package cluster

import (
	"context"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/kernel"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/ranks/rank"
	"github.com/gohops/hops/level"
)

// The steps of a cluster: direction and exchange.
var (
	byMessages  = level.Step{Name: "top-down-messages", Direction: level.TopDown}
	byProbe     = level.Step{Name: "bottom-up-probe", Direction: level.BottomUp}
	byAllgather = level.Step{Name: "bottom-up-allgather", Direction: level.BottomUp}
	byList      = level.Step{Name: "bottom-up-list", Direction: level.BottomUp}
)

func (o Options) steps() []level.Step {
	switch o.Exchange {
	case "messages":
		return []level.Step{byMessages}
	case "probe":
		return []level.Step{byMessages, byProbe}
	case "allgather":
		return []level.Step{byMessages, byAllgather}
	}
	return []level.Step{byMessages, byAllgather, byProbe, byList}
}

// A machine is the state of a search on one rank.
type machine[L label] struct {
	*distributed.Member
	workers  []worker[L]
	heavy    heavy[L]
	long     long[L]
	frontier frontier
	delivery delivery[L]
	lookup   lookup[L] // nil where the frontier is not gathered
	steps    []level.Step
	kernels  kernel.Kernels

	ctx        context.Context
	state      level.Front
	total      struct{ reachable, entries int64 } // vertices with an edge into them, and row entries
	sums       []uint64                           // what is added up over all ranks after a level
	clock      clock
	before     rank.Work       // of the levels before
	direction  level.Direction // of the level under way
	claims     bool            // the forward edges of this level are claims
	hasLeft    bool            // the workers have listed the vertices that are left
	gatherings uint32          // gathered levels of all searches, the same on all ranks
	failure    atomic.Pointer[error]

	// The phases as values, made once: a method value allocates.
	phases struct{ seed, queue, front, markLong, topDown, bottomUp, left, book func(int) }
}

func newMachine[L label](member *distributed.Member, workers []worker[L], h heavy[L], l long[L], o Options) (m *machine[L], err error) {
	m = &machine[L]{Member: member, workers: workers, heavy: h, long: l, kernels: kernel.Best()}
	if o.reference || member.Modelled { // what vector kernels examine depends on the processor
		m.kernels = kernel.Kernels{}
	}
	p := &m.phases
	p.seed, p.queue, p.front = m.seedWorker, m.queueWorker, m.frontWorker
	p.topDown, p.bottomUp, p.left = m.topDownWorker, m.bottomUpWorker, m.leftWorker
	p.book, p.markLong = m.bookWorker, m.markLongWorker
	m.Clock.Watch(m.done)
	for t := range workers {
		workers[t].taken = new(claims)
	}
	for _, v := range []struct {
		at   *[]uint64
		size int
	}{
		{&m.sums, sumCount},
		{&m.heavy.found, len(h.visited)},
		{&m.heavy.parents, len(h.labels)},
	} {
		if *v.at, err = arena.Make[uint64](&m.Memory, v.size); err != nil {
			return nil, err
		}
	}
	if err = m.addTotals(); err != nil {
		return nil, err
	}
	if m.delivery, err = newDelivery(m, o); err != nil {
		return nil, err
	}
	if m.steps, err = m.affordable(o); err == nil {
		err = m.newFrontier(o)
	}
	if err == nil && m.frontier.gatherer != nil {
		m.lookup, err = newLookup(m, o)
	}
	if err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// addTotals counts the vertices and the entries of all ranks.
func (m *machine[L]) addTotals() error {
	totals := m.sums[:2]
	for t := range m.workers {
		w := &m.workers[t]
		totals[0] += uint64(64*w.words() - w.closed.Count())
		totals[1] += uint64(len(w.out.neighbors))
	}
	if err := rank.Reduced(m.Comm, rank.Sum, totals); err != nil {
		return err
	}
	m.total.reachable = int64(totals[0]) + int64(len(m.heavy.labels)) - m.heavy.closed.Count()
	m.total.entries = int64(totals[1])
	for _, d := range m.heavy.degrees {
		m.total.entries += d
	}
	return nil
}

// Start implements distributed.Machine.
func (m *machine[L]) Start(ctx context.Context, t *hops.Tree) {
	m.ctx = ctx
	for i := range m.workers {
		w := &m.workers[i]
		w.parents = parentsIn[L](t, hops.Vertex(w.first)-t.First, w.count)
	}
	if m.lookup != nil {
		m.lookup.start(t)
	}
}

// TreeMemory implements distributed.TreePlacer.
func (m *machine[L]) TreeMemory(count hops.Vertex) []uint32 {
	if m.lookup == nil {
		return nil
	}
	return m.lookup.tree(count)
}

// Close implements distributed.Machine.
func (m *machine[L]) Close() { m.delivery.close() }

// Steps implements level.Machine.
func (m *machine[L]) Steps() []level.Step { return m.steps }

// Seed clears the state of the last search, which is part of the clock.
func (m *machine[L]) Seed(root hops.Vertex) (level.Front, error) {
	m.Team.Run(m.phases.seed)
	copy(m.heavy.visited, m.heavy.closed)
	m.heavy.front.Clear()
	m.frontier.listed()
	m.hasLeft = false
	m.state = level.Front{}
	label, sums := L(root), m.sums[:3] // edges of the root, whether it is reachable, ranks to stop
	clear(sums)
	i, isHeavy := m.heavy.number(label)
	if isHeavy {
		m.heavy.visited.Add(uint64(i))
		m.heavy.front.Add(uint64(i))
	}
	m.heavy.count()
	if o := m.Parts.Owner(uint64(root)); o/m.Parts.Threads == m.Comm.Rank() {
		w := &m.workers[o%m.Parts.Threads]
		v := uint32(uint64(root) - w.first)
		w.parents.set(v, label)
		if isHeavy {
			w.heavy.parents[i] = label
			sums[0] = uint64(m.heavy.degrees[i])
			if !m.heavy.closed.Has(uint64(i)) {
				sums[1] = 1
			}
		} else {
			w.visited.Add(uint64(v))
			w.queue = append(w.queue, v)
			sums[0], sums[1] = uint64(w.out.degree(v)), uint64(min(w.in.degree(v), 1))
		}
	}
	if m.ctx.Err() != nil {
		sums[2] = 1
	}
	if err := rank.Reduced(m.Comm, rank.Sum, sums); err != nil {
		return m.state, err
	}
	if err := m.stopped(sums[2]); err != nil {
		return m.state, err
	}
	m.clock.traffic = m.Comm.Traffic()
	edges := int64(sums[0])
	m.state = level.Front{
		Size: int64(m.N), Vertices: 1, Edges: edges,
		Unvisited: m.total.reachable - int64(sums[1]), Remaining: m.total.entries - edges,
	}
	m.estimate(&m.state)
	return m.state, nil
}

// stopped is the error of a search that some ranks were told to stop.
func (m *machine[L]) stopped(ranks uint64) error {
	if ranks == 0 {
		return nil
	}
	return distributed.Agreed(m.Stopped(m.ctx, 1))
}

func (m *machine[L]) seedWorker(t int) {
	w := &m.workers[t]
	copy(w.visited, w.closed)
	w.swept()
	w.queue, w.found = w.queue[:0], w.found[:0]
	w.heavy.found.Clear()
	for i := range w.heavy.parents {
		w.heavy.parents[i] = ^L(0)
	}
}

// fail keeps the first error of any worker as the error of the level.
func (m *machine[L]) fail(err error) { m.failure.CompareAndSwap(nil, &err) }

func (m *machine[L]) failed() bool { return m.failure.Load() != nil }
