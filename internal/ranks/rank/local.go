package rank

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gohops/hops/internal/base/arena"
)

// Ranks in one process.
//
// Packets are not copied: the receiver reads the sender's memory, which the sender
// may reuse when the receiver has released the packet. A collective is a rendezvous
// (collective.go): every rank contributes a value and reads the values of the others when
// all have entered. The rendezvous of a group form a linked list, since a fast rank
// may enter the next one before slow ranks have left the last; the garbage collector
// takes those that all ranks have left. There are no locks: ranks enter a collective
// at about the same time and would queue up at one.

// A world is the state that all groups of one call of Local share.
type world struct {
	ranks   int
	failure atomic.Pointer[Failure]
	broken  chan struct{} // closed after failure is set
}

func (w *world) err() error {
	if f := w.failure.Load(); f != nil {
		return f
	}
	return nil
}

// A group is the state that the ranks of one Comm share.
type group struct {
	*world
	hosts []int // host of each rank
	mem   arena.Arena
	open  atomic.Int32 // ranks that have not called Close

	inboxes []inboxes // inboxes of each rank
}

// A local is one rank's end of a group.
type local struct {
	*group
	rank      int
	worldRank int         // rank in the group of all ranks, which failures name
	last      *rendezvous // the last one that this rank entered
	spare     [][]uint64  // vectors of finished reductions, to be reused
	meter     *Meter
	once      sync.Once
}

// InOneProcess tells whether the ranks of a Comm are goroutines of this process.
func InOneProcess(c Comm) bool {
	_, ok := c.(*local)
	return ok
}

// Local returns n ranks in this process, in that order, spread over simulated hosts
// in contiguous groups of about equal size. The hosts only determine which ranks may
// share memory and which traffic counts as traffic between hosts.
func Local(n, hosts int) ([]Comm, error) {
	if n < 1 || hosts < 1 || hosts > n {
		return nil, fmt.Errorf("rank: %d ranks on %d hosts: impossible", n, hosts)
	}
	w := &world{ranks: n, broken: make(chan struct{})}
	of := make([]int, n)
	for r := range of {
		of[r] = r * hosts / n
	}
	g := newGroup(w, of)
	comms, first := make([]Comm, n), new(rendezvous)
	for r := range comms {
		comms[r] = &local{group: g, last: first, rank: r, worldRank: r, meter: new(Meter)}
	}
	return comms, nil
}

func newGroup(w *world, hosts []int) *group {
	g := &group{world: w, hosts: hosts, inboxes: make([]inboxes, len(hosts))}
	g.open.Store(int32(len(hosts)))
	return g
}

func (l *local) Rank() int         { return l.rank }
func (l *local) Size() int         { return len(l.hosts) }
func (l *local) Host(rank int) int { return l.hosts[rank] }
func (l *local) Traffic() Traffic  { return l.meter.Traffic() }
func (l *local) Err() error        { return l.err() }

func (l *local) Abort(cause error) {
	// A rank that fails because another one has failed is not the cause.
	if f := (*Failure)(nil); errors.As(cause, &f) {
		return
	}
	if l.failure.CompareAndSwap(nil, &Failure{Rank: l.worldRank, Cause: cause}) {
		close(l.broken)
	}
}

func (l *local) Close() error {
	l.once.Do(func() {
		if l.open.Add(-1) == 0 {
			_ = l.mem.Close()
		}
	})
	return nil
}
