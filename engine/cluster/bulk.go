package cluster

import (
	"time"

	"github.com/gohops/hops/internal/arena"
)

// The bulk-synchronous variant, for comparison: workers only list what they have
// for whom; when all have finished, the ranks exchange counts, make room, and
// exchange the edges, 8 bytes each; then all of them are read. Nothing overlaps.

// postInBulk visits the neighbours of v that are this worker's and lists the others.
func (m *machine) postInBulk(w *worker, v uint32, row []uint32) {
	sender := uint64(m.sender(w, v))
	for _, u := range row {
		if own := u - w.first; own < w.count {
			w.visit(own, w.first+v)
			continue
		}
		d := m.parts.owner(u)
		w.bulk[d] = append(w.bulk[d], uint64(u-m.parts.cuts[d])<<32|sender)
	}
}

// exchangeInBulk exchanges what was posted of a kind, if it is done in this way.
// An edge of which the sender is another thread needs to say which.
func (m *machine) exchangeInBulk(k kind) {
	if m.bulk == nil || m.failed() {
		return
	}
	start := time.Now()
	workers := m.parts.workers()
	cuts, total := make([]int64, workers+1), 0
	for d := range workers {
		for t := range m.workers {
			total += len(m.workers[t].bulk[d])
		}
		cuts[d+1] = int64(total)
	}
	out, err := arena.Make[uint64](&m.mem, total)
	if err != nil {
		m.fail(err)
		return
	}
	defer arena.Free(&m.mem, out)
	at := 0
	for d := range workers {
		for t := range m.workers {
			w := &m.workers[t]
			at += copy(out[at:], w.bulk[d])
			if d/m.parts.threads != m.comm.Rank() {
				m.count(w, k, len(w.bulk[d]), 8*len(w.bulk[d]))
			}
			w.bulk[d] = w.bulk[d][:0]
		}
	}
	if err := m.bulk.exchange(out, cuts); err != nil {
		m.fail(err)
		return
	}
	m.workers[0].tally.waiting += int64(time.Since(start))
	m.taking = k
	m.team.Run(m.phases.take)
}

// takeWorker reads what has come for one worker. In bulk the sender's end is
// numbered from the first vertex of its rank.
func (m *machine) takeWorker(t int) {
	w := &m.workers[t]
	for r := range m.comm.Size() {
		first, end := m.parts.rank(r)
		edges := m.bulk.from(r, t)
		for _, e := range edges {
			if uint32(e>>32) >= w.count || uint32(e) >= end-first {
				m.fail(&malformed{r, "an edge between vertices that do not exist"})
				return
			}
		}
		if m.taking == forward {
			w.take(edges, first)
		} else {
			w.held = append(w.held, held{r * m.parts.threads, edges})
		}
	}
}
