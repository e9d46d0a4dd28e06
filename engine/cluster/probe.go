package cluster

import (
	"math"

	"github.com/gohops/hops/internal/bottomup"
)

// A bottom-up level by probe and claim.
//
//  1. Every unvisited vertex looks at its heavy neighbours, whose state all ranks
//     know, and at those of its own rank.
//  2. For any other neighbour it sends a probe to the owner, which answers with a
//     claim if that neighbour is in the frontier; there is no other answer.
//
// A vertex that has been claimed stops asking. To make use of that, probes are
// staggered: in the first pass every vertex looks at one neighbour, in the second
// at the next two, then at four and so on, and claims of a pass arrive before the
// next one begins. On a Kronecker graph, whose rows start with the neighbour of the
// highest degree, few vertices are left after two passes. In bulk there is one pass.
func (m *machine[L]) probe() {
	m.wantBitmap()
	m.claims = true
	m.Team.Run(m.phases.open)
	for m.pass = 0; !m.failed(); m.pass++ {
		m.delivery.begin()
		m.delivery.deliver(backward, m.phases.probe, nil)
		m.delivery.deliver(forward, m.phases.answer, nil)
		if m.failed() || m.delivery.asking() == 0 {
			break
		}
	}
	if m.failed() {
		return
	}
	m.Team.Run(m.phases.book)
	m.nextQueue()
}

// askingHere is the number of vertices of this rank that have not looked at all their
// neighbours.
func (m *machine[L]) askingHere() (open uint64) {
	for t := range m.workers {
		open += uint64(len(m.workers[t].queue))
	}
	return open
}

// held are probes that have arrived and wait for an answer: answering takes a
// packet, of which there may be none just then.
type held struct {
	sender int // worker from whose first vertex the senders' ends are numbered
	edges  []uint64
}

// openWorker lists the unvisited vertices, where the frontier was listed.
func (m *machine[L]) openWorker(t int) {
	w := &m.workers[t]
	w.found, w.queue = w.found[:0], bottomup.AppendUnvisited(w.queue[:0], w.visited, 0)
	w.swept()
	w.findHeavy(&m.heavy, m.frontier.inWords[t])
}

// probeWorker lets every open vertex look at the neighbours of this pass.
func (m *machine[L]) probeWorker(t int) {
	w := &m.workers[t]
	from, to := m.delivery.pass(m.pass)
	open := w.queue[:0]
	for _, v := range w.queue {
		if w.visited.Has(uint64(v)) {
			continue
		}
		row := w.in.row(v)
		if !m.ask(w, v, row[min(from, len(row)):min(to, len(row))], from) && to < len(row) {
			open = append(open, v)
		}
		if m.failed() {
			return
		}
	}
	w.queue = open
}

// ask looks at some neighbours of v, of which the first stands at the given
// place of its row. It reports whether one of them is known to be in the
// frontier.
func (m *machine[L]) ask(w *worker[L], v uint32, row []L, at int) bool {
	heavy, _ := w.in.split(v)
	for i, u := range row {
		w.tally.counts[sumExamined]++
		if at+i < len(heavy) {
			if h, _ := m.heavy.index(u); m.heavy.front.Has(uint64(h)) {
				w.visit(v, u)
				return true
			}
			continue
		}
		d := m.Parts.Owner(uint64(u))
		if d/m.Parts.Threads != m.Comm.Rank() {
			m.delivery.post(w, backward, d, uint32(uint64(u)-m.Parts.Cuts[d]), v)
		} else if m.frontier.in.Has(uint64(u) - m.frontier.base) {
			w.visit(v, u)
			return true
		}
	}
	return false
}

func (m *machine[L]) answerWorker(t int) { m.answerHeld(&m.workers[t]) }

// answerHeld answers the probes that have arrived: those for a vertex in the
// frontier.
func (m *machine[L]) answerHeld(w *worker[L]) {
	front := m.frontier.inWords[w.thread]
	for len(w.held) > 0 && !m.failed() {
		last := w.held[len(w.held)-1]
		w.held = w.held[:len(w.held)-1]
		for _, e := range last.edges {
			if u := uint32(e >> 32); front.Has(uint64(u)) {
				asker := m.Parts.Cuts[last.sender] + e&math.MaxUint32
				d := m.Parts.Owner(asker)
				m.delivery.post(w, forward, d, uint32(asker-m.Parts.Cuts[d]), u)
			}
		}
	}
}
