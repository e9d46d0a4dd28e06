package cpu

import (
	"math"
	"sync/atomic"
	"unsafe"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/kernel"
	"github.com/gohops/hops/internal/base/par"
)

// Graphs of large diameter, such as roads, grids and the chains of web crawls, have
// thousands of levels of some hundred or thousand vertices with short rows. Bins cost
// too much there: a pass over the bitmaps in every level, and two stores and a load
// for every vertex. So the workers advance from queue to queue, as a serial level does,
// each in a region of the graph:
//
//   - The vertices that a worker finds are its own part of the next frontier. The parts
//     stay in the order of the workers, and a level divides them evenly in that order,
//     so that a worker goes on where it was, near the vertices that its caches hold.
//   - Every worker has a visited set of its own, which no other core writes. A vertex
//     that is not in it may have been found by another worker; then it has a parent.
//   - Nothing is atomic. Workers that find a vertex at the same time all set its parent
//     and note the pair. When all are done, each looks which of its pairs are in the
//     tree: exactly one worker has the parent that is there, because every vertex of the
//     frontier belongs to one worker. A compare-and-swap instead waits for the line of
//     every parent: it took half of such a search.
//
// When a level goes another way, the visited sets are united and the queues joined.

const (
	// maxRegions is the number of workers that share such a level at most. A level has
	// some thousand vertices, and each worker has a visited set.
	maxRegions = 8
	// regionVertices is the number of frontier vertices for each worker from which
	// regions pay. It is a choice: with fewer, waiting for each other costs more than a
	// second worker gains. On a grid of 1,000 × 1,000, with 600 vertices a level, two
	// workers took 0.8 of the time of before (Emerald Rapids). It is for two workers:
	// to run a phase takes longer the more workers there are. Sixteen took 39 ms and
	// more for that grid, two took 13 to 16.
	regionVertices = 128
	// regionRoom is the number of vertices that a worker has room for in a level: twice
	// as many as it is expected to find at most.
	regionRoom = 1 << 18
)

// regions is the frontier of a level by regions, in parts.
type regions struct {
	open  bool  // the frontier is in parts
	room  int   // vertices that a worker has room for in a level
	least int64 // frontier vertices for each worker from which regions pay
	each  []region
}

// forbid has no level run by regions.
func (r *regions) forbid() { r.least = math.MaxInt64 >> 32 }

// A region is what one worker has of the search.
type region struct {
	visited bitset.Set // vertices that this worker knows to be visited
	queue   []uint32   // its part of the frontier
	bids    []uint64   // pairs (parent, vertex) of the vertices that it may have found
	left    []uint32   // frontier vertices for whose neighbours bids had no room
	_       [64]byte
}

// needRegions is the bytes that regions take at most for n vertices.
func needRegions(n int64) int64 {
	return n*maxRegions/8 + maxRegions*(4+8)*min(regionRoom, n) // visited sets, queues and bids
}

// regionsPay tells whether the next level is one for several workers by regions.
func (m *machine) regionsPay() bool {
	count := int64(min(len(m.workers), maxRegions))
	if count == 1 || m.state.Edges > shortRows*m.state.Vertices || max(m.state.Edges, m.state.Vertices) > regionRoom/2 {
		return false
	}
	least := count * m.regions.least * int64(len(m.workers)) / 2
	if m.regions.open {
		least /= 2 // opening and joining cost something, too
	}
	return m.state.Vertices >= least && clearlySmall(m.state.Edges, &m.state)
}

// topDownRegions runs a top-down level by regions.
func (m *machine) topDownRegions() {
	if !m.openRegions() {
		m.needQueue()
		m.topDownSerial()
		return
	}
	m.team.Run(m.phases.region)
	m.team.Run(m.phases.settleRegion)
	examined, edges := int64(0), int64(0)
	for i := range m.regions.each {
		examined += m.workers[i].examined
		edges += m.workers[i].edges
	}
	m.finishLeft(&examined)
	m.state.Remaining += m.state.Edges - examined // replaces an estimate by the count
	if !clearlySmall(edges, &m.state) {
		m.joinRegions()
		m.sampleNonHubs(&m.workers[0])
	}
}

// openRegions divides the frontier among the regions, unless it is divided already. It
// reports false if there is no memory for them, and then no level asks again.
func (m *machine) openRegions() bool {
	r := &m.regions
	if r.open {
		return true
	}
	m.needQueue()
	if r.each == nil && !m.makeRegions() {
		r.forbid()
		return false
	}
	for i := range r.each {
		r.each[i].queue = r.each[i].queue[:0]
	}
	first := &r.each[0]
	first.queue = append(first.queue, m.queue...)
	m.team.Run(m.phases.openRegion)
	r.open, m.hasQueue, m.hasFront = true, false, false
	return true
}

// makeRegions allocates the regions.
func (m *machine) makeRegions() bool {
	each := make([]region, min(len(m.workers), maxRegions))
	for i := range each {
		var err [3]error
		each[i].visited, err[0] = arena.Make[uint64](&m.mem, len(m.visited))
		each[i].queue, err[1] = arena.Make[uint32](&m.mem, m.regions.room+1) // see kernel.Won
		each[i].bids, err[2] = arena.Make[uint64](&m.mem, m.regions.room)
		if err != [3]error{} {
			return false
		}
	}
	m.regions.each = each
	return true
}

func (m *machine) openRegionWorker(id int) {
	if id < len(m.regions.each) {
		copy(m.regions.each[id].visited, m.visited)
	}
}

// joinRegions makes the frontier one queue again, and the visited sets one.
func (m *machine) joinRegions() {
	if !m.regions.open {
		return
	}
	m.team.Run(m.phases.joinRegion)
	m.queue = m.queue[:0]
	for i := range m.regions.each {
		m.queue = append(m.queue, m.regions.each[i].queue...)
	}
	m.regions.open, m.hasQueue, m.hasFront = false, true, false
}

func (m *machine) joinRegionWorker(id int) {
	me := &m.workers[id]
	for w := me.lo; w < me.hi; w++ {
		for i := range m.regions.each {
			m.visited[w] |= m.regions.each[i].visited[w]
		}
	}
}

// regionWorker advances a worker's share of the frontier.
func (m *machine) regionWorker(id int) {
	each := m.regions.each
	if id >= len(each) {
		return
	}
	me, mine := &m.workers[id], &each[id]
	mine.bids, mine.left = mine.bids[:0], mine.left[:0]
	lo, hi := par.Split(m.state.Vertices, 1, id, len(each))
	for i := range each {
		part := each[i].queue
		size := int64(len(part))
		m.bidAll(part[min(lo, size):min(hi, size)], mine, me)
		lo, hi = max(lo-size, 0), max(hi-size, 0)
	}
	if m.records != nil {
		m.kernels.Offer(mine.bids, &m.parents[0], &m.records[0])
	}
}

// settleRegionWorker makes the vertices that a worker has found its part of the frontier.
func (m *machine) settleRegionWorker(id int) {
	if id >= len(m.regions.each) {
		return
	}
	me, mine := &m.workers[id], &m.regions.each[id]
	mine.queue = m.kernels.Won(mine.bids, &m.parents[0], mine.queue[:cap(mine.queue)])
	me.found = int64(len(mine.queue))
	me.edges = m.entries(mine.queue, true)
}

// bidAll reads the rows of some vertices of the frontier.
func (m *machine) bidAll(rest []uint32, mine *region, me *worker) {
	for len(rest) > 0 {
		if rest = m.bidShort(rest, mine, me); len(rest) == 0 {
			return
		}
		row := m.graph.Out.Row(rest[0])
		if len(row) > cap(mine.bids)-len(mine.bids) {
			mine.left = append(mine.left, rest...)
			return
		}
		me.examined += int64(len(row))
		m.bidLong(rest[0], row, mine)
		rest = rest[1:]
	}
}

// bidShort reads the short rows at the front of some vertices of the frontier, by record
// if there are records. It returns the vertices from the first on that it leaves out.
func (m *machine) bidShort(rest []uint32, mine *region, me *worker) []uint32 {
	pairs, room := unsafe.SliceData(mine.bids[len(mine.bids):cap(mine.bids)]), int64(cap(mine.bids)-len(mine.bids))
	if m.records != nil {
		a := kernel.Collection{
			Queue: &rest[0], Count: int64(len(rest)), Records: &m.records[0],
			Visited: &mine.visited[0], Pairs: pairs, Room: room,
		}
		m.kernels.Collect(&a)
		me.examined += a.Examined
		mine.bids = mine.bids[:len(mine.bids)+int(a.Found)]
		return rest[a.Done:]
	}
	a := kernel.Advance{
		Queue: &rest[0], Count: int64(len(rest)), Visited: &mine.visited[0], Parents: &m.parents[0],
		Offsets: &m.graph.Out.Offsets[0], Neighbors: unsafe.SliceData(m.graph.Out.Neighbors),
		Pairs: pairs, Room: room,
	}
	m.kernels.Bid(&a)
	me.examined += a.Examined
	mine.bids = mine.bids[:len(mine.bids)+int(a.Found)]
	return rest[a.Done:]
}

// bidLong reads a row that is too long for the kernels.
func (m *machine) bidLong(v uint32, row []uint32, mine *region) {
	for _, u := range row {
		if mine.visited.Has(uint64(u)) {
			continue
		}
		mine.visited.Add(uint64(u))
		if atomic.LoadUint32(&m.parents[u]) == ^uint32(0) {
			atomic.StoreUint32(&m.parents[u], v)
			mine.bids = append(mine.bids, uint64(v)<<32|uint64(u))
		}
	}
}

// finishLeft reads the rows that a worker had no room for, in a serial level.
func (m *machine) finishLeft(examined *int64) {
	var left []uint32
	for i := range m.regions.each {
		left = append(left, m.regions.each[i].left...)
	}
	if len(left) == 0 {
		return
	}
	m.joinRegions()
	me, found := &m.workers[0], m.queue
	for _, v := range left {
		*examined += m.graph.Out.Degree(v)
		found = m.advanceLong(v, found, me)
	}
	me.found += int64(len(found) - len(m.queue))
	me.edges += m.entries(found[len(m.queue):], true)
	m.queue = found
}
