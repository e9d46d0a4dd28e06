package cpu

import (
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/par"
	"github.com/gohops/hops/level"
)

var steps = []level.Step{
	{Name: "top-down", Direction: level.TopDown},
	{Name: "bottom-up", Direction: level.BottomUp},
}

// serialBelow is the number of row entries below which waking the other workers
// costs more than they bring.
const serialBelow = 4096

// A machine is the state of one search. Between two levels the frontier is in
// queue, in front, or in both, as the two flags say.
type machine struct {
	graph   *csr.Graph
	team    *par.Team
	parents []uint32

	visited bitset.Set
	front   bitset.Set // frontier as a bitmap, if hasFront
	next    bitset.Set
	queue   []uint32 // frontier as a list, if hasQueue
	spare   []uint32

	hasQueue, hasFront bool
	state              level.Front

	cursor  atomic.Int64 // work handed out in the running phase
	tail    atomic.Int64 // end of the queue being written
	workers []worker
	mem     arena.Arena
}

// A worker is what one thread counts and collects by itself.
type worker struct {
	found    int64 // vertices
	edges    int64 // their row entries
	examined int64
	batch    [batchSize]uint32
	_        [64]byte
}

func newMachine(g *csr.Graph, team *par.Team) (m *machine, err error) {
	m = &machine{graph: g, team: team, workers: make([]worker, team.Size())}
	n := g.NumVertices()
	for _, set := range []*bitset.Set{&m.visited, &m.front, &m.next} {
		if *set, err = arena.Make[uint64](&m.mem, bitset.Words(int64(n))); err != nil {
			return m, err
		}
	}
	for _, q := range []*[]uint32{&m.queue, &m.spare} {
		if *q, err = arena.Make[uint32](&m.mem, n); err != nil {
			return m, err
		}
	}
	return m, nil
}

func (m *machine) Steps() []level.Step { return steps }

// Seed clears the state of the last search, which is part of the clock.
func (m *machine) Seed(root hops.Vertex) (level.Front, error) {
	v := uint32(root)
	copy(m.visited, m.graph.Isolated)
	m.visited.Add(uint64(v))
	m.parents[v] = v
	m.queue = append(m.queue[:0], v)
	m.hasQueue, m.hasFront = true, false
	m.state = level.Front{
		Vertices:  1,
		Edges:     m.graph.Degree(v),
		Unvisited: m.graph.NumConnected(),
		Remaining: m.graph.NumEntries(),
	}
	m.state.Remaining -= m.state.Edges
	if m.state.Edges > 0 {
		m.state.Unvisited--
	}
	return m.state, nil
}

func (m *machine) Run(s level.Step) (level.Front, error) {
	for w := range m.workers {
		m.workers[w].found, m.workers[w].edges, m.workers[w].examined = 0, 0, 0
	}
	if s.Direction == level.BottomUp {
		m.bottomUp()
	} else {
		m.topDown()
	}
	f := level.Front{Unvisited: m.state.Unvisited, Remaining: m.state.Remaining}
	for w := range m.workers {
		f.Vertices += m.workers[w].found
		f.Edges += m.workers[w].edges
		f.Examined += m.workers[w].examined
	}
	f.Unvisited -= f.Vertices
	f.Remaining -= f.Edges
	m.state = f
	return f, nil
}

// parallel runs f on the team, or on the calling worker alone if there is too
// little to do.
func (m *machine) parallel(work int64, f func(worker int)) {
	m.cursor.Store(0)
	if work < serialBelow {
		f(0)
		return
	}
	m.team.Run(f)
}
