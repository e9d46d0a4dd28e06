package cluster

import "github.com/gohops/hops/internal/bottomup"

// bottomUpLeft is a bottom-up level by list, as internal/bottomup has it: for few
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
