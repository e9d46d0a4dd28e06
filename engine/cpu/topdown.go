package cpu

import (
	"unsafe"

	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/prefetch"
	"github.com/gohops/hops/internal/kernel"
)

// A top-down level looks from the frontier to its neighbours.
//
// A small one is run by the calling worker alone, from queue to queue. In a
// large one several workers may reach the same vertex. Settling that with an
// atomic operation on a shared bitmap makes its cache lines travel between the
// cores for almost every vertex found, which costs more than the search itself.
// Instead each worker settles the vertices that it owns, in two ways:
//
//   - Rows are read once. Neighbours that are not yet visited go, with their
//     parent, into bins, one for each owner, who empties them after all rows have
//     been read. A round ends early when somebody's bin is full, so that their
//     size is fixed. Long rows, which could keep one worker busy when all others
//     are done, are put aside and cut into pieces.
//   - While there are few workers, each reads all of the long rows and picks its
//     own vertices from them: reading a row in order costs less than passing on
//     what was found.
//
// In both, the visited bitmap is only read, or read and written by its owner. No
// test is needed when a bin is emptied: if a vertex is found twice in one level,
// either parent is right.

const (
	// topDownGrain is how many frontier vertices a worker takes at a time.
	topDownGrain = 64
	// rowsAhead is how many vertices ahead of its turn a row is fetched.
	rowsAhead = 6
	// heavyRow is the length from which a row is long, and that of a piece.
	heavyRow = 1024
	// fewWorkers is up to how many workers all of them read the long rows.
	fewWorkers = 8
	// pieceSize is how much of a long row is expanded at a time.
	pieceSize = 4096
)

// work is the part of the queue that a worker has still to do when a round ends
// early.
type work struct{ lo, hi int64 }

func (m *machine) topDown() {
	m.wantQueue()
	if m.state.Edges+m.state.Vertices < m.serialBelow() {
		m.topDownSerial()
		return
	}
	m.team.Run(m.phases.remember)
	m.expandAll()
	m.team.Run(m.phases.finish)
	m.front, m.next = m.next, m.front
	m.hasQueue, m.hasFront = false, true
}

// expandAll reads the rows of the queue, all but the long ones if these are left
// to every worker. What the last round found is still in the bins.
func (m *machine) expandAll() {
	m.heavies.Store(0)
	m.expandRounds(m.phases.expand)
	if len(m.workers) > fewWorkers {
		m.cutRows()
		m.expandRounds(m.phases.pieces)
		m.heavies.Store(0)
	}
}

// expandRounds runs a phase in as many rounds as the bins demand.
func (m *machine) expandRounds(phase func(int)) {
	m.cursor.Store(0)
	for w := range m.workers {
		m.workers[w].share = work{}
	}
	for m.team.Run(phase); m.unfinished(); m.team.Run(phase) {
		m.team.Run(m.phases.apply)
	}
}

// serialBelow is the number of row entries below which the other workers are
// left alone: waking them costs some microseconds, and passing over the bitmaps
// a few for every ten thousand words that each of them has.
func (m *machine) serialBelow() int64 {
	return 8192 + int64(len(m.visited)/(2*len(m.workers)))
}

// rememberWorker keeps the visited set as it was before this level in the place
// of the next frontier, which is what will have been added to it.
func (m *machine) rememberWorker(id int) {
	me := &m.workers[id]
	if !m.splitting {
		copy(m.next[me.lo:me.hi], m.visited[me.lo:me.hi])
		return
	}
	for w := me.lo; w < me.hi; w++ { // next is what bottom-up has found
		m.next[w] = m.visited[w] &^ m.next[w]
	}
}

func (m *machine) unfinished() bool {
	for w := range m.workers {
		if m.workers[w].share.lo < m.workers[w].share.hi {
			return true
		}
	}
	return false
}

// expandWorker reads chunks of the queue and puts long rows aside.
func (m *machine) expandWorker(id int) {
	me := &m.workers[id]
	for {
		for me.share.lo < me.share.hi {
			v := m.queue[me.share.lo]
			m.fetchRow(me.share.lo+rowsAhead, me.share.hi)
			row := m.graph.Out.Row(v)
			if m.splitting && bitset.Set(m.graph.Parents.Hub).Has(uint64(v)) {
				me.share.lo++
				continue
			}
			if len(row) >= heavyRow {
				m.heavy[m.heavies.Add(1)-1] = v
			} else if !m.collect(v, row, me) {
				return
			}
			me.share.lo++
		}
		var ok bool
		if me.share.lo, me.share.hi, ok = m.claim(int64(len(m.queue)), topDownGrain); !ok {
			me.share = work{}
			return
		}
	}
}

// fetchRow brings the row of a queue entry into the cache, if it is before end.
func (m *machine) fetchRow(i, end int64) {
	if i >= end {
		return
	}
	out := &m.graph.Out
	if at := out.Offsets[m.queue[i]]; at < int64(len(out.Neighbors)) {
		prefetch.Row(&out.Neighbors[at])
	}
}

// collect sorts the unvisited neighbours of v into bins. It reports false, and
// does nothing, if there might not be room.
func (m *machine) collect(v uint32, row []uint32, me *worker) bool {
	if !me.bins.room(len(row)) {
		return false
	}
	me.examined += int64(len(row))
	found := m.expand(row, 0, ^uint32(0), me)
	me.bins.fullest += int64(len(found))
	parent := uint64(v) << 32
	pairs, length, size := me.bins.pairs, me.bins.length, me.bins.size
	for _, u := range found {
		o := m.owner[u>>blockShift]
		pairs[uint32(o)*size+length[o]] = parent | uint64(u)
		length[o]++
	}
	return true
}

// expand returns the unvisited entries of a row from first to last.
func (m *machine) expand(row []uint32, first, last uint32, me *worker) []uint32 {
	e := kernel.Expansion{
		Row: unsafe.SliceData(row), Length: int64(len(row)), Visited: &m.visited[0],
		Out: &me.kept[0], First: first, Last: last,
	}
	m.kernels.Expand(&e)
	return me.kept[:e.Kept]
}

// applyWorker empties the bins that were filled for this worker.
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

// finishWorker settles all that belongs to this worker: the last bins, its share
// of the long rows, and the count.
func (m *machine) finishWorker(id int) {
	m.applyWorker(id)
	me := &m.workers[id]
	heavy := m.heavy[:m.heavies.Load()]
	if id == 0 { // all workers read them, but the level examines them once
		for _, v := range heavy {
			me.examined += m.graph.Out.Degree(v)
		}
	}
	if me.lo == me.hi {
		return
	}
	first, last := uint32(me.lo<<6), uint32(me.hi<<6-1)
	for _, v := range heavy {
		row := m.graph.Out.Row(v)
		for ; len(row) > 0; row = row[min(pieceSize, len(row)):] {
			for _, u := range m.expand(row[:min(pieceSize, len(row))], first, last, me) {
				m.adopt(u, v)
			}
		}
	}
	for w := me.lo; w < me.hi; w++ {
		m.next[w] ^= m.visited[w]
		if found := m.next[w]; found != 0 {
			m.book(w, found, me)
		}
	}
}
