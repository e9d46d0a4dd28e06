package cluster

import (
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/bottomup"
)

// A bottom-up level over the gathered frontier: every unvisited vertex looks for a
// neighbour in it, and no rank needs to hear from another before the end. Heavy
// vertices are looked for by all workers, each in the neighbours that it owns.
func (m *machine[L]) bottomUp() {
	err := m.gather()
	if err == nil {
		err = m.lookup.prepare()
	}
	if err != nil {
		m.fail(err)
		return
	}
	for t := range m.workers {
		m.workers[t].taken.Store(0)
	}
	m.Team.Run(m.phases.bottomUp)
	m.frontier.advance()
}

// bottomUpWorker takes its own blocks first and then those that other threads of the
// rank have left: rows differ in length, and a block is all that two threads
// could meet on.
func (m *machine[L]) bottomUpWorker(t int) {
	me := &m.workers[t]
	for i := range m.workers {
		owner := (t + i) % len(m.workers)
		w, next := &m.workers[owner], m.frontier.outWords[owner]
		for {
			lo := w.taken.Add(bottomup.BlockWords) - bottomup.BlockWords
			if lo >= w.words() {
				break
			}
			m.probeBlock(me, w, next, lo, min(lo+bottomup.BlockWords, w.words()))
		}
	}
	me.findHeavy(&m.heavy, m.frontier.inWords[t])
}

// probeBlock looks for parents of the vertices of some words of worker w.
func (m *machine[L]) probeBlock(me, w *worker[L], next bitset.Set, lo, hi int64) {
	if w.out.full == nil {
		bottomup.PrefetchSamples(m.kernels, w.out.offsets, w.visited[lo:hi], lo, hi)
	}
	me.tally.counts[sumExamined] += m.lookup.block(me, w, next, lo, hi)
	me.tally.counts[sumSwept] += 2 * (hi - lo) // of what is visited, and of what is found
	for i := lo; i < hi; i++ {
		if found := next[i]; found != 0 {
			w.visited[i] |= found
			me.book(w, i, found)
		}
	}
}
