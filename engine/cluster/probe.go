package cluster

import (
	"math/bits"

	"github.com/gohops/hops/internal/rank"
)

// A bottom-up level by probe and claim.
//
//  1. Every unvisited vertex looks at its heavy neighbours, whose state all ranks
//     know, and at those of its own rank.
//  2. For any other neighbour it sends a probe to the owner, who answers with a
//     claim if that neighbour is in the frontier; there is no other answer.
//
// A vertex that has been claimed stops asking. To make use of that, probes are
// staggered: in the first pass every vertex looks at one neighbour, in the second
// at the next two, then at four and so on, and claims of a pass arrive before the
// next one begins. On a Kronecker graph, whose rows start with the heaviest
// neighbour, few vertices are left after two passes.
func (m *machine) probe() {
	m.wantFront()
	m.team.Run(m.phases.open)
	for m.pass = 0; !m.failed(); m.pass++ {
		m.begin()
		m.answering = true
		m.team.Run(m.phases.probe)
		m.exchangeInBulk(backward)
		m.team.Run(m.phases.answer)
		m.exchangeInBulk(forward)
		if m.failed() || m.stillOpen() == 0 {
			break
		}
	}
	if m.failed() {
		return
	}
	m.team.Run(m.phases.book)
	m.nextQueue()
}

// stillOpen is how many vertices of all ranks have not looked at all their neighbours.
// It was added up with the packets that the pass has sent, or is now.
func (m *machine) stillOpen() uint64 {
	if m.bulk == nil {
		return m.sentSums[len(m.sentSums)-1]
	}
	open := []uint64{m.asking()}
	if err := rank.Reduced(m.comm, rank.Sum, open); err != nil {
		m.fail(err)
	}
	return open[0]
}

// asking is how many these are on this rank.
func (m *machine) asking() (open uint64) {
	for t := range m.workers {
		open += uint64(len(m.workers[t].queue))
	}
	return open
}

// held are probes that have arrived and wait for an answer: answering takes a
// packet, of which there may be none just then.
type held struct {
	sender int // worker
	edges  []uint64
}

// openWorker lists the unvisited vertices, where the frontier was listed.
func (m *machine) openWorker(t int) {
	w := &m.workers[t]
	w.found, w.queue = w.found[:0], w.queue[:0]
	for i, word := range w.visited {
		for open := ^word; open != 0; open &= open - 1 {
			w.queue = append(w.queue, uint32(i)<<6+uint32(bits.TrailingZeros64(open)))
		}
	}
	w.findHeavy(&m.heavy, m.mirrors[t])
}

// probeWorker lets every open vertex look at the neighbours of this pass.
func (m *machine) probeWorker(t int) {
	w := &m.workers[t]
	from, to := 1<<m.pass-1, 2<<m.pass-1
	open := w.queue[:0]
	for _, v := range w.queue {
		if w.visited.Has(uint64(v)) {
			continue
		}
		row := w.row(v)
		if !m.ask(w, v, row[min(from, len(row)):min(to, len(row))], from) && to < len(row) {
			open = append(open, v)
		}
		if m.failed() {
			return
		}
	}
	w.queue = open
	m.finish(w, t, backward)
}

// ask looks at some neighbours of v, of which the first stands at the given
// place of its row. It reports whether one of them is known to be in the
// frontier.
func (m *machine) ask(w *worker, v uint32, row []uint32, at int) bool {
	for i, u := range row {
		w.tally.examined++
		if at+i < int(w.prefix[v]) {
			if h, _ := m.heavy.index(u); m.heavy.front.Has(uint64(h)) {
				w.visit(v, u)
				return true
			}
			continue
		}
		d := m.parts.owner(u)
		if d/m.parts.threads != m.comm.Rank() {
			m.post(w, backward, d, uint64(u-m.parts.cuts[d])<<32|uint64(m.sender(w, v)))
		} else if m.in.Has(uint64(u)) {
			w.visit(v, u)
			return true
		}
	}
	return false
}

// sender is a vertex of this worker as it is numbered in what it sends: by its
// worker, or in bulk by its rank.
func (m *machine) sender(w *worker, v uint32) uint32 {
	if m.bulk != nil {
		first, _ := m.parts.rank(m.comm.Rank())
		return v + w.first - first
	}
	return v
}

func (m *machine) answerWorker(t int) {
	w := &m.workers[t]
	m.answerHeld(w)
	m.finish(w, t, forward)
}

// answerHeld answers the probes that have arrived: those for a vertex in the
// frontier.
func (m *machine) answerHeld(w *worker) {
	front := m.mirrors[w.id%m.parts.threads]
	for len(w.held) > 0 && !m.failed() {
		last := w.held[len(w.held)-1]
		w.held = w.held[:len(w.held)-1]
		for _, e := range last.edges {
			if u := uint32(e >> 32); front.Has(uint64(u)) {
				d, v := m.asker(last.sender, uint32(e))
				m.post(w, forward, d, uint64(v)<<32|uint64(m.sender(w, u)))
			}
		}
	}
}

// asker is the worker that has sent a probe, and the number that it has for its
// vertex.
func (m *machine) asker(sender int, v uint32) (worker int, vertex uint32) {
	if m.bulk == nil {
		return sender, v
	}
	label := m.parts.cuts[sender] + v
	d := m.parts.owner(label)
	return d, label - m.parts.cuts[d]
}
