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
	m.team.Run(m.phases.bottomUp)
	m.advance()
}

func (m *machine) bottomUpWorker(t int) {
	w := &m.workers[t]
	next := m.nextWords[t]
	for lo := int64(0); lo < w.words(); lo += blockWords {
		m.probeBlock(w, next, lo, min(lo+blockWords, w.words()))
	}
	w.findHeavy(&m.heavy, m.mirrors[t])
}

func (m *machine) probeBlock(w *worker, next bitset.Set, lo, hi int64) {
	if m.opts.Summary > 0 {
		m.probeSummarized(w, next, lo, hi)
	} else {
		heads := kernel.HeadProbe{
			Visited: &w.visited[lo], Next: &next[lo], Tail: &w.long[lo],
			Head: &w.head[lo*64], Front: &m.in[0], Parents: &w.parents[lo*64],
			Misses: &w.probe.vertices[0], Words: hi - lo, First: uint64(lo * 64),
		}
		m.kernels.ProbeHeads(&heads)
		w.tally.examined += heads.Examined
		if heads.Missed > 0 {
			m.probeTails(w, next, lo/blockWords, heads.Missed)
		}
	}
	for i := lo; i < hi; i++ {
		if found := next[i]; found != 0 {
			w.visited[i] |= found
			w.book(i, found)
		}
	}
}

// probeTails looks at what follows the heads of the vertices on the list.
func (m *machine) probeTails(w *worker, next bitset.Set, block, missed int64) {
	list := &w.probe
	count, long := w.listTails(block, missed)
	entries := w.tails.entries[w.tails.base[block]:]
	probe := kernel.TailProbe{
		Neighbors: unsafe.SliceData(entries), Front: &m.in[0], Parents: &w.parents[0],
		Vertices: &list.vertices[0], Pos: &list.pos[0], End: &list.end[0], Hits: &list.hits[0], Count: count,
	}
	for probe.Count > kernel.Slack {
		w.tally.examined += probe.Count
		m.kernels.ProbeTails(&probe)
		for _, v := range list.hits[:probe.Found] {
			next.Add(uint64(v))
		}
	}
	for i, v := range list.vertices[:probe.Count] {
		m.scanRest(w, next, v, entries[list.pos[i]:list.end[i]])
	}
	for _, v := range list.long[:long] {
		if !next.Has(uint64(v)) {
			m.scanRest(w, next, v, w.row(v)[1+longestTail:])
		}
	}
}

// listTails finds the tails of the vertices on the list, and lists those that
// may be cut off.
func (w *worker) listTails(block, missed int64) (count, long int64) {
	list, pos := &w.probe, w.tails.pos[block:]
	for _, v := range list.vertices[:missed] {
		start, end := uint32(pos[v]), uint32(pos[v+1])
		list.vertices[count], list.pos[count], list.end[count] = v, start, end
		if start < end {
			count++
		}
		list.long[long] = v
		if end-start == longestTail {
			long++
		}
	}
	return count, long
}

// scanRest looks at the neighbours of v that are left.
func (m *machine) scanRest(w *worker, next bitset.Set, v uint32, rest []uint32) {
	i := m.kernels.ScanRow(rest, &m.in[0])
	if i < 0 {
		w.tally.examined += int64(len(rest))
		return
	}
	w.tally.examined += int64(i) + 1
	w.parents[v] = rest[i]
	next.Add(uint64(v))
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
