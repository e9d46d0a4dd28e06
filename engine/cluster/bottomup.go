package cluster

import (
	"unsafe"

	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/kernel"
)

// A bottom-up level over the gathered frontier: every unvisited vertex looks for a
// neighbour in it, and no rank needs to hear from another before the end.
//
//  1. The heads of all open vertices of a block are probed, an array read in
//     order against a bitmap that fits in the second-level cache.
//  2. Those that missed and have more neighbours form a list; the next ones are
//     probed, one of each row at a time, until few rows are left, which are
//     scanned one by one; rows that go on where the tails are cut off are scanned
//     to their end.
//  3. Heavy vertices are looked for by all workers, each in the neighbours that
//     it owns.
func (m *machine) bottomUp() {
	if err := m.gather(); err != nil {
		m.fail(err)
		return
	}
	m.summarize()
	for t := range m.workers {
		m.workers[t].taken.Store(0)
	}
	m.team.Run(m.phases.bottomUp)
	m.advance()
}

// bottomUpWorker takes its own blocks first and then what other threads of the
// rank have left: rows differ in length, and a block is all that two threads
// could meet on.
func (m *machine) bottomUpWorker(t int) {
	me := &m.workers[t]
	for i := range m.workers {
		owner := (t + i) % len(m.workers)
		w, next := &m.workers[owner], m.nextWords[owner]
		for {
			lo := w.taken.Add(blockWords) - blockWords
			if lo >= w.words() {
				break
			}
			m.probeBlock(me, w, next, lo, min(lo+blockWords, w.words()))
		}
	}
	me.findHeavy(&m.heavy, m.mirrors[t])
}

// probeBlock looks for parents of the vertices of some words of worker w.
func (m *machine) probeBlock(me, w *worker, next bitset.Set, lo, hi int64) {
	if m.opts.Summary > 0 {
		m.probeSummarized(me, w, next, lo, hi)
	} else {
		heads := kernel.HeadProbe{
			Visited: &w.visited[lo], Next: &next[lo], Tail: &w.long[lo],
			Head: &w.head[lo*64], Front: &m.in[0], Parents: &w.parents[lo*64],
			Misses: &me.probe.vertices[0], Words: hi - lo, First: uint64(lo * 64),
		}
		m.kernels.ProbeHeads(&heads)
		me.tally.examined += heads.Examined
		if heads.Missed > 0 {
			m.probeTails(me, w, next, lo/blockWords, heads.Missed)
		}
	}
	for i := lo; i < hi; i++ {
		if found := next[i]; found != 0 {
			w.visited[i] |= found
			me.book(w, i, found)
		}
	}
}

// probeTails looks at what follows the heads of the vertices on the list.
func (m *machine) probeTails(me, w *worker, next bitset.Set, block, missed int64) {
	list := &me.probe
	count, long := list.listTails(&w.tails, block, missed)
	entries := w.tails.entries[w.tails.base[block]:]
	probe := kernel.TailProbe{
		Neighbors: unsafe.SliceData(entries), Front: &m.in[0], Parents: &w.parents[0],
		Vertices: &list.vertices[0], Pos: &list.pos[0], End: &list.end[0], Hits: &list.hits[0], Count: count,
	}
	for probe.Count > kernel.Slack {
		me.tally.examined += probe.Count
		m.kernels.ProbeTails(&probe)
		for _, v := range list.hits[:probe.Found] {
			next.Add(uint64(v))
		}
	}
	for i, v := range list.vertices[:probe.Count] {
		me.tally.examined += m.scanRest(w, next, v, entries[list.pos[i]:list.end[i]])
	}
	for _, v := range list.long[:long] {
		if !next.Has(uint64(v)) {
			me.tally.examined += m.scanRest(w, next, v, w.row(v)[1+longestTail:])
		}
	}
}

// listTails finds the tails of the vertices on the list, and lists those that
// may be cut off.
func (s *scratch) listTails(t *tails, block, missed int64) (count, long int64) {
	pos := t.pos[block:]
	for _, v := range s.vertices[:missed] {
		start, end := uint32(pos[v]), uint32(pos[v+1])
		s.vertices[count], s.pos[count], s.end[count] = v, start, end
		if start < end {
			count++
		}
		s.long[long] = v
		if end-start == longestTail {
			long++
		}
	}
	return count, long
}

// scanRest looks at the neighbours of v that are left and returns at how many.
func (m *machine) scanRest(w *worker, next bitset.Set, v uint32, rest []uint32) int64 {
	i := m.kernels.ScanRow(rest, &m.in[0])
	if i < 0 {
		return int64(len(rest))
	}
	w.parents[v] = rest[i]
	next.Add(uint64(v))
	return int64(i) + 1
}

// findHeavy looks for parents of the heavy vertices among the vertices of this
// worker, front being its words of the frontier, and among each other.
func (w *worker) findHeavy(h *heavy, front bitset.Set) {
	for i := range h.labels {
		if h.visited.Has(uint64(i)) {
			continue
		}
		for _, v := range w.heavyRows.row(uint32(i)) {
			w.tally.examined++
			if v < w.count && front.Has(uint64(v)) {
				w.visitHeavy(h, uint32(i), w.first+v)
				break
			}
			if v >= w.count && h.front.Has(uint64(v-w.count)) {
				w.visitHeavy(h, uint32(i), h.labels[v-w.count])
				break
			}
		}
	}
}
