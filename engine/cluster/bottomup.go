package cluster

import (
	"github.com/gohops/hops/internal/bitset"
)

// A bottom-up level over the gathered frontier: every unvisited vertex looks for a
// neighbour in it (probing.go), and no rank needs to hear from another before the
// end. Heavy vertices are looked for by all workers, each in the neighbours that
// it owns.
func (m *machine) bottomUp() {
	err := m.gather()
	if err == nil {
		err = m.summarize()
	}
	if err != nil {
		m.fail(err)
		return
	}
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
		p := probing{
			kernels: m.kernels, rows: w, head: w.head, long: w.long, tails: &w.tails,
			front: m.in, parents: w.parents,
		}
		me.tally.examined += p.words(&me.probe, w.visited[lo:hi], next, lo, hi)
	}
	for i := lo; i < hi; i++ {
		if found := next[i]; found != 0 {
			w.visited[i] |= found
			me.book(w, i, found)
		}
	}
}

// findHeavy looks for parents of the heavy vertices among the vertices of this
// worker, front being its words of the frontier, and among each other.
func (w *worker) findHeavy(h *heavy, front bitset.Set) {
	if h.done {
		return
	}
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
