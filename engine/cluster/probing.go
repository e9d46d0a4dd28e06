package cluster

import (
	"time"

	"github.com/gohops/hops/internal/ranks/packet"
	"github.com/gohops/hops/internal/ranks/rank"
)

// A level by probes, asynchronously.
//
// Every packet of probes is answered at once by one packet of claims, an empty one if
// there are none. A worker that has asked for one neighbour of each of its vertices goes
// on to the next two, and four, when its own questions are answered, whatever the others
// do. It answers their probes whenever it sends and while it waits. Any thread of a rank
// may answer: the frontier of the rank does not change in the level.
//
// When all threads of a rank have no more questions, the rank enters a reduction, and it
// answers until the reduction is done: then no rank has any, and no packet is under way.

// probe implements delivery.
func (a *asynchronous[L]) probe() {
	a.begin()
	a.Team.Run(a.probing)
}

func (a *asynchronous[L]) probeWorker(t int) {
	w := &a.workers[t]
	w.unanswered = 0
	a.openWorker(t)
	for pass := 0; len(w.queue) > 0 && !a.failed(); pass++ {
		a.askWorker(w, 1<<pass-1, 2<<pass-1)
		a.flush(w, backward)
		a.serveUntil(w, func() (bool, error) { return w.unanswered == 0, nil })
	}
	a.posting.Add(-1)
	a.bookWorker(t)
	var sum rank.Pending
	a.serveUntil(w, func() (_ bool, err error) {
		if t == 0 { // which reduces for the rank
			sum, err = a.learnSent(sum)
		}
		return a.summed.Load(), err
	})
}

func (a *asynchronous[L]) postProbe(w *worker[L], u L, v uint32) {
	if lane := a.boxes[w.thread].Post(uint64(u), w.number(v)); a.boxes[w.thread].Full(lane) {
		a.send(w, backward, lane)
	}
}

// serveUntil serves other workers until this one has what it waits for.
func (a *asynchronous[L]) serveUntil(w *worker[L], done func() (bool, error)) {
	backoff := a.Backoff()
	start := a.Now()
	busy := time.Duration(0)
	for !a.failed() {
		if ok, err := done(); err != nil {
			a.fail(err)
		} else if ok {
			break
		}
		look := a.Now()
		if a.serve(w) {
			busy += a.Since(look)
			backoff.Reset()
		} else {
			backoff.Wait()
		}
	}
	w.tally.counts[sumWaiting] += int64(a.Since(start) - busy)
}

// serve takes the claims that have arrived, and answers probes as long as there is an
// empty slot for an answer.
func (a *asynchronous[L]) serve(w *worker[L]) (some bool) {
	for !a.failed() {
		p, ok := a.next(w, forward)
		if !ok {
			break
		}
		some = true
		w.unanswered--
		if edges, ok := a.open(w, p, forward); ok && !a.take(w, edges, p.From) {
			a.fail(packet.NoSuchVertex(p.From))
		}
		p.Free()
	}
	box := &a.boxes[w.thread]
	for !a.failed() {
		if err := box.Reclaim(); err != nil {
			a.fail(err)
		}
		if !box.HasRoom(0) {
			break
		}
		p, ok := a.next(w, backward)
		if !ok {
			break
		}
		some = true
		a.answer(w, p)
	}
	return some
}

// answer sends claims for the probes of a packet that ask for a vertex in the frontier.
func (a *asynchronous[L]) answer(w *worker[L], p rank.Packet) {
	edges, ok := a.open(w, p, backward)
	if !ok {
		return
	}
	if !packet.Exist(edges, a.ends(p.From)) {
		a.fail(packet.NoSuchVertex(p.From))
		return
	}
	w.answers = w.answers[:0]
	for _, e := range edges {
		if a.inFrontier(uint32(e >> 32)) {
			w.answers = append(w.answers, e<<32|e>>32)
		}
	}
	p.Free()
	a.sendSealed(w, a.boxes[w.thread].Answer(w.answers, p.From, a.state.Depth), forward, p.From)
}
