package cpu

import (
	"sync/atomic"
	"unsafe"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/kernel"
	"github.com/gohops/hops/internal/base/par"
)

// The direct step goes from queue to queue: each worker reads rows of the frontier, and
// what it finds is its own part of the next frontier. Nothing in it waits for another
// core: an atomic operation does, for the line of every vertex that is found and for all
// stores before it. In 16 of 20 comparisons on five graphs a search with compare-and-swap
// took 1.1 to 1.7 times as long.
//
//  1. Expand. The frontier is divided evenly, in its order, so that a worker goes on
//     where it was, near the vertices that its caches hold. A neighbour whose bit is not
//     in the visited set and that has no parent gets one. Bit and parent are plain
//     stores, and the worker notes the pair: its bid.
//  2. Rows that are too long for one worker are cut into pieces, which all workers read
//     in the same way.
//  3. Settle. When all are done, each worker looks which of its bids are in the tree.
//     Several workers may have set the parent of a vertex, but only one has the parent
//     that is there, because each vertex of the frontier is read by one worker. The
//     winners are the worker's part of the next frontier.
//
// Two workers that store to one word of the visited set at the same time may lose a bit.
// Until the level is settled the set is a filter: a vertex that lacks its bit has a
// parent, and is not found again. Settling sets lost bits again.
//
// One worker alone needs no bids: see serial.go.

const (
	// blockPairs is how many bids a worker has room for before it asks for more.
	blockPairs = 1 << 12
	// evenEntries is the number of row entries for each worker up to which the frontier
	// is divided once and for all. In larger levels the workers claim pieces, of some
	// claimEntries, at first of their own share and then of others'.
	evenEntries  = 1 << 13
	claimEntries = 1 << 11
)

// A span is a range of positions.
type span struct{ lo, hi int64 }

// direct is the state of a level that is run directly, and of the frontier that it leaves.
type direct struct {
	parts   []span // the frontier, in the queue's memory, a part for each worker
	open    bool   // the frontier is in parts: there are gaps between them
	size    int64  // vertices in all parts
	workers int    // that take part
	grain   int64  // vertices that they claim at a time
	bids    []uint64
	bidsEnd atomic.Int64
}

// A bidder is what one worker has in such a level.
type bidder struct {
	blocks []span // of the bids, the last of which is being filled
	room   int64  // end of the last block
	count  int64  // bids in all blocks
	left   []uint32
}

// bidRoom is how many bids all workers of a graph of n vertices have room for. A vertex
// for which several workers bid at the same time takes several places, which is rare; where
// the room does not suffice, rows are left over.
func bidRoom(n, workers int64, lean bool) int64 {
	const leanRoom = 1 << 18
	if workers == 1 {
		return 0
	}
	if lean {
		n = min(n, leanRoom)
	}
	return n + workers*blockPairs
}

// queueRoom is the length of the queue's memory: all vertices, as many more as may be
// bid for twice, and what a kernel may write past the end of each part.
func queueRoom(n, workers int64) int64 {
	return n + workers*(blockPairs+kernel.WonSlack) + kernel.ShortRow
}

func (m *machine) makeDirect(lean bool) (err error) {
	n, workers := int64(m.graph.NumVertices()), int64(len(m.workers))
	m.direct.parts = make([]span, 0, workers)
	m.direct.bids, err = arena.Make[uint64](&m.mem, int(bidRoom(n, workers, lean)))
	return err
}

// openParts has the frontier in parts. A queue is a single one.
func (m *machine) openParts() {
	d := &m.direct
	if d.open {
		return
	}
	m.needQueue()
	d.parts = append(d.parts[:0], span{0, int64(len(m.queue))})
	d.size, d.open = int64(len(m.queue)), true
}

// joinParts makes the frontier one queue again.
func (m *machine) joinParts() {
	d := &m.direct
	if !d.open {
		return
	}
	m.queue = m.queue[:cap(m.queue)]
	end := int64(0)
	for _, p := range d.parts {
		end += int64(copy(m.queue[end:], m.queue[p.lo:p.hi]))
	}
	m.queue = m.queue[:end]
	d.open, m.hasQueue = false, true
}

// topDownDirect runs a top-down level on some workers.
func (m *machine) topDownDirect(workers int) {
	m.openParts()
	d := &m.direct
	d.workers, d.grain = workers, m.claimGrain(workers)
	d.bidsEnd.Store(0)
	m.long.count.Store(0)
	m.queue, m.spare = m.queue[:cap(m.queue)], m.spare[:cap(m.spare)]
	m.team.RunFirst(workers, m.phases.bid)
	if len(m.long.all()) > 0 {
		m.cutRows()
		m.cursor.Store(0)
		m.team.RunFirst(workers, m.phases.bidPieces)
	}
	m.team.RunFirst(workers, m.phases.settle)
	m.queue, m.spare = m.spare, m.queue
	m.hasQueue, m.hasFront = false, false
	d.parts, d.size = d.parts[:0], 0
	examined, edges := int64(0), int64(0)
	for w := range workers {
		me := &m.workers[w]
		d.parts = append(d.parts, me.part)
		d.size += me.part.hi - me.part.lo
		examined += me.examined
		edges += me.edges
	}
	examined += m.readOverflow()
	m.state.Remaining += m.state.Edges - examined // replaces an estimate by the count
	if !clearlySmall(edges, &m.state) {
		m.joinParts()
		m.sampleNonHubs(&m.workers[0])
	}
}

// claimGrain is how many vertices a worker claims at a time: its whole share in a small
// level.
func (m *machine) claimGrain(workers int) int64 {
	f := &m.state
	if f.Edges+f.Vertices <= int64(workers)*evenEntries {
		return f.Vertices
	}
	return max(1, claimEntries*f.Vertices/(f.Edges+f.Vertices))
}

// bidWorker reads rows of the frontier: first of its own share, then of others'.
func (m *machine) bidWorker(id int) {
	d, me := &m.direct, &m.workers[id]
	me.bidder.blocks, me.bidder.left, me.bidder.count, me.bidder.room = me.bidder.blocks[:0], me.bidder.left[:0], 0, 0
	for _, owner := range me.stealOrder {
		if owner >= d.workers {
			continue
		}
		lo, hi := par.Split(d.size, 1, owner, d.workers)
		if d.grain >= hi-lo && owner != id {
			continue // it is one claim, of its owner
		}
		for {
			at := lo + m.workers[owner].taken.Add(d.grain) - d.grain
			if at >= hi {
				break
			}
			m.bidRange(at, min(at+d.grain, hi), me)
		}
	}
	me.closeBlock()
}

// bidRange reads the rows of the vertices at some positions of the frontier.
func (m *machine) bidRange(lo, hi int64, me *worker) {
	for _, p := range m.direct.parts {
		size := p.hi - p.lo
		if lo < size {
			m.bidRows(m.queue[p.lo+lo:p.lo+min(hi, size)], me)
		}
		lo, hi = max(lo-size, 0), hi-size
		if hi <= 0 {
			return
		}
	}
}

// bidRows reads the rows of some vertices of the frontier.
func (m *machine) bidRows(rest []uint32, me *worker) {
	for len(rest) > 0 {
		bids := m.bidMemory(me, kernel.ShortRow)
		if bids == nil {
			me.bidder.left = append(me.bidder.left, rest...)
			return
		}
		a := kernel.Advance{
			Queue: &rest[0], Count: int64(len(rest)), Visited: &m.visited[0], Parents: &m.parents[0],
			Offsets: &m.graph.Out.Offsets[0], Neighbors: unsafe.SliceData(m.graph.Out.Neighbors),
			Pairs: &bids[0], Room: int64(len(bids)),
		}
		m.kernels.Bid(&a)
		me.examined += a.Examined
		me.take(a.Found)
		if rest = rest[a.Done:]; len(rest) == 0 {
			return
		}
		if row := m.graph.Out.Row(rest[0]); len(row) > kernel.ShortRow {
			if len(row) >= longRow {
				m.long.add(rest[0])
			} else if !m.bidRow(rest[0], row, me) {
				me.bidder.left = append(me.bidder.left, rest...)
				return
			}
			rest = rest[1:]
		}
	}
}

// bidRow reads a row, or a piece of one, that is too long for the kernel Bid. It reports
// false, and does nothing, if there is no room.
func (m *machine) bidRow(v uint32, row []uint32, me *worker) bool {
	bids := m.bidMemory(me, int64(len(row)))
	if bids == nil {
		return false
	}
	a := kernel.RowBid{
		Row: unsafe.SliceData(row), Length: int64(len(row)), Parent: v, Visited: &m.visited[0], Parents: &m.parents[0],
		Pairs: &bids[0], Kept: &me.kept[0],
	}
	m.kernels.BidRow(&a)
	me.examined += int64(len(row))
	me.take(a.Found)
	return true
}

// bidPieceWorker reads pieces of long rows.
func (m *machine) bidPieceWorker(id int) {
	me := &m.workers[id]
	pieces := m.long.cuts[len(m.long.cuts)-1]
	for {
		number, _, ok := m.claim(pieces, 1)
		if !ok {
			break
		}
		if v, row := m.piece(number); !m.bidRow(v, row, me) {
			me.bidder.left = append(me.bidder.left, v)
		}
	}
	me.closeBlock()
}

// bidMemory returns room for some bids and more, or nil if there is none.
func (m *machine) bidMemory(me *worker, least int64) []uint64 {
	d, b := &m.direct, &me.bidder
	if n := len(b.blocks); n > 0 && b.room-b.blocks[n-1].hi >= least {
		return d.bids[b.blocks[n-1].hi:b.room]
	}
	lo := d.bidsEnd.Add(blockPairs) - blockPairs
	if lo+blockPairs > int64(len(d.bids)) {
		return nil
	}
	b.blocks, b.room = append(b.blocks, span{lo, lo}), lo+blockPairs
	return d.bids[lo:b.room]
}

// take notes that a worker has made some bids more.
func (w *worker) take(bids int64) {
	w.bidder.blocks[len(w.bidder.blocks)-1].hi += bids
	w.bidder.count += bids
}

// closeBlock has the next bid begin another block.
func (w *worker) closeBlock() { w.bidder.room = 0 }

// settleWorker makes the vertices that a worker has found its part of the frontier.
func (m *machine) settleWorker(id int) {
	me := &m.workers[id]
	first := int64(0)
	for w := range id {
		first += m.workers[w].bidder.count + kernel.WonSlack
	}
	part := m.spare[first:first:cap(m.spare)]
	for _, b := range me.bidder.blocks {
		part = part[:len(part)+len(m.kernels.Won(m.direct.bids[b.lo:b.hi], &m.parents[0], part[len(part):cap(part)]))]
	}
	for _, u := range part {
		if word := &m.visited[u>>6]; atomic.LoadUint64(word)>>(u&63)&1 == 0 {
			atomic.OrUint64(word, 1<<(u&63))
		}
	}
	me.part = span{first, first + int64(len(part))}
	me.found = int64(len(part))
	me.edges, me.long = m.entries(part, true)
}

// readOverflow reads the rows for whose neighbours there was no room, alone, and returns
// how many entries they have.
func (m *machine) readOverflow() (examined int64) {
	for w := range m.direct.workers {
		left := m.workers[w].bidder.left
		if len(left) == 0 {
			continue
		}
		m.joinParts()
		me, found := &m.workers[0], m.queue
		for _, v := range left {
			examined += m.graph.Out.Degree(v)
			found = m.advanceLong(v, found, me)
		}
		me.found += int64(len(found) - len(m.queue))
		edges, long := m.entries(found[len(m.queue):], true)
		me.edges, me.long = me.edges+edges, me.long+long
		m.queue = found
	}
	return examined
}
