package many

import (
	"math/bits"

	"github.com/gohops/hops/internal/base/kernel"
)

// sweep passes over all vertices that are not closed. It runs the bottom-up half of
// the level for some roots, and counts what both halves of the level have found.
func (m *machine) sweep(upwards uint64) {
	keep := ^uint64(0) // all ones: before holds what the top-down half has found
	if upwards == m.active {
		keep = 0
	}
	m.team.For(int64(len(m.closed)), blockSize/64, func(id int, lo, hi int64) {
		me := &m.workers[id]
		if upwards != 0 {
			m.bottomUp(lo, hi, upwards, keep, me)
		}
		m.countBlock(lo, hi, me)
	})
	m.seen, m.before = m.before, m.seen
	m.sumWorkers()
}

// bottomUp looks for roots among the neighbours of the vertices of a range of bitmap
// words: first in the heads, then in the rows of the vertices that still miss a root.
func (m *machine) bottomUp(lo, hi int64, upwards, keep uint64, me *worker) {
	heads := kernel.HeadAsk{
		Closed: &m.closed[lo], More: &m.rows.more[lo], Head: &m.rows.head[lo*64], Seen: &m.seen[0], Now: &m.before[lo*64],
		Misses: &me.vertices[0], Missing: &me.missing[0], Wanted: upwards, Keep: keep, Words: hi - lo, First: uint64(lo * 64),
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

// countBlock counts what the vertices of a range of bitmap words have found, and
// sets their levels.
func (m *machine) countBlock(lo, hi int64, me *worker) {
	now, seen := m.before[lo*64:hi*64], m.seen[lo*64:hi*64]
	s := kernel.Comparison{Seen: &seen[0], Now: &now[0], Closed: &m.closed[lo], Fresh: &m.fresh[lo], Words: hi - lo, Active: m.active}
	m.kernels.Compare(&s)
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
		m.sampleEntries(w, fresh, me)
		for ; fresh != 0 && len(me.list) < maxListed; fresh &= fresh - 1 {
			me.list = append(me.list, uint32(w)<<6+uint32(bits.TrailingZeros64(fresh)))
		}
	}
}

// sumWorkers adds up the counts of the workers.
func (m *machine) sumWorkers() {
	m.state.Vertices, m.state.Edges, m.done.Examined, m.active = 0, 0, 0, 0
	m.queue, m.isListed, m.split = m.queue[:0], true, rootSplit{}
	clear(m.entries[:])
	for w := range m.workers {
		me := &m.workers[w]
		m.state.Vertices += me.found
		m.state.Edges += me.edges
		m.done.Examined += me.examined
		m.active |= me.reached
		m.isListed = m.isListed && int64(len(me.list)) == me.found
		for i, entries := range me.entries {
			m.entries[i] += entries
		}
		m.queue = append(m.queue, me.list...)
	}
	if m.state.Vertices > 0 {
		m.deepest = m.depth
	}
	if m.isListed {
		m.countQueue()
	}
}
