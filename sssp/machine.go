package sssp

import (
	"math"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/bucket"
	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/level"
)

// A machine searches with distances of one width.
type machine[D distance] struct {
	*slotGraph
	team    *par.Team
	states  []state[D] // by slot
	workers []worker[D]

	root   uint32
	from   D // distances below it were final before the level
	bound  D // distances below it are final after the level
	next   D // no distance in [bound, next) is left to be found
	width  D // Δ
	pace   bucket.Pace
	near   D    // D₀, or a lower bound of it until it is fixed
	fixed  bool // D₀ stays as it is
	ready  bool // vertices nearer than D₀ have pushed their whole rows
	listed bool // the workers have the records of all vertices found
	// flushing is set while vertices nearer than D₀ push the rest of their rows.
	flushing  bool
	woken     int   // candidates that were woken before the level
	wakeTo    int   // candidates that are woken after the level
	firstOnly int   // from this candidate on, the first entry is enough
	found     int64 // vertices found
	degree    int64 // their entries
	ran       [1]hops.Level
	claims    atomic.Int64
	now       func() time.Time
	vectors   vectors

	// The parts of a level that all workers run, bound once so that a search does not
	// allocate.
	clear, list, carry, records, expand, flush, sweep, output func(worker int)

	parents   []uint32 // of the result, by label
	distances []D

	group  *group             // of ranks; nil on one host
	shared *sharedFrontier[D] // of the ranks of this host
}

// A worker owns lists that other workers read only between the parts of a level.
type worker[D distance] struct {
	records []record[D] // of vertices found whose rows are not exhausted
	front   []reached[D]
	next    []reached[D]
	carried candidates // vertices that were woken and not found yet
	fresh   candidates // vertices that the level in progress adds to these
	flushed []uint32   // vertices that got their first distance from vertices nearer than D₀
	waiting []puller[D]
	batch   []record[D] // of vertices that push, while their rows are fetched
	offered rowOffers   // the sums that their rows offer
	lists   pullLists

	lowered []reached[D] // hubs whose distances are to be told to all ranks
	out     []message[D] // for vertices of other ranks
	asking  []asker[D]   // pullers that wait for distances of other ranks

	examined, lowerings, found, degree int64
	least                              D // key of all records
	_                                  [64]byte
}

// A record is a vertex that was found and has pushed part of its row.
type record[D distance] struct {
	far    D // the distance by which it pushed; stale if the vertex has another
	key    D // the sum of its next entry
	slot   uint32
	cursor uint32 // of the next entry
}

// reached is a vertex that got a distance. It is stale if the vertex has another.
type reached[D distance] struct {
	far  D
	slot uint32
}

// newMachine returns a machine with states for all slots.
func newMachine[D distance](w *slotGraph, team *par.Team, states []state[D]) *machine[D] {
	m := &machine[D]{slotGraph: w, team: team, states: states, workers: make([]worker[D], team.Size()), now: time.Now}
	for i := range m.workers {
		m.workers[i].waiting, m.workers[i].batch = make([]puller[D], 0, pullQueue), make([]record[D], 0, pushBatch)
	}
	m.clear, m.records, m.expand, m.flush, m.sweep = m.clearShare, m.pushRecords, m.expandFront, m.flushNear, m.sweepCandidates
	if unsafe.Sizeof(state[D]{}) == 8 && !w.directed && len(w.label) < math.MaxInt32 {
		m.vectors = bestVectors()
	}
	m.list, m.carry, m.output = m.listRecords, m.findCarried, m.writeShare
	return m
}

// entriesPerBucket is how many light entries Δ gives to the vertex at the end of an
// entry, on the average. Wider buckets lower distances more often, narrower ones have
// more phases.
const entriesPerBucket = 4

func inf[D distance]() D { return D(math.Inf(1)) }

// steps are the two directions.
var steps = []level.Step{
	{Name: level.TopDown.String(), Direction: level.TopDown},
	{Name: level.BottomUp.String(), Direction: level.BottomUp},
}

// Steps implements level.Machine.
func (m *machine[D]) Steps() []level.Step { return steps }

// slotOf implements pathMachine.
func (m *machine[D]) slotOf(v hops.Vertex) (slot uint32, hasEdges bool) {
	return m.slot[v], int(m.slot[v]) < m.slots()
}

// Seed implements level.Machine. The root is a slot.
func (m *machine[D]) Seed(root hops.Vertex) (level.Front, error) {
	if err := m.meet(); err != nil { // some rank may still write the last result
		return level.Front{}, err
	}
	m.team.Run(m.clear)
	if err := m.meet(); err != nil {
		return level.Front{}, err
	}
	m.bound, m.next, m.near, m.fixed, m.ready, m.listed = 0, 0, 0, false, false, true
	m.woken, m.found, m.degree = 0, 1, 0
	m.pace.Reset()
	m.width = max(D(m.Quantile(entriesPerBucket/m.Degree)), math.SmallestNonzeroFloat32)
	m.next, m.root = inf[D](), uint32(root)
	if m.group == nil || m.group.seeds(m.root) {
		m.states[root] = state[D]{0, m.labelOf(m.root)}
		if row := m.out.row(uint32(root)); len(row) > 0 {
			m.next = D(row[0].weight())
		}
		m.workers[0].front = append(m.workers[0].front, reached[D]{0, uint32(root)})
	}
	if err := m.agreeOnNext(); err != nil {
		return level.Front{}, err
	}
	return m.front(), nil
}

// empty takes all distances from states. It copies the first states to the others: copy uses the
// processor's vectors.
func empty[D distance](states []state[D]) {
	some := states[:min(len(states), 512)]
	for i := range some {
		some[i] = state[D]{inf[D](), none}
	}
	for states = states[len(some):]; len(states) > 0; {
		states = states[copy(states, some):]
	}
}

// clearShare empties a worker's share of the state.
func (m *machine[D]) clearShare(w int) {
	part, parts := m.share(w)
	lo, hi := par.Split(int64(len(m.states)), 1024, part, parts)
	empty(m.states[lo:hi])
	me := &m.workers[w]
	me.records, me.front, me.next = me.records[:0], me.front[:0], me.next[:0]
	me.carried.cut(0)
	me.lowered, me.out, me.asking = me.lowered[:0], me.out[:0], me.asking[:0]
}

// Run implements level.Machine.
func (m *machine[D]) Run(s level.Step) (level.Front, level.Outcome, error) {
	start, l := m.now(), hops.Level{Step: s.Name, Frontier: m.found}
	for i := range m.workers {
		w := &m.workers[i]
		w.examined, w.lowerings, w.found, w.degree, w.least = 0, 0, 0, 0, inf[D]()
	}
	from := max(m.bound, m.next)
	m.from = m.bound
	err := m.runBucket(s.Direction, from, &l)
	if err != nil {
		return level.Front{}, level.Outcome{}, err
	}
	m.found += l.Found
	if s.Direction == level.TopDown {
		m.pace.After(l.Found, m.found)
	}
	l.Bucket.Bound = min(float64(m.bound), math.MaxFloat64)
	if !m.fixed {
		var near float64
		near, m.fixed = m.MoveNear(float64(from), float64(m.bound), m.degree)
		m.near = D(near)
	}
	l.Time = m.now().Sub(start)
	m.ran[0] = l
	return m.front(), level.Outcome{Examined: l.Examined, Ran: m.ran[:]}, nil
}

// runBucket finds the vertices of a bucket, and adds up what the workers of all ranks have
// done.
func (m *machine[D]) runBucket(d level.Direction, from D, l *hops.Level) (err error) {
	if d == level.TopDown {
		err = m.topDown(from)
	} else {
		err = m.bottomUp(from)
	}
	if err != nil {
		return err
	}
	if l.Bucket.Phases, err = m.finishBucket(); err != nil {
		return err
	}
	degree := int64(0)
	m.next = inf[D]()
	for i := range m.workers {
		w := &m.workers[i]
		l.Examined, l.Found, l.Bucket.Lowered = l.Examined+w.examined, l.Found+w.found, l.Bucket.Lowered+w.lowerings
		degree += w.degree
		m.next = min(m.next, w.least)
	}
	if err := m.addUp(l, &degree); err != nil {
		return err
	}
	if m.degree += degree; d == level.BottomUp {
		m.next = m.bound
	}
	return nil
}

// How many entries are pulled by vectors in the time of one that is pushed: 10 to 20 by the clock,
// but a vertex that pulls early pulls again. The number is larger where entries lead to hubs, whose
// distances are in a cache: with 8 Kronecker graphs take 0.96 to 1.01 of the time that they take with
// 4, and uniform graphs 1.14. Without hubs pulls read whole rows, for which AVX2 has no kernel.
const (
	pullsPerPush    = 4
	hubPullsPerPush = 8
	// A graph has hubs if the mean degree of the ends of entries is so many times the mean degree of
	// vertices.
	hubShare = 4
)

// pushCost is the cost of pushing an entry, in entries that are pulled.
func (m *machine[D]) pushCost() int64 {
	hubs := m.Degree*float64(m.Vertices) > hubShare*float64(m.Entries)
	switch {
	case hubs && m.vectors != noVectors:
		return hubPullsPerPush
	case m.vectors == avx512:
		return pullsPerPush
	}
	return 1
}

// front counts the vertices and entries that are left, and estimates the entries that the next
// bucket examines if its bound is twice as far from D₀ as the last. Making a record costs one entry.
func (m *machine[D]) front() level.Front {
	left := m.Vertices - m.found
	f := level.Front{Vertices: left, Unvisited: left, Edges: m.degree, Remaining: m.Entries - m.degree, Size: m.Vertices}
	if m.next == inf[D]() || left == 0 {
		f.Vertices = 0
	}
	down, up := m.Work(float64(max(m.bound-m.near, m.next-m.near, m.bucketWidth())), m.found, m.degree) // no bucket is narrower than Δ
	if !m.listed {
		down += m.found
	}
	f.Work[level.TopDown], f.Work[level.BottomUp] = down*m.pushCost(), up
	return f
}

// rounded implements pathMachine.
func (m *machine[D]) rounded() bool { return false }

// write copies the result to the labels of the graph.
func (m *machine[D]) write(parents []uint32, far []D) {
	m.parents, m.distances = parents, far
	m.team.Run(m.output)
	m.parents, m.distances = nil, nil
}

// writeShare writes a worker's share of the result.
func (m *machine[D]) writeShare(w int) {
	lo, hi := par.Split(int64(len(m.slot)), 64, w, m.team.Size())
	writeLabels(m.slot[lo:hi], m.states, m.parents[lo:hi], m.distances[lo:hi])
}
