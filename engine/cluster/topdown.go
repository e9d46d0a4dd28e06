package cluster

import (
	"slices"
	"time"

	"github.com/gohops/hops/internal/rank"
)

// A top-down level by messages.
//
//  1. Every worker follows the edges of the heavy vertices in the frontier that
//     end with it: all of them are local.
//  2. It reads the rows of its own frontier vertices. A heavy neighbour is noted,
//     any other is posted to its owner (outbox.go), which may be the worker itself.
//     Whenever a packet leaves, those that have arrived are read.
//  3. When all threads of a rank have read their rows, the rank starts adding up
//     with the others how many packets were sent to whom. Nobody waits for this:
//     packets are read until the sum is there, and until as many as it says.
func (m *machine) topDown() {
	m.wantQueue()
	m.answering = false
	m.begin()
	m.team.Run(m.phases.topDown)
	if m.bulk != nil {
		m.exchangeInBulk(forward)
		m.team.Run(m.phases.book)
	}
	m.nextQueue()
}

// nextQueue makes what was found the frontier.
func (m *machine) nextQueue() {
	for t := range m.workers {
		w := &m.workers[t]
		w.queue, w.found = w.found, w.queue[:0]
	}
	m.hasQueue, m.hasFront, m.gathered = true, false, false
}

// begin starts a level, or a pass of one.
func (m *machine) begin() {
	for k := range kinds {
		m.expected[k].Store(false)
		m.posting[k].Store(int32(m.team.Size()))
	}
	for t := range m.workers {
		m.workers[t].out.begin()
	}
}

func (m *machine) topDownWorker(t int) {
	w := &m.workers[t]
	w.found = w.found[:0]
	w.followHeavy(&m.heavy)
	m.orderQueue(w, t)
	m.scanQueue(w, t)
	if m.bulk == nil {
		m.finish(w, t, forward)
		w.bookQueue()
	}
}

func (m *machine) bookWorker(t int) { m.workers[t].bookQueue() }

// finish sends what is left of a kind and receives what is still to come.
func (m *machine) finish(w *worker, t int, k kind) {
	if m.bulk != nil {
		return
	}
	m.flush(w, k)
	m.posting[k].Add(-1)
	m.drain(w, t, k)
}

// followHeavy visits the neighbours that this worker owns of the heavy vertices
// in the frontier. In their rows its own vertices come first, and then the heavy ones.
func (w *worker) followHeavy(h *heavy) {
	for i := range h.front.All {
		row := w.heavyRows.row(uint32(i))
		w.tally.examined += int64(len(row))
		own := w.takeRow(row, h.labels[i])
		for _, v := range row[own:] {
			w.visitHeavy(h, v-w.count, h.labels[i])
		}
	}
}

// orderQueue puts the frontier into the order of the rows in memory, if it is large
// enough for that to be quick: vertices are found in any order. Such a frontier is
// also looked through for parents of the heavy vertices from their side, which takes
// less than to look for heavy vertices in every row.
func (m *machine) orderQueue(w *worker, t int) {
	w.heavy.sought = m.heavy.done
	if int64(len(w.queue)) <= w.words() {
		return
	}
	m.frontWorker(t)
	m.queueWorker(t)
	if !m.heavy.done {
		w.findHeavy(&m.heavy, m.mirrors[t])
		w.heavy.sought = true
	}
}

// scanQueue reads the rows of the frontier. Forms of the rows that cannot find
// one vertex want the frontier as a bitmap.
func (m *machine) scanQueue(w *worker, t int) {
	if _, ok := w.form.(indexed); ok {
		for _, v := range w.queue {
			m.expand(w, v, w.row(v))
			if m.failed() {
				return
			}
		}
		return
	}
	m.frontWorker(t)
	w.form.scan(m.mirrors[t], func(v uint32, row []uint32) {
		if !m.failed() {
			m.expand(w, v, row)
		}
	})
}

// expand sends the edges of a frontier vertex on their way.
func (m *machine) expand(w *worker, v uint32, row []uint32) {
	label := w.first + v
	heavy, light := row[:w.prefix[v]], row[w.prefix[v]:]
	if !w.heavy.sought {
		w.tally.examined += int64(len(heavy))
		for _, u := range heavy {
			if i, ok := m.heavy.index(u); ok {
				w.visitHeavy(&m.heavy, i, label)
			}
		}
	}
	w.tally.examined += int64(len(light))
	if m.bulk != nil {
		m.listRow(w, v, light)
		return
	}
	// Own vertices are posted like others, and visited when that packet is full: to
	// ask of each whether it is one costs more, because nobody can guess.
	for len(light) > 0 && !m.failed() {
		n := w.out.pack(m.parts, light, uint64(v))
		if d := m.parts.owner(light[n-1]); w.out.full(&w.out.lanes[d]) {
			m.send(w, forward, d)
		}
		light = light[n:]
	}
}

// receive reads the packets of a kind that have arrived.
func (m *machine) receive(w *worker, k kind) (some bool) {
	for !m.failed() {
		p, ok, err := m.mail.Receive(m.channel(k, w.id))
		if err != nil {
			m.fail(err)
			return false
		}
		if !ok {
			return some
		}
		some = true
		edges, sender, err := m.open(w, k, p)
		if err != nil {
			m.fail(err)
			return false
		}
		w.out.received[k]++
		first, end := m.parts.cuts[sender], m.parts.cuts[sender+1]
		if k == forward {
			ok = w.take(edges, first, end-first)
		} else if ok = exist(edges, limits{w.count, end - first}); ok {
			w.held = append(w.held, held{sender, slices.Clone(edges)})
		}
		if !ok {
			m.fail(noSuchVertex(p.From))
			return false
		}
		p.Free()
	}
	return some
}

// takeRow visits the vertices at the beginning of a row that are this worker's, with
// the label of their parent, and returns how many they are. Which of them are new
// nobody can guess: each is listed, and the next one over it if it was not new.
func (w *worker) takeRow(row []uint32, parent uint32) int {
	visited, parents, found := w.visited, w.parents, w.found[:cap(w.found)]
	n, fresh := 0, len(w.found)
	for ; n < len(row) && int(row[n]) < len(parents); n++ {
		v := row[n]
		word := visited[v/64]
		found[fresh] = v
		fresh += int(^word >> (v % 64) & 1)
		visited[v/64] = word | 1<<(v%64)
	}
	for _, v := range found[len(w.found):fresh] {
		parents[v] = parent
	}
	w.found = found[:fresh]
	return n
}

// take visits the receiver's ends of edges whose other ends are count vertices from
// first on. It reports false, and does no more, where an end is not a vertex.
func (w *worker) take(edges []uint64, first, count uint32) bool {
	visited, parents, found := w.visited, w.parents, w.found
	for _, e := range edges {
		v, u := uint32(e>>32), uint32(e)
		if int(v) >= len(parents) || u >= count {
			return false
		}
		if bit := uint64(1) << (v % 64); visited[v/64]&bit == 0 {
			visited[v/64] |= bit
			parents[v] = first + u
			found = append(found, v)
		}
	}
	w.found = found
	return true
}

// drain receives until all packets of a kind that were sent to this worker have
// arrived.
func (m *machine) drain(w *worker, t int, k kind) {
	var sum rank.Pending
	backoff := rank.Backoff{OwnCore: m.alone()}
	start := time.Now()
	busy := time.Duration(0)
	for !m.arrived(w, k) && !m.failed() {
		look := time.Now()
		some := m.receive(w, k)
		if k == backward { // who is answering needs the packets that we have not read
			some = m.receive(w, forward) || some
		}
		if some {
			m.answerHeld(w)
			busy += time.Since(look)
			backoff.Reset()
		}
		if t == 0 { // which speaks for the rank
			var err error
			if sum, err = m.learnSent(sum, k); err != nil {
				m.fail(err)
			}
		}
		if !some && !m.arrived(w, k) {
			backoff.Wait()
		}
	}
	w.tally.waiting += int64(time.Since(start) - busy)
}

// arrived tells whether a worker has as many packets of a kind as were sent to it.
func (m *machine) arrived(w *worker, k kind) bool {
	return m.expected[k].Load() && w.out.received[k] == m.sentSums[int(k)*m.parts.workers()+w.id]
}

// learnSent starts adding up the packets of a kind when all threads of this rank have
// sent theirs, and looks whether the sum is there.
func (m *machine) learnSent(sum rank.Pending, k kind) (rank.Pending, error) {
	switch {
	case sum == nil && m.posting[k].Load() == 0:
		return m.addSent(k)
	case sum == nil || m.expected[k].Load():
		return sum, nil
	}
	done, err := sum.Done()
	if done {
		m.expected[k].Store(true)
	}
	return sum, err
}

// addSent starts adding up the packets of a kind that all workers have sent to
// each other, and with those of a pass of probes the vertices that are still open.
func (m *machine) addSent(k kind) (rank.Pending, error) {
	workers := m.parts.workers()
	sums := m.sentSums[int(k)*workers:][:workers]
	clear(sums)
	for t := range m.workers {
		rank.Sum.Combine(sums, m.workers[t].out.sent[int(k)*workers:][:workers])
	}
	if k == backward {
		sums = append(sums, m.asking()) // in its place: it is the last
	}
	return m.comm.Reduce(rank.Sum, sums)
}
