package cpu

import (
	"math/bits"
	"sort"

	"github.com/gohops/hops/internal/kernel"
	"github.com/gohops/hops/internal/par"
)

// passOnAlone runs a small top-down level, from queue to queue.
func (m *many) passOnAlone() {
	m.team.For(int64(len(m.stale)), manyBlock, func(_ int, lo, hi int64) { clear(m.stale[lo:hi]) })
	m.words = m.words[:0]
	for _, v := range m.queue {
		m.words = append(m.words, m.seen[v]^m.before[v])
		m.before[v] = m.seen[v]
	}
	m.done.Examined, m.found = m.state.Edges, m.found[:0]
	for i, v := range m.queue {
		for _, u := range m.rows.out.Row(v) {
			if m.words[i]&^m.seen[u] == 0 {
				continue
			}
			if m.before[u] == m.seen[u] {
				m.found = append(m.found, u)
			}
			m.before[u] |= m.words[i]
		}
	}
	for _, u := range m.found {
		for _, words := range m.marked {
			words[u] |= m.before[u] &^ m.seen[u]
		}
	}
	m.seen, m.before = m.before, m.seen
	m.queue, m.found = m.found, m.queue
	m.tally()
}

// passOn adds what the frontier has of some roots to the words of its neighbours,
// top-down.
func (m *many) passOn(roots uint64) {
	if m.listed {
		m.takeFrontier(roots)
	} else {
		m.listFrontier(roots)
	}
	for _, v := range m.queue {
		m.workers[0].examined += m.rows.out.Degree(v)
	}
	m.team.Run(m.passOnWorker)
}

// takeFrontier keeps, of a frontier in queue, the vertices that are in that of some
// roots, and makes before equal to seen, from which it differs nowhere else.
func (m *many) takeFrontier(roots uint64) {
	kept := m.queue[:0]
	m.words = m.words[:0]
	for _, v := range m.queue {
		if word := (m.seen[v] ^ m.before[v]) & roots; word != 0 {
			kept, m.words = append(kept, v), append(m.words, word)
		}
		m.before[v] = m.seen[v]
	}
	m.queue = kept
}

// listFrontier does the same where the frontier has to be looked for.
func (m *many) listFrontier(roots uint64) {
	m.team.Run(func(id int) {
		me := &m.workers[id]
		lo, hi := par.Split(int64(len(m.seen)), manyBlock, id, len(m.workers))
		for v := lo; v < hi; v++ {
			if (m.seen[v]^m.before[v])&roots != 0 {
				me.list = append(me.list, uint32(v))
			}
		}
	})
	m.queue, m.words = m.queue[:0], m.words[:0]
	for w := range m.workers {
		me := &m.workers[w]
		m.queue, me.list = append(m.queue, me.list...), me.list[:0]
	}
	for _, v := range m.queue {
		m.words = append(m.words, (m.seen[v]^m.before[v])&roots)
	}
	m.team.For(int64(len(m.seen)), manyBlock, func(_ int, lo, hi int64) {
		copy(m.before[lo:hi], m.seen[lo:hi])
	})
}

// passOnWorker reads those parts of the rows that are this worker's affair.
func (m *many) passOnWorker(id int) {
	lo, hi, next := m.workers[id].lo, m.workers[id].hi, m.before
	for i, v := range m.queue {
		row, word := m.rows.out.Row(v), m.words[i]
		if id > 0 {
			row = row[sort.Search(len(row), func(i int) bool { return row[i] >= lo }):]
		}
		for _, u := range row {
			if u >= hi {
				break
			}
			next[u] |= word
		}
	}
}

// sweep passes over all vertices that are not closed. Each looks for those of some
// roots that it misses, bottom-up, and what was found in this level, in whatever
// way, is booked.
func (m *many) sweep(upwards uint64) {
	kept := ^uint64(0) // of before: what was passed on
	if upwards == m.alive {
		kept = 0
	}
	m.team.For(int64(len(m.closed)), manyBlock/64, func(id int, lo, hi int64) {
		me := &m.workers[id]
		if upwards != 0 {
			m.ask(lo, hi, upwards, kept, me)
		}
		m.settle(lo, hi, me)
	})
	m.seen, m.before = m.before, m.seen
	m.sum()
}

// ask looks for roots among the neighbours of the vertices of some words of the
// bitmaps: in their heads, and then in the rows of those who miss some still.
func (m *many) ask(lo, hi int64, upwards, kept uint64, me *manyWorker) {
	heads := kernel.HeadAsk{
		Closed: &m.closed[lo], Tail: &m.rows.tail[lo], Head: &m.rows.head[lo*64], Seen: &m.seen[0], Now: &m.before[lo*64],
		Misses: &me.vertices[0], Missing: &me.missing[0], Wanted: upwards, Keep: kept, Words: hi - lo, First: uint64(lo * 64),
	}
	m.kernels.AskHeads(&heads)
	me.examined += heads.Examined
	if heads.Missed == 0 {
		return
	}
	rows := kernel.RowAsk{
		Vertices: &me.vertices[0], Missing: &me.missing[0], Count: heads.Missed,
		Offsets: &m.rows.in.Offsets[0], Neighbors: &m.rows.in.Neighbors[0], Seen: &m.seen[0], Now: &m.before[0],
	}
	m.kernels.AskRows(&rows)
	me.examined += rows.Examined
}

// settle books what the vertices of some words of the bitmaps have found.
func (m *many) settle(lo, hi int64, me *manyWorker) {
	now, seen := m.before[lo*64:hi*64], m.seen[lo*64:hi*64]
	s := kernel.Settlement{Seen: &seen[0], Now: &now[0], Closed: &m.closed[lo], Fresh: &m.fresh[lo], Words: hi - lo, Alive: m.alive}
	m.kernels.Settle(&s)
	if m.stale != nil {
		clear(m.stale[lo*64 : hi*64])
	}
	if s.Reached == 0 {
		return
	}
	me.reached |= s.Reached
	for _, words := range m.marked {
		m.kernels.Mark(words[lo*64:hi*64], now, seen)
	}
	for w := lo; w < hi; w++ {
		fresh := m.fresh[w]
		me.found += int64(bits.OnesCount64(fresh))
		m.sample(w, fresh, me)
		for ; fresh != 0 && len(me.list) < manyListed; fresh &= fresh - 1 {
			me.list = append(me.list, uint32(w)<<6+uint32(bits.TrailingZeros64(fresh)))
		}
	}
}

// sum adds up what the workers have found.
func (m *many) sum() {
	m.state.Vertices, m.state.Edges, m.done.Examined, m.alive = 0, 0, 0, 0
	m.queue, m.listed, m.split = m.queue[:0], true, rootSplit{}
	clear(m.edges[:])
	for w := range m.workers {
		me := &m.workers[w]
		m.state.Vertices += me.found
		m.state.Edges += me.entries
		m.done.Examined += me.examined
		m.alive |= me.reached
		m.listed = m.listed && int64(len(me.list)) == me.found
		for i, entries := range me.edges {
			m.edges[i] += entries
		}
		m.queue = append(m.queue, me.list...)
	}
	if m.state.Vertices > 0 {
		m.deepest = m.depth
	}
	if m.listed {
		m.tally()
	}
}
