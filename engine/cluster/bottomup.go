package cluster

import (
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/bottomup"
)

// A bottom-up level over the gathered frontier: every unvisited vertex looks for a
// neighbour in it, and no rank needs to hear from another before the end. Heavy
// vertices are looked for by all workers, each in the neighbours that it owns.
func (m *machine[L]) bottomUp() {
	m.gatherings++
	if err := m.gather(); err != nil {
		m.fail(err)
		return
	}
	for t := range m.workers {
		m.workers[t].taken.begin(m.gatherings)
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
			lo := w.taken.block()
			if lo >= w.words() {
				break
			}
			m.probeBlock(me, w, next, lo, min(lo+bottomup.BlockWords, w.words()))
		}
	}
	me.findHeavy(&m.heavy, m.frontier.inWords[t])
	m.lookup.help(me)
}

// probeBlock looks for parents of the vertices of some words of worker w.
func (m *machine[L]) probeBlock(me, w *worker[L], next bitset.Set, lo, hi int64) {
	me.tally.counts[sumExamined] += m.lookup.block(me, w, next, lo, hi)
	me.bookBlock(w.samples, w.visited, next, lo, hi)
}

// bookBlock marks the vertices that were found in some words of a worker as visited, and
// counts them.
func (me *worker[L]) bookBlock(samples bottomup.Samples, visited, next bitset.Set, lo, hi int64) {
	me.tally.counts[sumSwept] += 2 * (hi - lo) // of what is visited, and of what is found
	for i := lo; i < hi; i++ {
		if found := next[i] &^ visited[i]; found != 0 {
			visited[i] |= found
			me.book(samples, i, found)
		}
	}
}

// bottomUpLeft is a bottom-up level by list, as internal/base/bottomup has it: for few
// vertices. Every worker lists its unvisited vertices when it first comes to such a
// level. The frontier is gathered as for the others, and the vertices that are found
// are both listed and marked, so that any step may follow.
func (m *machine[L]) bottomUpLeft() {
	if err := m.gather(); err != nil {
		m.fail(err)
		return
	}
	m.Team.Run(m.phases.left)
	m.hasLeft = true
	m.nextQueue()
	m.frontier.advance()
	m.frontier.hasQueue = true
}

func (m *machine[L]) leftWorker(t int) {
	w := &m.workers[t]
	if !m.hasLeft {
		w.left = bottomup.AppendUnvisited(w.left[:0], w.visited, 0)
	}
	next := m.frontier.outWords[t]
	next.Clear()
	left, found, examined := m.lookup.list(w, next)
	w.left = left
	w.found = append(w.found[:0], found...)
	w.tally.counts[sumExamined] += examined
	w.bookQueue()
	w.findHeavy(&m.heavy, m.frontier.inWords[t])
}
