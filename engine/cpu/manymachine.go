package cpu

import (
	"math/bits"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/kernel"
	"github.com/gohops/hops/internal/par"
	"github.com/gohops/hops/level"
)

const (
	// manyBlock is how many vertices a worker takes at a time: 32 KiB of words.
	manyBlock = 4096
	// manyListed is up to how many vertices of a frontier each worker lists.
	manyListed = 16384
)

// many is the state of a search from many roots, all of it by rank: a machine, and
// the policy that drives it.
//
// Between two levels seen and before differ in the vertices of the frontier alone.
type many struct {
	rows    *ranked
	team    *par.Team
	kernels kernel.Kernels
	roots   []hops.Vertex

	seen   []uint64   // roots that have reached each vertex
	before []uint64   // those that had done so a level ago, or what is seen next
	closed bitset.Set // vertices that have nothing to look for, and are not in the frontier
	fresh  bitset.Set // vertices reached in the level that ends
	levels [][]uint64 // bit by bit, as in Depths
	marked [][]uint64 // those of them that are set in this level
	stale  []uint64   // the one of these that is still from the last search, or nil

	depth   int
	deepest int       // depth of the farthest vertices found
	alive   uint64    // roots whose frontier is not empty
	edges   [64]int64 // row entries of their frontiers, or an estimate
	listed  bool      // the frontier is in queue
	queue   []uint32  // the frontier, or those whose rows are read
	words   []uint64  // what they pass on
	found   []uint32  // what one worker alone has found
	split   rootSplit // for the next level
	state   level.Front
	done    level.Outcome // of the last level

	workers []manyWorker
	mem     arena.Arena
}

// A manyWorker is what one thread owns, counts and collects by itself.
type manyWorker struct {
	lo, hi uint32 // vertices whose words it may change top-down

	found, examined int64
	entries         int64
	edges           [64]int64
	tried           [64]int64 // entries examined by a trial, see there
	reached         uint64
	list            []uint32 // the vertices found, up to manyListed
	vertices        []uint32 // room for the kernels
	missing         []uint64
	_               [64]byte
}

func newMany(g *graph.Graph, team *par.Team) (m *many, err error) {
	m = &many{team: team, kernels: bestKernels(), workers: make([]manyWorker, team.Size())}
	defer func() {
		if err != nil {
			_ = m.mem.Close()
		}
	}()
	if m.rows, err = newRanked(g, team, &m.mem); err != nil {
		return nil, err
	}
	n := roundUp(m.rows.count)
	for _, words := range []*[]uint64{&m.seen, &m.before} {
		if *words, err = arena.Make[uint64](&m.mem, n); err != nil {
			return nil, err
		}
	}
	m.closed, m.fresh = bitset.New(int64(n)), bitset.New(int64(n))
	m.hire()
	return m, nil
}

// hire sets the workers up.
func (m *many) hire() {
	lo := 0
	for w := range m.workers {
		me := &m.workers[w]
		me.lo, me.hi = uint32(lo), uint32(m.rows.ends[w])
		lo = m.rows.ends[w]
		me.list = make([]uint32, 0, manyListed)
		me.vertices = make([]uint32, manyBlock+kernel.Slack)
		me.missing = make([]uint64, manyBlock+kernel.Slack)
	}
}

// Steps implements level.Machine.
func (m *many) Steps() []level.Step { return steps }

// Seed implements level.Machine, for all roots. Isolated ones stay where they are.
func (m *many) Seed(hops.Vertex) (level.Front, error) {
	m.team.For(int64(len(m.seen)), manyBlock, func(_ int, lo, hi int64) {
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
	m.tally()
	return m.state, nil
}

// Begin implements level.StatefulPolicy: the machine is its own policy, and Seed has
// reset all that Next looks at.
func (m *many) Begin() {}

// Next implements level.Policy. The frontiers of the single roots, which decide, are
// not in the front.
func (m *many) Next(_ level.Front, steps []level.Step) level.Step {
	if m.isSmall() {
		return steps[level.TopDown]
	}
	return steps[m.choose().direction(m.alive)]
}

// isSmall tells whether the frontier is best read by one worker alone, who need
// not look at any other vertex.
func (m *many) isSmall() bool {
	return m.listed && m.state.Edges+m.state.Vertices < 8192+m.state.Size/16
}

// Run implements level.Machine.
func (m *many) Run(s level.Step) (level.Front, level.Outcome, error) {
	m.depth++
	if err := m.markBits(); err != nil {
		return level.Front{}, level.Outcome{}, err
	}
	var upwards uint64 // roots of which every vertex looks for those it misses
	switch s.Direction {
	case level.TopDown:
		if m.isSmall() {
			m.passOnAlone()
			return m.state, m.done, nil
		}
	case level.BottomUp:
		upwards = m.alive
	case level.Split:
		upwards = m.choose().dense
	}
	for w := range m.workers {
		me := &m.workers[w]
		me.found, me.examined, me.entries, me.reached, me.list = 0, 0, 0, 0, me.list[:0]
		clear(me.edges[:])
	}
	if m.alive&^upwards != 0 {
		m.passOn(m.alive &^ upwards)
	}
	m.sweep(upwards)
	return m.state, m.done, nil
}

// markBits picks the bits that make up this depth.
func (m *many) markBits() error {
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

// tally describes the frontier that is in queue.
func (m *many) tally() {
	clear(m.edges[:])
	m.state.Vertices, m.state.Edges, m.alive = int64(len(m.queue)), 0, 0
	if len(m.queue) > 0 {
		m.deepest = m.depth
	}
	for _, v := range m.queue {
		entries := m.rows.out.Degree(v)
		fresh := m.seen[v] ^ m.before[v]
		m.state.Edges += entries
		m.alive |= fresh
		addEntries(&m.edges, fresh, entries)
	}
	m.listed, m.split = true, rootSplit{}
}

// addEntries adds to the count of each root of a set.
func addEntries(counts *[64]int64, roots uint64, entries int64) {
	for ; roots != 0; roots &= roots - 1 {
		counts[bits.TrailingZeros64(roots)] += entries
	}
}
