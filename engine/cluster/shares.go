package cluster

import (
	"sync"
	"sync/atomic"

	"github.com/gohops/hops/internal/ranks/packet"
)

// A shareQueue has the shares of packets that other threads of the rank have for one.
type shareQueue struct {
	count  atomic.Int32 // shows an empty queue without the lock
	mu     sync.Mutex
	shares []packet.Share
	spare  []packet.Share // of its one reader
}

func (q *shareQueue) push(s packet.Share) {
	q.mu.Lock()
	q.shares = append(q.shares, s)
	q.mu.Unlock()
	q.count.Add(1)
}

func (q *shareQueue) empty() bool { return q.count.Load() == 0 }

// all takes the shares that are there.
func (q *shareQueue) all() []packet.Share {
	if q.empty() {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shares, q.spare = q.spare[:0], q.shares
	q.count.Add(-int32(len(q.spare)))
	return q.spare
}

// readShares takes the edges that other threads have for a worker.
func (a *asynchronous[L]) readShares(w *worker[L]) (some bool) {
	for _, s := range a.shares[w.thread].all() {
		some = true
		if !a.take(w, s.Edges, s.From) {
			a.fail(packet.NoSuchVertex(s.From))
		}
		s.Release()
	}
	return some
}

// canDivide tells whether there is an empty slot, which dividing a packet takes. The
// other threads give slots back whenever they receive.
func (a *asynchronous[L]) canDivide(w *worker[L]) bool {
	box := &a.boxes[w.thread]
	if len(a.workers) == 1 || box.HasRoom(0) {
		return true
	}
	if err := box.Reclaim(); err != nil {
		a.fail(err)
	}
	return box.HasRoom(0)
}

// divide gives the other threads their shares of a packet and returns the share of w.
func (a *asynchronous[L]) divide(w *worker[L], edges []uint64, from int) ([]uint64, bool) {
	first, _ := a.Parts.Rank(a.Comm.Rank())
	return a.boxes[w.thread].Divide(edges, from, w.thread, first, a.ends(from).Receiver, func(t int, s packet.Share) {
		a.shares[t].push(s)
	})
}
