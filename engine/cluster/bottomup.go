package cluster

import (
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/bottomup"
)

// A bottom-up level over the gathered frontier: every unvisited vertex looks for a
// neighbour in it, and no rank needs to hear from another before the end. Heavy
// vertices are looked for by all workers, each in the neighbours that it owns.
func (m *machine) bottomUp() {
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
func (m *machine) bottomUpWorker(t int) {
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
func (m *machine) probeBlock(me, w *worker, next bitset.Set, lo, hi int64) {
	me.tally.counts[sumExamined] += m.lookup.block(me, w, next, lo, hi)
	me.tally.counts[sumSwept] += 2 * (hi - lo) // of what is visited, and of what is found
	for i := lo; i < hi; i++ {
		if found := next[i]; found != 0 {
			w.visited[i] |= found
			me.book(w, i, found)
		}
	}
}

// A lookup finds parents in the gathered frontier.
type lookup interface {
	// prepare makes use of a frontier that was gathered.
	prepare() error
	// block looks for parents of the unvisited vertices of worker w in the words
	// from lo up to hi, all of one block, and writes these words of next. It returns
	// the number of entries that it has looked at.
	block(me, w *worker, next bitset.Set, lo, hi int64) (examined int64)
}

func newLookup(m *machine, summary int) (lookup, error) {
	if summary > 0 {
		return newSummary(m, summary)
	}
	return headsAndTails{m}, nil
}

// headsAndTails is the lookup of internal/bottomup.
type headsAndTails struct{ *machine }

func (headsAndTails) prepare() error { return nil }

func (m headsAndTails) block(me, w *worker, next bitset.Set, lo, hi int64) (examined int64) {
	look := m.look(w, next)
	return look.Block(lo, hi, w.visited[lo:hi], &me.misses)
}

// look is a bottom-up level on the rows of a worker.
func (m *machine) look(w *worker, next bitset.Set) bottomup.Level {
	return bottomup.Level{Rows: &w.rows, Kernels: m.kernels, Front: m.frontier.in, Next: next, Parents: w.parents}
}
