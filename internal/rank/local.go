package rank

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gohops/hops/internal/arena"
)

// Ranks in one process.
//
// Packets are not copied: what the receiver reads is the sender's memory, which
// the sender gets back when the receiver has released it. A collective is a
// meeting: every rank leaves something there, and takes what it needs from the
// others when all have come. Each meeting knows the next one, at which a fast rank
// can be already; those that all have left are forgotten. There are no locks, at
// which ranks that come together would queue up.

// A world is what all groups of a process have in common.
type world struct {
	ranks   int
	failure atomic.Pointer[Failure]
	broken  chan struct{} // closed after it is set
}

func (w *world) err() error {
	if f := w.failure.Load(); f != nil {
		return f
	}
	return nil
}

// A group is what the ranks of one Comm share.
type group struct {
	*world
	hosts []int // of each rank
	mem   arena.Arena
	open  atomic.Int32 // ranks that have not closed it

	inboxes []inboxes // of each rank
}

// A local is one rank's side of a group.
type local struct {
	*group
	rank  int
	name  int      // its rank among all, for failures
	last  *meeting // that it came to
	spare [][]uint64
	meter *Meter
	once  sync.Once
}

// Local returns n ranks in this process, in that order, spread over hosts in
// contiguous groups as even as can be. The hosts are pretended: they tell which
// ranks may share memory and what traffic counts as between hosts.
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
	comms, first := make([]Comm, n), new(meeting)
	for r := range comms {
		comms[r] = &local{group: g, last: first, rank: r, name: r, meter: new(Meter)}
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

func (l *local) Abort(cause error) {
	// A rank that fails because another has is not the one to be named.
	if f := (*Failure)(nil); errors.As(cause, &f) {
		return
	}
	if l.failure.CompareAndSwap(nil, &Failure{Rank: l.name, Cause: cause}) {
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
