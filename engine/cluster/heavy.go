package cluster

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"

	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/kernel"
	"github.com/gohops/hops/internal/ranks/deal"
	"github.com/gohops/hops/internal/ranks/rank"
)

// heavy are the vertices with the longest rows, counted in both directions together. No
// rank owns their rows: an edge of a heavy vertex is stored with the owner of its other
// end, so that following it, in either direction, takes no message. All ranks know which heavy vertices
// are visited and which are in the frontier; what each has found is combined at
// the end of every level, and the parents that each has found at the end of the
// search.
type heavy[L label] struct {
	index[L]
	cut     int        // their class, at least
	degrees []int64    // entries that lead out of each, duplicates included
	closed  bitset.Set // those without an edge into them, by index

	visited bitset.Set // by index; the same on all ranks
	front   bitset.Set // the same on all ranks
	done    bool       // all are visited

	first, end int // those that this rank owns as vertices

	found   []uint64 // by this rank in a level, combined over all ranks
	parents []uint64 // that this rank has found, plus 1, combined over all ranks
}

// count finds out whether all are visited.
func (h *heavy[L]) count() { h.done = h.visited.Count() == int64(len(h.labels)) }

func newHeavy[L label](vertices []deal.Vertex, cut int) heavy[L] {
	labels := make([]L, len(vertices))
	h := heavy[L]{degrees: make([]int64, len(vertices)), cut: cut}
	for _, set := range []*bitset.Set{&h.closed, &h.visited, &h.front} {
		*set = bitset.New(int64(len(vertices)))
	}
	for i, v := range vertices {
		labels[i], h.degrees[i] = L(v.Label), int64(v.Out)
		if v.In == 0 {
			h.closed.Add(uint64(i))
		}
	}
	h.index = newIndex(labels)
	return h
}

// An index numbers a few of the vertices of the graph.
type index[L label] struct {
	labels []L      // by number, ascending
	table  []uint32 // open addressing: number+1 of a label, or 0
	shift  uint
}

func newIndex[L label](labels []L) index[L] {
	log := bits.Len(uint(2*len(labels) + 1))
	x := index[L]{labels: labels, table: make([]uint32, 1<<log), shift: uint(64 - log)}
	for i, v := range labels {
		at := x.slot(v)
		for x.table[at] != 0 {
			at = (at + 1) % len(x.table)
		}
		x.table[at] = uint32(i) + 1
	}
	return x
}

func (x *index[L]) slot(v L) int { return int(uint64(v) * 0x9e3779b97f4a7c15 >> x.shift) }

// number is the number of a heavy vertex; ok is false for any other.
func (x *index[L]) number(v L) (i uint32, ok bool) {
	for at := x.slot(v); x.table[at] != 0; at = (at + 1) % len(x.table) {
		if i := x.table[at] - 1; x.labels[i] == v {
			return i, true
		}
	}
	return 0, false
}

// has tells whether a vertex has a number.
func (x *index[L]) has(v L) bool {
	_, ok := x.number(v)
	return ok
}

// own notes which of them are the vertices from first up to end.
func (h *heavy[L]) own(first, end uint64) {
	before := func(v L, label uint64) int { return cmp.Compare(uint64(v), label) }
	h.first, _ = slices.BinarySearchFunc(h.labels, first, before)
	h.end, _ = slices.BinarySearchFunc(h.labels, end, before)
}

// followHeavy visits the neighbours that this worker owns of the heavy vertices
// in the frontier. In their rows its own vertices come first, and then the heavy ones.
func (w *worker[L]) followHeavy(h *heavy[L], k kernel.Kernels) {
	for i := range h.front.All {
		row := w.in.heavyColumns.column(uint32(i))
		w.tally.counts[sumExamined] += int64(len(row))
		own := sort.Search(len(row), func(at int) bool { return row[at] >= w.count })
		w.takeRow(row[:own], h.labels[i], k)
		for _, v := range row[own:] {
			w.visitHeavy(h, v-w.count, h.labels[i])
		}
	}
}

// findHeavy looks for parents of the heavy vertices among the vertices of this
// worker, front being its words of the frontier, and among each other.
func (w *worker[L]) findHeavy(h *heavy[L], front bitset.Set) {
	if h.done {
		return
	}
	for i := range h.labels {
		if h.visited.Has(uint64(i)) {
			continue
		}
		for _, v := range w.out.heavyColumns.column(uint32(i)) {
			w.tally.counts[sumExamined]++
			if v < w.count && front.Has(uint64(v)) {
				w.visitHeavy(h, uint32(i), w.label(v))
				break
			}
			if v >= w.count && h.front.Has(uint64(v-w.count)) {
				w.visitHeavy(h, uint32(i), h.labels[v-w.count])
				break
			}
		}
	}
}

// markHeavy adds the heavy vertices of the frontier that this rank owns to the bitmap.
func (m *machine[L]) markHeavy() {
	for i := m.heavy.first; i < m.heavy.end; i++ {
		if m.heavy.front.Has(uint64(i)) {
			m.frontier.in.Add(uint64(m.heavy.labels[i]) - m.frontier.base)
		}
	}
}

// combineHeavy makes what any worker of any rank has found of the heavy vertices
// their next frontier.
func (m *machine[L]) combineHeavy() error {
	h := &m.heavy
	if h.done {
		h.front.Clear()
		return nil
	}
	clear(h.found)
	for t := range m.workers {
		found := m.workers[t].heavy.found
		rank.Or.Combine(h.found, found)
		found.Clear()
	}
	if err := rank.Reduced(m.Comm, rank.Or, h.found); err != nil {
		return err
	}
	for i, found := range h.found {
		h.front[i] = found // workers find none that was visited
		h.visited[i] |= found
	}
	h.count()
	return nil
}

// Finish gives the heavy vertices their parents, of which each rank may have
// found another; any will do.
func (m *machine[L]) Finish() error {
	h := &m.heavy
	if len(h.labels) == 0 {
		return nil
	}
	clear(h.parents)
	for t := range m.workers {
		for i, p := range m.workers[t].heavy.parents {
			h.parents[i] = max(h.parents[i], uint64(p+1))
		}
	}
	if err := rank.Reduced(m.Comm, rank.Max, h.parents); err != nil {
		return err
	}
	for t := range m.workers {
		w := &m.workers[t]
		for i, v := range h.labels {
			if p := h.parents[i]; p > 0 && uint64(v)-w.first < uint64(w.count) {
				w.parents.set(uint32(uint64(v)-w.first), L(p-1))
			}
		}
	}
	return nil
}
