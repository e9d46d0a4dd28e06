package cluster

import (
	"time"

	"github.com/gohops/hops/internal/arena"
)

// The bulk-synchronous variant, for comparison, that of Checconi and Petrini's MPI
// version but that rows are read once: workers only list what they have for whom;
// when all have finished, the ranks exchange counts, make room, and exchange the
// edges, 8 bytes each; then all of them are read. Nothing overlaps.

// An edgeList is edges for one worker; the memory stays for the next level.
type edgeList struct {
	edges []uint64
	count int
	first uint32 // vertices of the worker are numbered from here
}

func (l *edgeList) add(edge uint64) {
	if l.count == len(l.edges) {
		l.grow()
	}
	l.edges[l.count] = edge
	l.count++
}

func (l *edgeList) posted() []uint64 { return l.edges[:l.count] }

func (l *edgeList) grow() {
	l.edges = append(l.edges, make([]uint64, max(packetWords, len(l.edges)))...)
}

// listRow lists the edges from v to those in a row, own vertices like others.
func (m *machine) listRow(w *worker, v uint32, row []uint32) {
	sender := uint64(m.sender(w, v))
	for {
		row = row[listUntilFull(m.parts, w.bulk, row, sender):]
		if len(row) == 0 {
			return
		}
		w.bulk[m.parts.owner(row[0])].grow()
	}
}

// listUntilFull lists edges until there is no room for one, and returns how many. Like
// pack, it calls nothing.
func listUntilFull(p *partition, lists []edgeList, row []uint32, sender uint64) int {
	owners, shift := p.owners, p.shift&31
	for i, u := range row {
		l := &lists[owners[u>>shift]]
		if l.count == len(l.edges) {
			return i
		}
		l.edges[l.count] = uint64(u-l.first)<<32 | sender
		l.count++
	}
	return len(row)
}

// exchangeInBulk exchanges what was listed of a kind, if it is done in this way. What
// is for the own rank stays in the lists.
func (m *machine) exchangeInBulk(k kind) {
	if m.bulk == nil || m.failed() {
		return
	}
	start := time.Now()
	workers := m.parts.workers()
	cuts, total := make([]int64, workers+1), 0
	for d := range workers {
		for t := range m.workers {
			total += len(m.leaving(t, d))
		}
		cuts[d+1] = int64(total)
	}
	out, err := m.bulk.room(total)
	if err != nil {
		m.fail(err)
		return
	}
	at := 0
	for d := range workers {
		for t := range m.workers {
			if edges := m.leaving(t, d); len(edges) > 0 {
				at += copy(out[at:], edges)
				m.count(&m.workers[t], k, len(edges), 8*len(edges))
				m.workers[t].bulk[d].count = 0
			}
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

// leaving is what a thread has listed for worker d, if that is one of another rank.
func (m *machine) leaving(t, d int) []uint64 {
	if d/m.parts.threads == m.comm.Rank() {
		return nil
	}
	return m.workers[t].bulk[d].posted()
}

// takeWorker reads what there is for one worker.
func (m *machine) takeWorker(t int) {
	w := &m.workers[t]
	for r := range m.comm.Size() {
		if r != m.comm.Rank() {
			m.takeFrom(w, r, m.bulk.from(r, t))
			continue
		}
		for s := range m.workers {
			own := &m.workers[s].bulk[w.id]
			m.takeFrom(w, r, own.posted())
			own.count = 0
		}
	}
}

// takeFrom reads edges from a rank. In bulk the sender's end is numbered from the
// first vertex of its rank.
func (m *machine) takeFrom(w *worker, r int, edges []uint64) {
	first, end := m.parts.rank(r)
	ok := false
	if m.taking == forward {
		ok = w.take(edges, first, end-first)
	} else if ok = exist(edges, limits{w.count, end - first}); ok {
		w.held = append(w.held, held{r * m.parts.threads, edges})
	}
	if !ok {
		m.fail(noSuchVertex(r))
	}
}

// room returns memory for that many edges to be sent.
func (x *exchanger) room(edges int) ([]uint64, error) {
	if edges > len(x.out) {
		arena.Free(&x.mem, x.out)
		var err error
		if x.out, err = arena.Make[uint64](&x.mem, edges+edges/4); err != nil {
			return nil, err
		}
	}
	return x.out[:edges], nil
}
