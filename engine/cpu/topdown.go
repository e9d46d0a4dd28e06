package cpu

import (
	"unsafe"

	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/kernel"
	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/internal/base/prefetch"
	"github.com/gohops/hops/level"
)

// A top-down level reads the rows of the frontier and finds their unvisited entries.
//
// One worker runs a level alone, from queue to queue: see serial.go. Several run it
// directly, each from its part of the frontier to its part of the next: see direct.go. Or
// they run it by bins, so that each worker sets the parents of the vertices that it owns,
// which costs less where a frontier has long rows. There are two ways:
//
//   - Each worker has a copy of its own entries of the longest rows: see divided.go. Of
//     other long rows, up to fewWorkers workers read each all entries, and pick their own
//     vertices: reading a row in order costs less than sending pairs. This comes first: what
//     long rows lead to is visited then, and not found in other rows.
//   - Each other row is read by one worker, which puts the unvisited neighbours, with
//     their parent, into bins, one bin for each owner. The owners empty the bins after all
//     rows have been read. A round ends early when a bin may be full, so that bins
//     have a fixed size. Long rows are read last and in pieces, so that none of them
//     keeps one worker busy when all others are done.
//
// In all ways the visited bitmap is only read, or is written by the owner alone.
// Emptying a bin needs no test: if a vertex is found twice in one level, either parent
// is right.

const (
	// topDownGrain is how many frontier vertices a worker claims at a time, at most.
	topDownGrain = 64
	// pieceGrain is how many pieces of long rows a worker claims at a time, at most.
	pieceGrain = 4
	// claimsEach is how often a worker claims something in a level, at least: with fewer
	// claims, some workers would have no part in a level of few vertices with long rows.
	claimsEach = 4
	// prefetchDistance is how many entries of the queue ahead of the current one the
	// row is prefetched, and offsetDistance how many further ahead its offset is: to
	// find the row is a cache miss of its own. prefetchEntries is how much of the row.
	prefetchDistance = 6
	offsetDistance   = 8
	prefetchEntries  = 64
	// longRow is the length from which a row is long, and the length of a piece.
	longRow = 1024
	// fewWorkers is the number of workers up to which each of them reads all long rows that
	// are not divided.
	fewWorkers = 8
	// pieceSize is how many entries of a long row one call of expand reads, at most.
	pieceSize = 4096
)

// topDown runs a top-down level. Unless the step says by how many workers, the prices do.
func (m *machine) topDown(s level.Step) {
	if s.Name == stepTopDown && s.Workers == 0 {
		s = m.prices.chooseDown(&m.state)
	}
	m.prices.start(s, func(i int) float64 { return m.prices.down(i, &m.state) })
	switch {
	case s.Name == stepTopDownBins:
		m.topDownBins()
	case s.Workers == 1:
		m.needQueue()
		m.saveVisited()
		m.topDownSerial()
	default:
		m.saveVisited()
		m.topDownDirect(min(s.Workers, len(m.workers)))
	}
	m.prices.stop(0)
}

func (m *machine) topDownBins() {
	m.needQueue()
	m.readRows()
	m.front, m.next = m.next, m.front
	m.hasQueue, m.hasFront, m.saved = false, true, false
}

// readRows reads the rows of the queue, and finds the next frontier.
func (m *machine) readRows() {
	m.counts.maps += mapsDown
	m.long.count.Store(0)
	m.divided.frontier.count.Store(0)
	m.team.Run(m.phases.begin)
	few := len(m.workers) <= fewWorkers
	if few && len(m.long.all()) > 0 || len(m.divided.frontier.all()) > 0 {
		m.team.Run(m.phases.pickOwn)
	}
	m.expandRounds(m.phases.expand)
	if !few && len(m.long.all()) > 0 {
		m.cutRows()
		m.expandRounds(m.phases.pieces)
	}
	m.team.Run(m.phases.finish)
}

// expandRounds runs a phase and empties the bins, until the phase is finished.
func (m *machine) expandRounds(phase func(int)) {
	m.cursor.Store(0)
	for w := range m.workers {
		m.workers[w].claimed = span{}
	}
	for m.team.Run(phase); m.unfinished(); m.team.Run(phase) {
		m.team.Run(m.phases.apply)
	}
}

// beginWorker begins a level: it copies the visited set and lists long rows.
func (m *machine) beginWorker(id int) {
	m.copyVisited(&m.workers[id])
	if !m.long.any {
		return
	}
	lo, hi := par.Split(int64(len(m.queue)), 1, id, len(m.workers))
	for _, v := range m.queue[lo:hi] {
		if m.graph.Out.Degree(v) >= longRow && !m.leavesOut(v) {
			m.addLong(v)
		}
	}
}

// copyVisited copies the visited set of before this level to next. The difference to the
// visited set after the level is the next frontier.
func (m *machine) copyVisited(me *worker) {
	if !m.splitting {
		copy(m.next[me.lo:me.hi], m.visited[me.lo:me.hi])
		return
	}
	for w := me.lo; w < me.hi; w++ { // next has what the bottom-up half has found
		m.next[w] = m.visited[w] &^ m.next[w]
	}
}

// leavesOut tells whether the top-down half of a split level leaves out the row of v.
func (m *machine) leavesOut(v uint32) bool {
	return m.splitting && bitset.Set(m.graph.Parents.Hub).Has(uint64(v))
}

// unfinished tells whether a worker has claimed entries that it has not read.
func (m *machine) unfinished() bool {
	for w := range m.workers {
		if m.workers[w].claimed.lo < m.workers[w].claimed.hi {
			return true
		}
	}
	return false
}

// expandWorker reads the rows of the queue that are not long. It returns early when a bin
// may be full.
func (m *machine) expandWorker(id int) {
	me := &m.workers[id]
	for {
		for me.claimed.lo < me.claimed.hi {
			v := m.queue[me.claimed.lo]
			m.prefetchRow(me.claimed.lo+prefetchDistance, me.claimed.hi)
			row := m.graph.Out.Row(v)
			if len(row) < longRow && !m.leavesOut(v) && !m.collect(v, row, me) {
				return
			}
			me.claimed.lo++
		}
		var ok bool
		if me.claimed.lo, me.claimed.hi, ok = m.claim(int64(len(m.queue)), m.grain(int64(len(m.queue)), topDownGrain)); !ok {
			me.claimed = span{}
			return
		}
	}
}

// addLong notes a vertex of the frontier with a long row.
func (m *machine) addLong(v uint32) {
	if i, ok := m.divided.number(v); ok {
		m.divided.frontier.add(uint32(i))
	} else {
		m.long.add(v)
	}
}

// grain is how many of so many units of work a worker claims at a time.
func (m *machine) grain(units, most int64) int64 {
	return min(max(units/int64(claimsEach*len(m.workers)), 1), most)
}

// prefetchRow prefetches the row of entry i of the queue, if i is before end, and the
// offset of a later one.
func (m *machine) prefetchRow(i, end int64) {
	if i >= end {
		return
	}
	out := &m.graph.Out
	row := out.Row(m.queue[i])
	m.kernels.Prefetch(row[:min(len(row), prefetchEntries)])
	if i+offsetDistance < end {
		prefetch.Line(&out.Offsets[m.queue[i+offsetDistance]])
	}
}

// collect puts the unvisited neighbours of v into bins. It reports false, and does
// nothing, if a bin may be full.
func (m *machine) collect(v uint32, row []uint32, me *worker) bool {
	if !me.bins.room(len(row)) {
		return false
	}
	me.examined += int64(len(row))
	found := m.expand(row, 0, ^uint32(0), me)
	me.bins.fullest += int64(len(found))
	me.counts.binned += int64(len(found))
	m.kernels.Deal(&kernel.Deal{
		List: unsafe.SliceData(found), Count: int64(len(found)), Parent: uint64(v),
		Owner: &m.owner[0], Ends: &m.ends[0], Owners: int64(len(m.workers)),
		Bins: &me.bins.pairs[0], Stride: me.bins.stride(), Lengths: &me.bins.length[0],
	})
	return true
}

// expand returns the unvisited entries of a row whose labels are from first to last.
func (m *machine) expand(row []uint32, first, last uint32, me *worker) []uint32 {
	e := kernel.Expansion{
		Row: unsafe.SliceData(row), Length: int64(len(row)), Visited: &m.visited[0],
		Out: &me.kept[0], First: first, Last: last,
	}
	m.kernels.Expand(&e)
	return me.kept[:e.Kept]
}

// applyWorker empties the bins that all workers have filled for this worker.
func (m *machine) applyWorker(id int) {
	for w := range m.workers {
		b := &m.workers[w].bins
		if pairs := b.of(id); len(pairs) > 0 {
			m.kernels.Adopt(&kernel.Adoption{
				Pairs: &pairs[0], Count: int64(len(pairs)), Visited: &m.visited[0], Parents: &m.parents[0],
			})
		}
		b.length[id] = 0
	}
	m.workers[id].bins.fullest = 0
}

// adopt makes v the parent of u. Only the owner of u may do so.
func (m *machine) adopt(u, v uint32) {
	m.visited[u>>6] |= 1 << (u & 63)
	m.parents[u] = v
}

// adoptAll makes v the parent of all vertices of a list. Only their owner may do so.
func (m *machine) adoptAll(list []uint32, v uint32) {
	if len(list) > 0 {
		m.kernels.AdoptRow(&kernel.RowAdoption{
			List: &list[0], Count: int64(len(list)), Visited: &m.visited[0], Parents: &m.parents[0], Parent: v,
		})
	}
}

// adoptOwn makes v the parent of the unvisited entries of a row that a worker owns, and returns
// how many these are.
func (m *machine) adoptOwn(v uint32, row []uint32, me *worker) (found int64) {
	first, last := uint32(me.lo<<6), uint32(me.hi<<6-1)
	for ; len(row) > 0; row = row[min(pieceSize, len(row)):] {
		own := m.expand(row[:min(pieceSize, len(row))], first, last, me)
		m.adoptAll(own, v)
		found += int64(len(own))
	}
	return found
}

// pickOwnWorker makes the vertices of the frontier with long rows the parents of the
// unvisited neighbours that this worker owns: it has a copy of these, or picks them from the rows.
func (m *machine) pickOwnWorker(id int) {
	me := &m.workers[id]
	m.adoptDivided(me)
	if len(m.workers) > fewWorkers {
		return
	}
	for _, v := range m.long.all() {
		row := m.graph.Out.Row(v)
		if id == 0 { // all workers read it, but the level examines it once
			me.examined += int64(len(row))
		} else {
			me.counts.again += int64(len(row))
		}
		if me.lo < me.hi {
			m.adoptOwn(v, row, me)
		}
	}
}

// finishWorker finishes the level for the vertices that this worker owns: it empties
// the last bins, and counts what was found.
func (m *machine) finishWorker(id int) {
	m.applyWorker(id)
	me := &m.workers[id]
	for w := me.lo; w < me.hi; w++ {
		m.next[w] ^= m.visited[w]
		if found := m.next[w]; found != 0 {
			m.countWord(w, found, me)
		}
	}
}
