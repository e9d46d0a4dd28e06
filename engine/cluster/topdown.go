package cluster

import (
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
	m.exchangeInBulk(forward)
	m.team.Run(m.phases.book)
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
	m.finish(w, t, forward)
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
// in the frontier.
func (w *worker) followHeavy(h *heavy) {
	for i := range h.front.All {
		row := w.heavyRows.row(uint32(i))
		w.tally.examined += int64(len(row))
		for _, v := range row {
			if v < w.count {
				w.visit(v, h.labels[i])
			} else {
				w.visitHeavy(h, v-w.count, h.labels[i])
			}
		}
	}
}

// orderQueue puts the frontier into the order of the rows in memory, if it is large
// enough for that to be quick: vertices are found in any order.
func (m *machine) orderQueue(w *worker, t int) {
	if int64(len(w.queue)) > w.words() {
		m.frontWorker(t)
		m.queueWorker(t)
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
	if !m.heavy.done {
		w.tally.examined += int64(len(heavy))
		for _, u := range heavy {
			if i, ok := m.heavy.index(u); ok {
				w.visitHeavy(&m.heavy, i, label)
			}
		}
	}
	w.tally.examined += int64(len(light))
	if m.bulk != nil {
		m.postInBulk(w, v, light)
		return
	}
	// Own vertices are posted like others, and visited when that packet is full: to
	// ask of each whether it is one costs more, because nobody can guess.
	owners, room := m.parts, w.out.edges
	open, filled, cuts := w.out.open, w.out.filled, m.parts.cuts
	for _, u := range light {
		d := owners.owner(u)
		at := int(filled[d])
		open[d*room+at] = uint64(u-cuts[d])<<32 | uint64(v)
		filled[d] = int32(at + 1)
		if at+1 == room {
			m.send(w, forward, d)
		}
	}
}

// receive reads the packets of a kind that have arrived.
func (m *machine) receive(w *worker, k kind) (some bool) {
	for !m.failed() {
		p, ok, err := m.comm.Receive(m.channel(k, w.id))
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
		if k == forward {
			w.take(edges, m.parts.cuts[sender])
		} else {
			w.held = append(w.held, held{sender, append([]uint64(nil), edges...)})
		}
		p.Free()
	}
	return some
}

// take visits the receiver's ends of edges whose other ends count from first.
func (w *worker) take(edges []uint64, first uint32) {
	for _, e := range edges {
		w.visit(uint32(e>>32), first+uint32(e))
	}
}

// drain receives until all packets of a kind that were sent to this worker have
// arrived. Thread 0 speaks for the rank.
func (m *machine) drain(w *worker, t int, k kind) {
	var sum rank.Pending
	start := time.Now()
	busy := time.Duration(0)
	err := rank.Await(func() (bool, error) {
		look := time.Now()
		some := m.receive(w, k)
		if k == backward { // who is answering needs the packets that we have not read
			some = m.receive(w, forward) || some
		}
		if some {
			m.answerHeld(w)
			busy += time.Since(look)
		}
		if t == 0 && sum == nil && m.posting[k].Load() == 0 {
			var err error
			if sum, err = m.addSent(k); err != nil {
				return false, err
			}
		}
		if sum != nil && !m.expected[k].Load() {
			done, err := sum.Done()
			if err != nil {
				return false, err
			}
			if done {
				m.expected[k].Store(true)
			}
		}
		done := m.expected[k].Load() && w.out.received[k] == m.sentSums[int(k)*m.parts.workers()+w.id]
		return done || m.failed(), nil
	})
	if err != nil {
		m.fail(err)
	}
	w.tally.waiting += int64(time.Since(start) - busy)
}

// addSent starts adding up the packets of a kind that all workers have sent to
// each other.
func (m *machine) addSent(k kind) (rank.Pending, error) {
	workers := m.parts.workers()
	sums := m.sentSums[int(k)*workers:][:workers]
	clear(sums)
	for t := range m.workers {
		rank.Sum.Combine(sums, m.workers[t].out.sent[int(k)*workers:][:workers])
	}
	return m.comm.Reduce(rank.Sum, sums)
}
