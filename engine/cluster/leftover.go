package cluster

import "math/bits"

// The last bottom-up levels look for few vertices: most of those that are left are
// in small components that nobody will ever reach. Passing over the bitmaps is then
// nearly all of a gathered level. A level by list goes over the vertices that are
// left instead, which every worker lists when it first comes to such a level. The
// frontier is gathered as for the others, and what is found is both listed and
// marked, so that any step may follow.
//
// The list may have vertices that another step has found since. It is good until
// the next search begins.
func (m *machine) bottomUpLeft() {
	if err := m.gather(); err != nil {
		m.fail(err)
		return
	}
	m.team.Run(m.phases.left)
	m.hasLeft = true
	m.nextQueue()
	m.in, m.out = m.out, m.in
	m.mirrors, m.nextWords = m.nextWords, m.mirrors
	m.hasFront = true
}

func (m *machine) leftWorker(t int) {
	w := &m.workers[t]
	if !m.hasLeft {
		w.listLeft()
	}
	next := m.nextWords[t]
	next.Clear()
	w.found = w.found[:0]
	still := w.left[:0]
	for _, v := range w.left {
		if w.visited.Has(uint64(v)) {
			continue
		}
		if u, ok := m.lookUp(w, v); ok {
			w.visit(v, u)
			next.Add(uint64(v))
		} else {
			still = append(still, v)
		}
	}
	w.left = still
	w.bookQueue()
	w.findHeavy(&m.heavy, m.mirrors[t])
}

// listLeft lists the vertices that are not visited.
func (w *worker) listLeft() {
	w.left = w.left[:0]
	for i, word := range w.visited {
		for open := ^word; open != 0; open &= open - 1 {
			w.left = append(w.left, uint32(i)<<6+uint32(bits.TrailingZeros64(open)))
		}
	}
}

// lookUp returns the first neighbour of v that is in the frontier.
func (m *machine) lookUp(w *worker, v uint32) (u uint32, ok bool) {
	w.tally.examined++
	if u = w.head[v]; m.in.Has(uint64(u)) {
		return u, true
	}
	if !w.long.Has(uint64(v)) {
		return 0, false
	}
	rest := w.row(v)[1:]
	i := m.kernels.ScanRow(rest, &m.in[0])
	if i < 0 {
		w.tally.examined += int64(len(rest))
		return 0, false
	}
	w.tally.examined += int64(i) + 1
	return rest[i], true
}
