package many

import "github.com/gohops/hops/internal/base/par"

// topDownSerial runs a small top-down level on the calling worker alone, from queue to
// queue.
func (m *machine) topDownSerial() {
	m.words = m.words[:0]
	for _, v := range m.queue {
		m.words = append(m.words, m.seen[v]^m.before[v])
		m.before[v] = m.seen[v]
	}
	m.done.Examined, m.found = m.state.Edges, m.found[:0]
	for i, v := range m.queue {
		for _, u := range m.rows.out.Row(v) {
			if m.words[i]&^m.seen[u] == 0 {
				continue
			}
			if m.before[u] == m.seen[u] {
				m.found = append(m.found, u)
			}
			m.before[u] |= m.words[i]
		}
	}
	if len(m.found) > 0 {
		m.team.For(int64(len(m.stale)), blockSize, func(_ int, lo, hi int64) { clear(m.stale[lo:hi]) })
	}
	for _, u := range m.found {
		for _, words := range m.marked {
			words[u] |= m.before[u] &^ m.seen[u]
		}
	}
	m.seen, m.before = m.before, m.seen
	m.queue, m.found = m.found, m.queue
	m.countQueue()
}

// topDown adds the frontier's bits of some roots to the words of its neighbours.
func (m *machine) topDown(roots uint64) {
	if m.isListed {
		m.filterQueue(roots)
	} else {
		m.listFrontier(roots)
	}
	for _, v := range m.queue {
		m.workers[0].examined += m.rows.out.Degree(v)
	}
	m.team.Run(m.topDownWorker)
}

// filterQueue keeps the vertices of queue that are in the frontier of some roots, and
// fills words. It makes before equal to seen everywhere: the two differ for vertices
// of queue only.
func (m *machine) filterQueue(roots uint64) {
	kept := m.queue[:0]
	m.words = m.words[:0]
	for _, v := range m.queue {
		if word := (m.seen[v] ^ m.before[v]) & roots; word != 0 {
			kept, m.words = append(kept, v), append(m.words, word)
		}
		m.before[v] = m.seen[v]
	}
	m.queue = kept
}

// listFrontier does the same as filterQueue for a frontier that is not listed.
func (m *machine) listFrontier(roots uint64) {
	m.team.Run(func(id int) {
		me := &m.workers[id]
		lo, hi := par.Split(int64(len(m.seen)), blockSize, id, len(m.workers))
		for v := lo; v < hi; v++ {
			if (m.seen[v]^m.before[v])&roots != 0 {
				me.list = append(me.list, uint32(v))
			}
		}
	})
	m.queue, m.words = m.queue[:0], m.words[:0]
	for w := range m.workers {
		me := &m.workers[w]
		m.queue, me.list = append(m.queue, me.list...), me.list[:0]
	}
	for _, v := range m.queue {
		m.words = append(m.words, (m.seen[v]^m.before[v])&roots)
	}
	m.team.For(int64(len(m.seen)), blockSize, func(_ int, lo, hi int64) {
		copy(m.before[lo:hi], m.seen[lo:hi])
	})
}

// Rows are read from memory: a worker prefetches the first entries of a piece some rows
// before it reads them. Level 2 of 64 searches at scale 20, two workers, 4.1 to 4.9 ms with
// it and 5.1 to 7.3 without; more entries, or other distances up to 4 rows, were no faster.
const (
	prefetchRows    = 2
	prefetchEntries = 128
)

// topDownWorker reads the piece of every row that leads to this worker's vertices.
func (m *machine) topDownWorker(id int) {
	next := m.before
	for i, v := range m.queue {
		if i+prefetchRows < len(m.queue) {
			piece := m.rows.piece(m.queue[i+prefetchRows], id)
			m.kernels.Prefetch(piece[:min(len(piece), prefetchEntries)])
		}
		word := m.words[i]
		for _, u := range m.rows.piece(v, id) {
			next[u] |= word
		}
	}
}
