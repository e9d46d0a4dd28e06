package many

import (
	"fmt"
	"math/bits"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/kernel"
	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/level"
)

// The names of the steps.
const (
	stepTopDown  = "top-down"
	stepBottomUp = "bottom-up"
	stepSplit    = "split"
)

var steps = []level.Step{
	{Name: stepTopDown, Direction: level.TopDown},
	{Name: stepBottomUp, Direction: level.BottomUp},
	{Name: stepSplit, Direction: level.Split},
}

const (
	// blockSize is how many vertices a worker takes at a time: 32 KiB of words.
	blockSize = 4096
	// maxListed is how many vertices of a frontier each worker lists at most. A
	// larger frontier is found again by comparing all words.
	maxListed = 16384
)

// A machine is the state of a search from many roots. It is also the policy of the
// search, because a choice of roots is part of a step.
//
// All arrays are indexed by rank: see ranked. Between two levels, seen and before
// differ for the vertices of the frontier and for no others.
type machine struct {
	rows    *ranked
	team    *par.Team
	kernels kernel.Kernels
	roots   []hops.Vertex

	seen   []uint64   // roots that have reached each vertex
	before []uint64   // seen one level ago; during a level, the next value of seen
	closed bitset.Set // vertices that miss no root and are not in the frontier
	fresh  bitset.Set // vertices reached in the level that ends

	levels [][]uint64 // levels in binary, as in Depths.Bits
	marked [][]uint64 // the bitmaps of levels whose bit is set in the depth of this level
	stale  []uint64   // the one of levels that this level is the first to use, or nil

	depth    int
	deepest  int       // depth of the farthest vertices found
	active   uint64    // roots whose frontier is not empty
	entries  [64]int64 // row entries of each root's frontier, or an estimate
	isListed bool      // the frontier is in queue
	queue    []uint32  // the frontier, or the vertices whose rows a level reads
	words    []uint64  // the roots that each vertex of queue passes on
	found    []uint32  // vertices found by a level that one worker runs
	split    rootSplit // choice for the next level
	state    level.Front
	done     level.Outcome // of the last level

	workers []worker
	mem     arena.Arena
}

// A worker is the state of one thread.
type worker struct {
	lo, hi uint32 // vertices whose words it changes top-down

	found, examined int64
	edges           int64     // row entries of the vertices found, or an estimate
	entries         [64]int64 // row entries of each root's frontier, or an estimate
	tried           [64]int64 // row entries examined by trial
	reached         uint64    // roots that have reached any vertex in this level
	list            []uint32  // the first maxListed of the vertices found
	vertices        []uint32  // buffer of the kernels
	missing         []uint64  // buffer of the kernels
	_               [64]byte
}

func newMachine(g *graph.Graph, team *par.Team, kernels kernel.Kernels) (m *machine, err error) {
	m = &machine{team: team, kernels: kernels}
	defer func() {
		if err != nil {
			_ = m.mem.Close()
		}
	}()
	if m.rows, err = newRanked(g, team, &m.mem); err != nil {
		return nil, err
	}
	n := roundUp(m.rows.count)
	if err = arena.MakeAll(&m.mem, n, &m.seen, &m.before); err != nil {
		return nil, err
	}
	m.closed, m.fresh = bitset.New(int64(n)), bitset.New(int64(n))
	m.workers = newWorkers(m.rows.ends)
	return m, nil
}

// newWorkers returns one worker for each range of vertices.
func newWorkers(ends []int) []worker {
	workers, lo := make([]worker, len(ends)), 0
	for w := range workers {
		me := &workers[w]
		me.lo, me.hi = uint32(lo), uint32(ends[w])
		lo = ends[w]
		me.list = make([]uint32, 0, maxListed)
		me.vertices = make([]uint32, blockSize+kernel.Slack)
		me.missing = make([]uint64, blockSize+kernel.Slack)
	}
	return workers
}

func (m *machine) Steps() []level.Step { return steps }

// Seed implements level.Machine, for all roots. The search leaves isolated roots out;
// writeDepths adds them. The front has no Unvisited, Remaining and Work: they differ from
// root to root, and only the machine's own policy chooses by the frontier.
func (m *machine) Seed(hops.Vertex) (level.Front, error) {
	m.team.For(int64(len(m.seen)), blockSize, func(_ int, lo, hi int64) {
		clear(m.seen[lo:hi])
		clear(m.before[lo:hi])
	})
	m.closed.Clear()
	for v := m.rows.count; v < len(m.seen); v++ {
		m.closed.Add(uint64(v))
	}
	m.depth, m.deepest, m.queue = 0, 0, m.queue[:0]
	for i, root := range m.roots {
		r := m.rows.rank[root]
		if int(r) == m.rows.count {
			continue
		}
		if m.seen[r] == 0 {
			m.queue = append(m.queue, r)
		}
		m.seen[r] |= 1 << i
	}
	m.state = level.Front{Size: int64(m.rows.count)}
	m.countQueue()
	return m.state, nil
}

// Begin implements level.StatefulPolicy. Seed has reset the state that Next looks at.
func (m *machine) Begin() {}

// Next implements level.Policy. It looks at the frontier of each root, which the
// front does not have.
func (m *machine) Next(_ level.Front, steps []level.Step) level.Step {
	if m.isSmall() {
		return steps[level.TopDown]
	}
	return steps[m.choose().direction(m.active)]
}

// isSmall tells whether one worker alone runs the level fastest: it reads the rows
// of the frontier, and no other worker passes over all vertices.
func (m *machine) isSmall() bool {
	return m.isListed && m.state.Edges+m.state.Vertices < 8192+m.state.Size/16
}

func (m *machine) Run(s level.Step) (level.Front, level.Outcome, error) {
	m.depth++
	if err := m.markBits(); err != nil {
		return level.Front{}, level.Outcome{}, err
	}
	var upwards uint64 // roots that are searched bottom-up
	switch s.Name {
	case stepTopDown:
		if m.isSmall() {
			m.topDownSerial()
			return m.state, m.done, nil
		}
	case stepBottomUp:
		upwards = m.active
	case stepSplit:
		upwards = m.choose().dense
	default:
		return level.Front{}, level.Outcome{}, fmt.Errorf("many: no step is called %q", s.Name)
	}
	for w := range m.workers {
		me := &m.workers[w]
		me.found, me.examined, me.edges, me.reached, me.list = 0, 0, 0, 0, me.list[:0]
		clear(me.entries[:])
	}
	if m.active&^upwards != 0 {
		m.topDown(m.active &^ upwards)
	}
	m.sweep(upwards)
	return m.state, m.done, nil
}

// markBits finds the binary digits of this depth, and makes room for a new one.
func (m *machine) markBits() error {
	if len(m.levels) < bits.Len(uint(m.depth)) {
		words, err := arena.Make[uint64](&m.mem, len(m.seen))
		if err != nil {
			return err
		}
		m.levels = append(m.levels, words)
	}
	m.marked, m.stale = m.marked[:0], nil
	for k, words := range m.levels {
		if m.depth>>k&1 != 0 {
			m.marked = append(m.marked, words)
		}
		if m.depth == 1<<k {
			m.stale = words
		}
	}
	return nil
}

// countQueue counts the frontier that is in queue.
func (m *machine) countQueue() {
	clear(m.entries[:])
	m.state.Vertices, m.state.Edges, m.active = int64(len(m.queue)), 0, 0
	if len(m.queue) > 0 {
		m.deepest = m.depth
	}
	for _, v := range m.queue {
		degree := m.rows.out.Degree(v)
		fresh := m.seen[v] ^ m.before[v]
		m.state.Edges += degree
		m.active |= fresh
		addEntries(&m.entries, fresh, degree)
	}
	m.isListed, m.split = true, rootSplit{}
}

// addEntries adds to the count of each root of a set.
func addEntries(counts *[64]int64, roots uint64, entries int64) {
	for ; roots != 0; roots &= roots - 1 {
		counts[bits.TrailingZeros64(roots)] += entries
	}
}
