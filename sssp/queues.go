package sssp

// Searches of graphs without hubs, such as grids and roads. Such a search has thousands of frontiers
// of some hundred vertices with short rows, so that its time depends on how often all workers wait
// for each other, and how often a worker waits for memory.
//
//  1. A worker has queues, called bins, of vertices that got a distance: bin i is for distances
//     from iΔ on. The vertices of the first bin push their whole rows, and so do the vertices that
//     come into that bin meanwhile, until it is empty. Then all distances of the bin are final.
//  2. Every bin divides the slots among the workers, by a sample of the bin. A worker pushes the
//     vertices of its part, and it alone writes their states, so that no compare-and-swap is
//     needed. An entry that leads to another part becomes an offer, which is taken after the bin;
//     few vertices at the borders have such entries. One worker drains a small bin, without waking
//     the others.
//  3. Slots are such that neighbours are near each other (nearby.go), and a row is half of a
//     cache line (shortrows.go). So a part is a region, and most of its rows and states are in a cache.
//  4. A vertex of two entries never waits in a bin: the distance that it gets goes on to the next
//     vertex at once, along the whole chain. Where sums are exact, a chain is one entry (chains.go).
//  5. The processor's vectors push 64 vertices without a branch (push.go).

import (
	"math"
	"time"
	"unsafe"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/level"
)

const (
	// queueBins is the number of bins at a time. Vertices beyond the last bin wait in one list, which
	// is dealt out when all bins are empty.
	queueBins = 512
	// soloBin is the number of vertices up to which one worker drains a bin: about twice the work that
	// waking the others takes.
	soloBin = 128
	// binsPerLevel is the number of bins that are a level of the search.
	binsPerLevel = 64
)

// queues is a machine that searches with distances of one width.
type queues[D distance] struct {
	*shortRows
	team    *par.Team
	states  []state[D] // by slot; parents are slots until the result is written
	workers []queueWorker[D]
	vectors bool  // the processor's vectors push
	solo    int64 // vertices of a bin that one worker drains

	perBin float64 // 1/Δ
	first  int64   // number of the first bin
	now    int64   // number of the bin that is drained
	queued int64   // vertices in bins and lists; a vertex counts as often as it is there
	found  int64
	ran    [1]hops.Level
	borders

	// Of a graph with chains:
	innerLeft bool   // the inner vertices have no distances yet
	rootChain int    // the chain of the root, if the root is an inner vertex; otherwise -1
	rootInner uint32 // the index of the root among the inner vertices
	seeded    int64  // ends of its chain that got a distance from it
	inexact   bool   // a distance is too large for sums of integers to be exact

	// The parts of a level that all workers run, bound once so that a search does not
	// allocate.
	clear, drain, inner, relabel, output func(worker int)

	parents   []uint32 // of the result, by label
	distances []D
}

// A queueWorker owns lists that other workers only read, and only while a bin is drained.
type queueWorker[D distance] struct {
	bins     [queueBins][]reached[D]
	later    []reached[D] // vertices beyond the last bin
	waiting  []reached[D] // the vertices of the bin, as it was before it was drained
	mine     []reached[D] // vertices of some list that are in this worker's part
	offers   []offer[D]
	lo, span uint32 // the part: slots from lo on
	lists    pushLists

	queued, examined, lowerings, found int64
	farthest                           D // of the vertices of the worker's share

	_ [64]byte
}

// An offer is a distance for a vertex of another worker's part.
type offer[D distance] struct {
	far      D
	to, from uint32
}

func newQueues[D distance](r *shortRows, team *par.Team, states []state[D]) *queues[D] {
	m := &queues[D]{shortRows: r, team: team, states: states, workers: make([]queueWorker[D], team.Size()), solo: soloBin}
	m.perBin = 1 / max(m.width, math.SmallestNonzeroFloat32)
	m.vectors = unsafe.Sizeof(state[D]{}) == 8 && haveVectors
	m.splits = make([]uint32, team.Size()-1)
	m.clear, m.drain, m.inner, m.relabel, m.output = m.clearShare, m.drainShare, m.innerShare, m.relabelShare, m.writeShare
	if r.chains != nil {
		m.relabel = m.relabelCrossings
	} else if r.inOrder {
		m.relabel, m.output = nil, m.writeInOrder
	}
	return m
}

// queueSteps has the one step of these searches.
var queueSteps = []level.Step{{Name: level.TopDown.String() + "-queues", Direction: level.TopDown}}

// Steps implements level.Machine.
func (m *queues[D]) Steps() []level.Step { return queueSteps }

// slotOf implements pathMachine.
func (m *queues[D]) slotOf(v hops.Vertex) (slot uint32, hasEdges bool) {
	return m.slot[v], int(m.slot[v]) != m.slots()
}

// Seed implements level.Machine. The root is a slot.
func (m *queues[D]) Seed(root hops.Vertex) (level.Front, error) {
	m.team.Run(m.clear)
	m.first, m.now, m.queued, m.found, m.bins = 0, 0, 1, 1, 0
	m.innerLeft, m.rootChain, m.inexact = m.chains != nil, -1, false
	if int(root) > m.slots() {
		m.seedInner(uint32(root))
		return m.front(), nil
	}
	m.states[root] = state[D]{0, uint32(root)}
	m.add(&m.workers[0], 0, uint32(root))
	return m.front(), nil
}

// clearShare empties a worker's share of the state.
func (m *queues[D]) clearShare(w int) {
	lo, hi := par.Split(int64(len(m.label)), 1024, w, m.team.Size())
	mine := m.states[lo:hi] // the states of inner vertices are written at the end
	for i := range mine {
		mine[i] = state[D]{inf[D](), none}
	}
	me := &m.workers[w]
	for i := range me.bins {
		me.bins[i] = me.bins[i][:0]
	}
	me.later, me.offers = me.later[:0], me.offers[:0]
}

// front counts the vertices that are left.
func (m *queues[D]) front() level.Front {
	size := m.vertices()
	left, degree := size-m.found, m.entries/max(1, size)
	f := level.Front{Vertices: m.queued, Edges: m.queued * degree, Unvisited: left, Remaining: left * degree, Size: size}
	if m.queued == 0 && m.innerLeft {
		f.Vertices, f.Edges = left, left
	}
	f.Work[level.TopDown] = f.Edges
	return f
}

// Run implements level.Machine.
func (m *queues[D]) Run(s level.Step) (level.Front, level.Outcome, error) {
	start, l := time.Now(), hops.Level{Step: s.Name, Frontier: m.queued}
	for i := range m.workers {
		w := &m.workers[i]
		w.examined, w.lowerings, w.found = 0, 0, 0
	}
	if m.queued == 0 && m.innerLeft {
		m.runInner(&l)
	}
	for l.Bucket.Phases < binsPerLevel && m.next() {
		m.runBin()
		l.Bucket.Phases++
	}
	for i := range m.workers {
		w := &m.workers[i]
		l.Examined, l.Found, l.Bucket.Lowered = l.Examined+w.examined, l.Found+w.found, l.Bucket.Lowered+w.lowerings
	}
	m.found += l.Found
	if l.Bucket.Bound = math.MaxFloat64; m.queued > 0 {
		l.Bucket.Bound = float64(m.now) / m.perBin
	}
	l.Time = time.Since(start)
	m.ran[0] = l
	return m.front(), level.Outcome{Examined: l.Examined, Ran: m.ran[:]}, nil
}

// rounded implements pathMachine.
func (m *queues[D]) rounded() bool { return m.inexact }

// write copies the result to the labels of the graph. Unless slots are in the order of labels, it
// first replaces parents by their labels, while both are near in memory: then one read for each
// vertex is far away, and not two.
func (m *queues[D]) write(parents []uint32, far []D) {
	m.parents, m.distances = parents, far
	if m.relabel != nil {
		m.team.Run(m.relabel)
	}
	m.team.Run(m.output)
	m.parents, m.distances = nil, nil
}

// relabelShare replaces parents, which are slots, by their labels.
func (m *queues[D]) relabelShare(w int) {
	lo, hi := par.Split(int64(len(m.label)), 64, w, m.team.Size())
	mine, label, last := m.states[lo:hi], m.label, uint32(m.slots())
	for i := range mine {
		mine[i].parent = label[min(mine[i].parent, last)]
	}
}

// writeShare writes a worker's share of the result, in the order of labels.
func (m *queues[D]) writeShare(w int) {
	lo, hi := par.Split(int64(len(m.slot)), 64, w, m.team.Size())
	writeLabels(m.slot[lo:hi], m.states, m.parents[lo:hi], m.distances[lo:hi])
}

// writeInOrder is writeShare for slots in the order of labels, whose parents are slots.
func (m *queues[D]) writeInOrder(w int) {
	lo, hi := par.Split(int64(len(m.slot)), 64, w, m.team.Size())
	slots, states, label, last := m.slot[lo:hi], m.states, m.label, uint32(m.slots())
	parents, distances := m.parents[lo:hi][:len(slots)], m.distances[lo:hi][:len(slots)]
	for i, s := range slots {
		p := states[s]
		distances[i], parents[i] = p.far, label[min(p.parent, last)]
	}
}
