package cluster

import (
	"sync/atomic"
	"time"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/ranks/packet"
	"github.com/gohops/hops/internal/ranks/rank"
)

// asynchronous is the delivery in which packets leave when they are full.
//
//  1. A thread has one open packet for each rank, and for each thread of its own, and
//     several of them under way. Whenever one of them leaves, it reads those that have
//     arrived.
//  2. A packet of thread t arrives at thread t of its rank, which divides it among the
//     threads that own the vertices (shares.go). A rank of one thread takes it as it is.
//  3. When all threads of a rank have posted their edges, the rank starts adding up
//     with the others how many packets were sent to whom. No rank waits for this:
//     packets are read until the sum is there, and until as many as it says.
//
// Levels by probes are in probing.go.
type asynchronous[L label] struct {
	*machine[L]
	mail   rank.Comm // the same ranks, for packets
	lanes  packet.Lanes
	boxes  []packet.Outbox
	shares []shareQueue // of each thread

	totals   []uint64      // packets for each rank
	summed   atomic.Bool   // totals are summed over all ranks
	posting  atomic.Int32  // threads that may still post
	received atomic.Uint64 // packets that this rank has read, and divided
	few      int64         // vertices and entries of a level that one thread runs, at most
	alone    bool          // one thread runs the level for all

	// The delivery under way, and its phases as values: a method value allocates.
	phase, then  func(thread int)
	run, probing func(thread int)
}

func newAsynchronous[L label](m *machine[L], encoding string, few int64) (*asynchronous[L], error) {
	a := &asynchronous[L]{machine: m, few: few, lanes: packet.NewLanes(m.Parts, m.Comm.Rank())}
	a.run, a.probing = a.runWorker, a.probeWorker
	var err error
	if a.mail, err = m.Comm.Split(0, m.Comm.Rank()); err != nil {
		return nil, err
	}
	if a.totals, err = arena.Make[uint64](&m.Memory, m.Comm.Size()); err == nil {
		size := packet.SizeFor(a.lanes.Count(), m.total.entries/2/int64(m.Parts.Workers()))
		err = a.layOutboxes(packet.NewCodec(encoding, m.Parts, a.sameHost()), size)
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
	a.shares = make([]shareQueue, len(a.workers))
	for t := range a.boxes {
		a.boxes[t] = packet.NewOutbox(c.Clone(), a.Parts, a.lanes, size, slabs[t*each:][:each])
	}
	return nil
}

// sameHost tells which ranks are on the host of this one.
func (a *asynchronous[L]) sameHost() []bool {
	same := make([]bool, a.Comm.Size())
	for r := range same {
		same[r] = a.Comm.Host(r) == a.Comm.Host(a.Comm.Rank())
	}
	return same
}

func (a *asynchronous[L]) close() { _ = a.mail.Close() }

func (a *asynchronous[L]) deliver(phase, then func(thread int)) {
	a.phase, a.then = phase, then
	a.begin()
	if a.hasFew() {
		a.runAlone()
		return
	}
	a.Team.Run(a.run)
}

func (a *asynchronous[L]) begin() {
	a.summed.Store(false)
	a.posting.Store(int32(len(a.workers)))
	a.received.Store(0)
	for t := range a.boxes {
		a.boxes[t].Begin()
	}
}

func (a *asynchronous[L]) runWorker(t int) {
	w := &a.workers[t]
	a.phase(t)
	a.flush(w, forward)
	a.posting.Add(-1)
	a.drain(w)
	a.then(t)
}

func (a *asynchronous[L]) postRow(w *worker[L], v uint32, row []L) {
	box, sender := &a.boxes[w.thread], uint64(w.number(v))
	for len(row) > 0 && !a.failed() {
		n := packet.Pack(box, row, sender)
		if lane := a.lanes.Of(uint64(row[n-1])); box.Full(lane) {
			a.send(w, forward, lane)
		}
		row = row[n:]
	}
}

// flush sends all open packets. The workers start with different receivers.
func (a *asynchronous[L]) flush(w *worker[L], k packet.Kind) {
	lanes := a.lanes.Count()
	for i := range lanes {
		lane := (w.id + i) % lanes
		if len(a.boxes[w.thread].Posted(lane)) > 0 {
			a.send(w, k, lane)
		}
	}
}

// send sends an open packet, and reads those that have arrived. The edges that a
// worker has posted to itself it takes.
func (a *asynchronous[L]) send(w *worker[L], k packet.Kind, lane int) {
	box := &a.boxes[w.thread]
	thread, own := a.lanes.Thread(lane)
	if own && thread == w.thread {
		a.take(w, box.Posted(lane), a.Comm.Rank())
		box.Discard(lane)
		return
	}
	start := a.Now()
	switch {
	case !a.awaitRoom(w):
		box.Discard(lane)
		return
	case own:
		a.shares[thread].push(box.Give(lane))
	default:
		box.Sent[lane]++
		a.sendSealed(w, box.Seal(k, lane, a.state.Depth), k, lane)
	}
	w.tally.counts[sumSending] += int64(a.Since(start))
	a.receive(w)
}

// sendSealed sends a packet to a rank.
func (a *asynchronous[L]) sendSealed(w *worker[L], p packet.Sealed, k packet.Kind, to int) {
	pending, err := a.mail.Send(to, a.channel(k, w), p.Bytes)
	if err != nil {
		a.fail(err)
		return
	}
	if k == backward {
		w.unanswered++
	}
	a.boxes[w.thread].Leave(p, pending)
	w.tally.sent(k, p.Edges, len(p.Bytes))
}

// channel is the one on which threads of that number send and receive packets of a kind.
func (a *asynchronous[L]) channel(k packet.Kind, w *worker[L]) int {
	return int(k)*a.Parts.Threads + w.thread
}

// awaitRoom returns when there is an empty slot, or false after a failure. While all
// slots are under way it receives: others may be waiting for the same.
func (a *asynchronous[L]) awaitRoom(w *worker[L]) bool {
	box := &a.boxes[w.thread]
	err := a.Backoff().Await(func() (bool, error) {
		if err := box.Reclaim(); err != nil {
			return false, err
		}
		if !box.HasRoom(packet.Reserve) {
			a.receive(w)
		}
		return box.HasRoom(packet.Reserve) || a.failed(), nil
	})
	if err != nil {
		a.fail(err)
	}
	return !a.failed()
}

// receive reads what has arrived: in a level by probes these and their answers, else
// forward edges.
func (a *asynchronous[L]) receive(w *worker[L]) (some bool) {
	if a.claims {
		return a.serve(w)
	}
	if a.alone {
		return a.receiveAll()
	}
	return a.receiveFor(w)
}

// receiveFor reads the forward edges that have arrived for a worker.
func (a *asynchronous[L]) receiveFor(w *worker[L]) (some bool) {
	some = a.readShares(w)
	if a.Comm.Size() == 1 { // threads that look for packets contend for their memory
		return some
	}
	for !a.failed() && a.canDivide(w) {
		p, ok := a.next(w, forward)
		if !ok {
			return some
		}
		some = true
		a.read(w, p)
	}
	return some
}

// next is the next packet of a kind that has arrived for a worker.
func (a *asynchronous[L]) next(w *worker[L], k packet.Kind) (p rank.Packet, ok bool) {
	p, ok, err := a.mail.Receive(a.channel(k, w))
	if err != nil {
		a.fail(err)
	}
	return p, ok && err == nil
}

// open returns the edges of a packet that has arrived.
func (a *asynchronous[L]) open(w *worker[L], p rank.Packet, k packet.Kind) ([]uint64, bool) {
	edges, err := a.boxes[w.thread].Open(p, k, a.state.Depth, a.ends(p.From))
	if err != nil {
		a.fail(err)
	}
	return edges, err == nil
}

// read takes the edges of a packet, or divides them among the threads.
func (a *asynchronous[L]) read(w *worker[L], p rank.Packet) {
	edges, ok := a.open(w, p, forward)
	if !ok {
		return
	}
	if len(a.workers) > 1 {
		edges, ok = a.divide(w, edges, p.From)
	}
	if !ok || !a.take(w, edges, p.From) {
		a.fail(packet.NoSuchVertex(p.From))
	}
	p.Free()
	a.received.Add(1)
}

// drain receives until all packets that were sent to this rank have arrived, and all
// shares of this worker are read.
func (a *asynchronous[L]) drain(w *worker[L]) {
	var sum rank.Pending
	backoff := a.Backoff()
	start := a.Now()
	busy := time.Duration(0)
	for !a.arrived(w) && !a.failed() {
		look := a.Now()
		some := a.receive(w)
		if some {
			busy += a.Since(look)
			backoff.Reset()
		}
		if w.thread == 0 { // which adds up for the rank
			var err error
			if sum, err = a.learnSent(sum); err != nil {
				a.fail(err)
			}
		}
		if !some && !a.arrived(w) {
			backoff.Wait()
		}
	}
	w.tally.counts[sumWaiting] += int64(a.Since(start) - busy)
}

// arrived tells whether this rank has as many packets as were sent to it, and a worker
// its shares of them, which are there before their packet counts.
func (a *asynchronous[L]) arrived(w *worker[L]) bool {
	return a.summed.Load() && a.received.Load() == a.totals[a.Comm.Rank()] && a.shares[w.thread].empty()
}

// learnSent starts adding up the packets when all threads of this rank have sent theirs,
// and looks whether the sum is there.
func (a *asynchronous[L]) learnSent(sum rank.Pending) (rank.Pending, error) {
	switch {
	case sum == nil && a.posting.Load() == 0:
		clear(a.totals)
		for t := range a.boxes {
			rank.Sum.Combine(a.totals, a.boxes[t].Sent)
		}
		return a.Comm.Reduce(rank.Sum, a.totals)
	case sum == nil || a.summed.Load():
		return sum, nil
	}
	done, err := sum.Done()
	if done {
		a.summed.Store(true)
	}
	return sum, err
}
