package cluster

import (
	"cmp"

	"github.com/gohops/hops/internal/ranks/packet"
	"github.com/gohops/hops/internal/ranks/rank"
)

// The kinds of edges that workers post.
const (
	forward  = packet.Forward
	backward = packet.Backward
)

// A delivery brings edges from the workers that post them to the owners of their
// other ends, which may be any workers. Vertices at both ends are numbered from the
// first of their ranks.
type delivery[L label] interface {
	// deliver runs a phase in which every worker posts forward edges, and brings them
	// to their owners. On each worker that has all of its edges it runs then.
	deliver(phase, then func(thread int))
	// postRow posts the forward edges from vertex v of worker w to the vertices in a
	// row, within a phase.
	postRow(w *worker[L], v uint32, row []L)
	// probe runs a level by probes.
	probe()
	// postProbe posts the question of vertex v of worker w whether u, a vertex of
	// another rank, is in the frontier, within probe.
	postProbe(w *worker[L], u L, v uint32)
	close()
}

func newDelivery[L label](m *machine[L], o Options) (delivery[L], error) {
	if o.Sync == "bulk" {
		return newBulk(m), nil
	}
	return newAsynchronous(m, o.Encoding, cmp.Or(o.few, fewEntries))
}

// take visits the receiver's ends of forward edges from a rank. It reports false where
// an end is not a vertex.
func (m *machine[L]) take(w *worker[L], edges []uint64, from int) bool {
	first, end := m.Parts.Rank(from)
	return w.take(edges, first, uint32(end-first))
}

// ends are the numbers of vertices at the ends of edges that this rank gets from
// another.
func (m *machine[L]) ends(from int) packet.Limits {
	count := func(r int) uint32 {
		first, end := m.Parts.Rank(r)
		return uint32(end - first)
	}
	return packet.Limits{Receiver: count(m.Comm.Rank()), Sender: count(from)}
}

// A level of few entries is run by one thread of each rank, which does what all of them
// would do: to have them all begin takes longer than such a level. The first level of a
// search took 2.4 ms on four ranks of four threads, which all had to wake up for it, and
// takes 0.05 ms so (16 cores, scale 24).

// fewEntries is the number of vertices and row entries of a frontier, together, up to which
// one thread runs the level.
const fewEntries = 1 << 10

// hasFew tells whether one thread is to run the level.
func (a *asynchronous[L]) hasFew() bool {
	return len(a.workers) > 1 && a.state.Vertices+a.state.Edges <= a.few
}

// runAlone does what runWorker does, for all threads in turn. Whenever one of them would wait
// or look for packets, all of them receive, since no other thread makes room.
func (a *asynchronous[L]) runAlone() {
	a.alone = true
	for t := range a.workers {
		a.phase(t)
		a.flush(&a.workers[t], forward)
	}
	a.posting.Store(0)
	a.drainAll()
	for t := range a.workers {
		a.then(t)
	}
	a.alone = false
}

// drainAll receives until all packets that were sent to this rank have arrived and are
// read.
func (a *asynchronous[L]) drainAll() {
	var sum rank.Pending
	backoff := a.Backoff()
	start := a.Now()
	for !a.failed() {
		var err error
		if sum, err = a.learnSent(sum); err != nil {
			a.fail(err)
		}
		if a.receiveAll() {
			backoff.Reset()
			continue
		}
		if a.allArrived() {
			break
		}
		backoff.Wait()
	}
	a.workers[0].tally.counts[sumWaiting] += int64(a.Since(start))
}

// receiveAll receives for all threads.
func (a *asynchronous[L]) receiveAll() (some bool) {
	for t := range a.workers {
		if a.receiveFor(&a.workers[t]) {
			some = true
		}
	}
	return some
}

// allArrived is arrived for all threads.
func (a *asynchronous[L]) allArrived() bool {
	for t := range a.workers {
		if !a.arrived(&a.workers[t]) {
			return false
		}
	}
	return true
}
