package cluster

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/packet"
	"github.com/gohops/hops/internal/rank"
)

// asynchronous is the delivery in which packets leave when they are full.
//
//  1. A worker has its own packets and several of them under way. Whenever one of
//     them leaves, it reads those that have arrived.
//  2. When all threads of a rank have posted their edges, the rank starts adding up
//     with the others how many packets were sent to whom. No rank waits for this:
//     packets are read until the sum is there, and until as many as it says.
type asynchronous[L label] struct {
	*machine[L]
	mail  rank.Comm // the same ranks, for packets
	boxes []packet.Outbox

	totals  []uint64                   // packets of each kind for each worker, and vertices that still ask
	summed  [packet.Kinds]atomic.Bool  // totals are those of all ranks
	posting [packet.Kinds]atomic.Int32 // threads that may still post

	// The delivery under way, and its phase as a value: a method value allocates.
	kind        packet.Kind
	phase, then func(thread int)
	run         func(thread int)
}

func newAsynchronous[L label](m *machine[L], encoding string) (*asynchronous[L], error) {
	a := &asynchronous[L]{machine: m}
	a.run = a.runWorker
	var err error
	if a.mail, err = m.Comm.Split(0, m.Comm.Rank()); err != nil {
		return nil, err
	}
	workers := m.Parts.Workers()
	if a.totals, err = arena.Make[uint64](&m.Memory, packet.Kinds*workers+1); err == nil {
		err = a.layOutboxes(packet.NewCodec(encoding, m.Parts, a.sameHost()), packet.SizeFor(workers, m.total.entries/2/int64(workers)))
	}
	if err == nil && encoding == "" {
		err = a.chooseEncoding()
	}
	if err != nil {
		a.close()
		return nil, err
	}
	return a, nil
}

// layOutboxes makes outboxes of a size.
func (a *asynchronous[L]) layOutboxes(c packet.Codec, size packet.Size) error {
	each := size.Total()
	bytes := int64(8 * each * len(a.workers))
	memory, err := a.mail.Packets(bytes)
	if err != nil {
		return err
	}
	a.Count(bytes)
	slabs := arena.View[uint64](memory)
	a.boxes = make([]packet.Outbox, len(a.workers))
	for t := range a.boxes {
		a.boxes[t] = packet.NewOutbox(c.Clone(), a.Parts, size, slabs[t*each:][:each])
	}
	return nil
}

// sameHost tells which workers are on the host of this rank.
func (a *asynchronous[L]) sameHost() []bool {
	same := make([]bool, a.Parts.Workers())
	for d := range same {
		same[d] = a.Comm.Host(d/a.Parts.Threads) == a.Comm.Host(a.Comm.Rank())
	}
	return same
}

func (a *asynchronous[L]) close() { _ = a.mail.Close() }

func (a *asynchronous[L]) begin() {
	for k := range a.summed {
		a.summed[k].Store(false)
		a.posting[k].Store(int32(len(a.workers)))
	}
	for t := range a.boxes {
		a.boxes[t].Begin()
	}
}

func (a *asynchronous[L]) deliver(k packet.Kind, phase, then func(thread int)) {
	a.kind, a.phase, a.then = k, phase, then
	a.Team.Run(a.run)
}

func (a *asynchronous[L]) runWorker(t int) {
	w, k := &a.workers[t], a.kind
	a.phase(t)
	a.flush(w, k)
	a.posting[k].Add(-1)
	a.drain(w, k)
	if a.then != nil {
		a.then(t)
	}
}

func (a *asynchronous[L]) postRow(w *worker[L], v uint32, row []L) {
	box := &a.boxes[w.thread]
	for len(row) > 0 && !a.failed() {
		n := packet.Pack(box, a.Parts, row, uint64(v))
		if d := a.Parts.Owner(uint64(row[n-1])); box.Full(forward, d) {
			a.send(w, forward, d)
		}
		row = row[n:]
	}
}

func (a *asynchronous[L]) post(w *worker[L], k packet.Kind, d int, u, v uint32) {
	if a.boxes[w.thread].Post(k, d, uint64(u)<<32|uint64(v)) {
		a.send(w, k, d)
	}
}

func (a *asynchronous[L]) pass(n int) (from, to int) { return 1<<n - 1, 2<<n - 1 }

func (a *asynchronous[L]) asking() uint64 { return a.totals[len(a.totals)-1] }

// flush sends all open packets of a kind. The workers start with different receivers.
func (a *asynchronous[L]) flush(w *worker[L], k packet.Kind) {
	workers := a.Parts.Workers()
	for i := range workers {
		d := (w.id + i) % workers
		if len(a.boxes[w.thread].Posted(k, d)) > 0 {
			a.send(w, k, d)
		}
	}
}

// send sends an open packet, and reads those that have arrived. The edges that a
// worker has posted to itself it takes.
func (a *asynchronous[L]) send(w *worker[L], k packet.Kind, d int) {
	box := &a.boxes[w.thread]
	if k == forward && d == w.id {
		w.take(box.Posted(k, d), w.first, w.count)
		box.Discard(k, d)
		return
	}
	start := a.Now()
	if !a.awaitRoom(w) {
		box.Discard(k, d)
		return
	}
	sealed := box.Seal(k, d, w.thread, a.state.Depth)
	to := d / a.Parts.Threads
	pending, err := a.mail.Send(to, a.channel(k, d), sealed.Bytes)
	if err != nil {
		a.fail(err)
		return
	}
	box.Leave(sealed, k, d, pending)
	if to != a.Comm.Rank() {
		w.tally.sent(k, sealed.Edges, len(sealed.Bytes))
	}
	w.tally.counts[sumSending] += int64(a.Since(start))
	a.receive(w, k)
}

// channel is the one on which worker d receives messages of a kind.
func (a *asynchronous[L]) channel(k packet.Kind, d int) int {
	return int(k)*a.Parts.Threads + d%a.Parts.Threads
}

// awaitRoom returns when there is an empty slot, or false after a failure. While all
// slots are under way it receives: others may be waiting for the same.
func (a *asynchronous[L]) awaitRoom(w *worker[L]) bool {
	box := &a.boxes[w.thread]
	err := rank.Await(func() (bool, error) {
		if err := box.Reclaim(); err != nil {
			return false, err
		}
		if !box.HasRoom() {
			a.receive(w, forward)
			a.receive(w, backward)
		}
		return box.HasRoom() || a.failed(), nil
	})
	if err != nil {
		a.fail(err)
	}
	return !a.failed()
}

// receive reads the packets of a kind that have arrived.
func (a *asynchronous[L]) receive(w *worker[L], k packet.Kind) (some bool) {
	for !a.failed() {
		p, ok, err := a.mail.Receive(a.channel(k, w.id))
		if err != nil {
			a.fail(err)
			return false
		}
		if !ok {
			return some
		}
		some = true
		edges, sender, err := a.boxes[w.thread].Open(p, k, a.state.Depth, a.Parts, w.id)
		if err != nil {
			a.fail(err)
			return false
		}
		if k == backward { // they are kept
			edges = slices.Clone(edges)
		}
		if !a.arrive(w, k, edges, sender, a.Parts.Count(sender)) {
			a.fail(packet.NoSuchVertex(p.From))
			return false
		}
		p.Free()
	}
	return some
}

// drain receives until all packets of a kind that were sent to this worker have
// arrived.
func (a *asynchronous[L]) drain(w *worker[L], k packet.Kind) {
	var sum rank.Pending
	backoff := rank.Backoff{OwnCore: a.alone()}
	start := a.Now()
	busy := time.Duration(0)
	for !a.arrived(w, k) && !a.failed() {
		look := a.Now()
		some := a.receive(w, k)
		if k == backward { // a worker that answers may wait for the slots of packets that this one has not read
			some = a.receive(w, forward) || some
		}
		if some {
			a.answerHeld(w)
			busy += a.Since(look)
			backoff.Reset()
		}
		if w.thread == 0 { // which adds up for the rank
			var err error
			if sum, err = a.learnSent(sum, k); err != nil {
				a.fail(err)
			}
		}
		if !some && !a.arrived(w, k) {
			backoff.Wait()
		}
	}
	w.tally.counts[sumWaiting] += int64(a.Since(start) - busy)
}

// arrived tells whether a worker has as many packets of a kind as were sent to it.
func (a *asynchronous[L]) arrived(w *worker[L], k packet.Kind) bool {
	return a.summed[k].Load() && a.boxes[w.thread].Received[k] == a.totals[int(k)*a.Parts.Workers()+w.id]
}

// learnSent starts adding up the packets of a kind when all threads of this rank have
// sent theirs, and looks whether the sum is there.
func (a *asynchronous[L]) learnSent(sum rank.Pending, k packet.Kind) (rank.Pending, error) {
	switch {
	case sum == nil && a.posting[k].Load() == 0:
		return a.addSent(k)
	case sum == nil || a.summed[k].Load():
		return sum, nil
	}
	done, err := sum.Done()
	if done {
		a.summed[k].Store(true)
	}
	return sum, err
}

// addSent starts adding up the packets of a kind that all workers have sent to
// each other, and with the probes the vertices that still ask.
func (a *asynchronous[L]) addSent(k packet.Kind) (rank.Pending, error) {
	workers := a.Parts.Workers()
	sums := a.totals[int(k)*workers:][:workers]
	clear(sums)
	for t := range a.boxes {
		rank.Sum.Combine(sums, a.boxes[t].Sent[int(k)*workers:][:workers])
	}
	if k == backward {
		sums = append(sums, a.askingHere()) // in its place: it is the last
	}
	return a.Comm.Reduce(rank.Sum, sums)
}
