package cluster

import "github.com/gohops/hops/internal/base/bottomup"

// A bottom-up level by probe and claim.
//
//  1. Every unvisited vertex looks at its heavy neighbours, whose state all ranks
//     know, and at neighbours of its own rank.
//  2. For any other neighbour it sends a probe to the owner, which answers with a
//     claim if that neighbour is in the frontier; there is no other answer.
//
// A vertex that has been claimed stops asking. To make use of that, probes are
// staggered: in its first pass a worker lets every vertex look at one neighbour, in the
// second at the next two, then at four and so on. On a Kronecker graph, whose rows start
// with the neighbour of the highest degree, few vertices are left after two passes. In
// bulk there is one pass.
func (m *machine[L]) probe() {
	m.wantBitmap()
	m.claims = true
	m.delivery.probe()
	if !m.failed() {
		m.nextQueue()
	}
}

// inFrontier tells whether a vertex, numbered from the first of this rank, is in the
// frontier. It may be asked of vertices that other workers of the rank own.
func (m *machine[L]) inFrontier(v uint32) bool {
	return m.frontier.in.Has(m.workers[0].first - m.frontier.base + uint64(v))
}

// openWorker lists the unvisited vertices, where the frontier was listed.
func (m *machine[L]) openWorker(t int) {
	w := &m.workers[t]
	w.found, w.queue = w.found[:0], bottomup.AppendUnvisited(w.queue[:0], w.visited, 0)
	w.swept()
	w.findHeavy(&m.heavy, m.frontier.inWords[t])
}

// askWorker lets every open vertex look at the neighbours in some places of its row, and
// lists the vertices that have more.
func (m *machine[L]) askWorker(w *worker[L], from, to int) {
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
	first, end := m.Parts.Rank(m.Comm.Rank())
	heavy, _ := w.in.split(v)
	for i, u := range row {
		w.tally.counts[sumExamined]++
		if at+i < len(heavy) {
			if h, _ := m.heavy.number(u); m.heavy.front.Has(uint64(h)) {
				w.visit(v, u)
				return true
			}
			continue
		}
		if uint64(u)-first >= end-first {
			m.delivery.postProbe(w, u, v)
		} else if m.frontier.in.Has(uint64(u) - m.frontier.base) {
			w.visit(v, u)
			return true
		}
	}
	return false
}
