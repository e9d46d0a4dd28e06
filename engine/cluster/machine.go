package cluster

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/kernel"
	"github.com/gohops/hops/internal/rank"
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

// A machine is the state of a search on one rank. Between two levels the frontier
// is in the queues of the workers, in the worker's own words of the bitmap in, or
// in both, as the flags say. Heavy vertices are in neither, but in heavy.front.
type machine struct {
	*Rank
	ctx     context.Context
	opts    Options
	list    []level.Step
	kernels kernel.Kernels

	in, out  bitset.Set // frontier of the whole graph, and the next one
	gatherer gatherer
	hasQueue bool
	hasFront bool // in the own words of in
	gathered bool // in all words of in, heavy vertices included
	hasLeft  bool // the workers have listed the vertices that are left

	answering bool // forward messages are claims
	state     level.Front
	total     struct{ connected, entries int64 }

	sums      []uint64 // what is added up over all ranks after a level
	orHeavy   []uint64
	maxHeavy  []uint64
	sentSums  []uint64            // packets of each kind for each worker, and vertices still open
	expected  [kinds]atomic.Bool  // sentSums are those of all ranks
	posting   [kinds]atomic.Int32 // threads that may still post
	pass      int                 // of a level by probes
	taking    kind                // of what has come in bulk
	bulk      *exchanger          // where packets are not sent as they fill
	failure   atomic.Pointer[error]
	traffic   rank.Traffic
	gathering time.Duration // in this level
	wired     bool          // parts of the frontier were sent
	quickest  []uint64      // the less, the longer a rank took for that
	switching time.Duration
	mirrors   []bitset.Set // words of in that belong to each worker
	nextWords []bitset.Set // and of out

	summary      bitset.Set
	summaryShift uint

	// The phases as values, made once: a method value allocates.
	phases struct{ seed, queue, front, topDown, bottomUp, left, open, probe, answer, take, book func(int) }
}

func newMachine(r *Rank, opts Options) (m *machine, err error) {
	m = &machine{Rank: r, opts: opts, list: opts.steps(), kernels: bestKernels()}
	p := &m.phases
	p.seed, p.queue, p.front = m.seedWorker, m.queueWorker, m.frontWorker
	p.topDown, p.bottomUp, p.left = m.topDownWorker, m.bottomUpWorker, m.leftWorker
	p.open, p.probe, p.answer = m.openWorker, m.probeWorker, m.answerWorker
	p.take, p.book = m.takeWorker, m.bookWorker
	if opts.Sync == "bulk" {
		m.bulk = newExchanger(r)
	}
	for _, v := range []struct {
		at   *[]uint64
		size int
	}{
		{&m.sums, sumCount},
		{&m.quickest, 1},
		{&m.orHeavy, len(r.heavy.visited)},
		{&m.maxHeavy, len(r.heavy.labels)},
		{&m.sentSums, int(kinds)*r.parts.workers() + 1},
	} {
		if *v.at, err = arena.Make[uint64](&r.mem, v.size); err != nil {
			return m, err
		}
	}
	if err := m.newGatherer(); err != nil {
		return m, err
	}
	if err := m.newSummary(); err != nil {
		return m, err
	}
	totals := m.sums[:2]
	totals[0], totals[1] = uint64(r.connected), uint64(r.entryCount)
	if err := rank.Reduced(r.comm, rank.Sum, totals); err != nil {
		return m, err
	}
	m.total.connected = int64(totals[0]) + int64(len(r.heavy.labels))
	m.total.entries = int64(totals[1])
	for _, d := range r.heavy.degrees {
		m.total.entries += d
	}
	return m, nil
}

// bestKernels are the kernels of all machines; a test sets it to the reference.
var bestKernels = kernel.Best

func (m *machine) start(ctx context.Context, t *hops.Tree) {
	m.ctx = ctx
	for i := range m.workers {
		w := &m.workers[i]
		w.parents = t.Narrow[hops.Vertex(w.first)-t.First:][:w.count]
	}
}

func (m *machine) close() {}

func (m *machine) Steps() []level.Step { return m.list }

// Seed clears the state of the last search, which is part of the clock.
func (m *machine) Seed(root hops.Vertex) (level.Front, error) {
	m.team.Run(m.phases.seed)
	m.heavy.visited.Clear()
	m.heavy.front.Clear()
	m.hasQueue, m.hasFront, m.gathered, m.hasLeft = true, false, false, false
	m.state = level.Front{}
	v, sums := uint32(root), m.sums[:2]
	clear(sums)
	i, isHeavy := m.heavy.index(v)
	if isHeavy {
		m.heavy.visited.Add(uint64(i))
		m.heavy.front.Add(uint64(i))
	}
	m.heavy.count()
	if o := m.parts.owner(v); o/m.parts.threads == m.comm.Rank() {
		w := &m.workers[o%m.parts.threads]
		w.parents[v-w.first] = v
		if isHeavy {
			w.heavy.parents[i] = v
		} else {
			w.visited.Add(uint64(v - w.first))
			w.queue = append(w.queue, v-w.first)
			sums[0] = uint64(w.degree(v - w.first))
		}
	}
	if m.ctx.Err() != nil {
		sums[1] = 1
	}
	if err := rank.Reduced(m.comm, rank.Sum, sums); err != nil {
		return m.state, err
	}
	if err := m.stopped(sums[1]); err != nil {
		return m.state, err
	}
	m.traffic = m.comm.Traffic()
	m.state = level.Front{
		Size: int64(m.n), Vertices: 1, Edges: int64(sums[0]),
		Unvisited: m.total.connected, Remaining: m.total.entries,
	}
	if isHeavy {
		m.state.Edges = m.heavy.degrees[i]
	}
	m.state.Remaining -= m.state.Edges
	if m.state.Edges > 0 {
		m.state.Unvisited--
	}
	m.estimate(&m.state)
	return m.state, nil
}

// stopped is the error of a search that some ranks were told to stop.
func (m *machine) stopped(ranks uint64) error {
	if ranks == 0 {
		return nil
	}
	return agreed(stopped(m.ctx, 1))
}

func (m *machine) seedWorker(t int) {
	w := &m.workers[t]
	copy(w.visited, w.closed)
	w.queue, w.found = w.queue[:0], w.found[:0]
	w.heavy.found.Clear()
	for i := range w.heavy.parents {
		w.heavy.parents[i] = ^uint32(0)
	}
}

// fail makes the first error of any worker that of the level.
func (m *machine) fail(err error) { m.failure.CompareAndSwap(nil, &err) }

func (m *machine) failed() bool { return m.failure.Load() != nil }
