package launch

import (
	"sync/atomic"
	"unsafe"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/ranks/rank"
)

// Reductions within a host bypass MPI. If all ranks of a group are on one host, they share memory.
// In each reduction every rank writes its vector into a slot of its own, and when all slots are
// filled every rank combines them for itself. A level of a search has two or three reductions, of a
// few words each. An empty level of sixteen ranks on sixteen cores takes 16 µs by MPI, whose ranks
// pass on partial results, and 3.5 µs in shared memory; a barrier takes 7 and 1 µs.
//
// Slots are used again after 2 × underWay reductions. By then all ranks have read them: a rank that
// starts reduction n has read reduction n - underWay, since it has at most underWay reductions
// under way. So all ranks had started that one, and had read reduction n - 2 × underWay.

const (
	// underWay is the number of reductions that a rank may have under way.
	underWay = 4
	// slotWords is the length of a slot: the number of the reduction and the vector. It is an odd
	// number of cache lines, so that the first lines of all slots fall into different sets of a
	// cache.
	slotWords = 65 * 8
	// pollsPerProgress is the number of polls of the slots between two calls of MPI. Other ranks
	// may wait for a message that only makes progress in such a call.
	pollsPerProgress = 256
)

// A reducer is one rank's view of the slots of its group.
type reducer struct {
	comm     *comm
	progress func() error // of MPI
	slots    []uint64     // by reduction, modulo 2 × underWay, and by rank: see slot
	under    [underWay]*reduction
	// started and read count the reductions that this rank has started and completed. In the next
	// one to complete, the slots of the ranks before seen are filled.
	started, read uint64
	seen          int
	vain          int // polls without success
}

// newReducer gives the group a reducer if all of its ranks are on this host. All ranks call it.
func (c *comm) newReducer() error {
	for _, host := range c.hosts {
		if host != c.hosts[0] {
			return nil
		}
	}
	memory, err := c.share(int64(reducerWords(c.Size()))*int64(unsafe.Sizeof(uint64(0))), false)
	if err != nil {
		return err
	}
	c.reducer = &reducer{comm: c, progress: c.Progress, slots: arena.View[uint64](memory)}
	return nil
}

func reducerWords(ranks int) int { return 2 * underWay * ranks * slotWords }

// slot is the slot of a rank in a reduction. Its first word is the number of the last reduction,
// counted from 1, whose vector the slot has.
func (d *reducer) slot(reduction uint64, rank int) []uint64 {
	at := int(reduction % (2 * underWay))
	return d.slots[(at*d.comm.Size()+rank)*slotWords:][:slotWords]
}

// fits tells whether there is room for a vector in a slot.
func (d *reducer) fits(v []uint64) bool { return len(v) < slotWords }

// A reduction is the Pending of a reduction.
type reduction struct {
	reducer *reducer
	number  uint64
	op      rank.Op
	vector  []uint64
}

// reduce starts a reduction. If too many are under way, it waits for the first of them.
func (d *reducer) reduce(op rank.Op, v []uint64) (rank.Pending, error) {
	if d.started-d.read == underWay {
		if err := d.under[d.read%underWay].Wait(); err != nil {
			return nil, err
		}
	}
	p := &reduction{reducer: d, number: d.started, op: op, vector: v}
	d.under[p.number%underWay] = p
	d.started++
	slot := d.slot(p.number, d.comm.Rank())
	copy(slot[1:], v)
	atomic.StoreUint64(&slot[0], d.started)
	return p, nil
}

// Done implements rank.Pending. A rank may fail after it has filled its slot, which still counts, so
// the failure is read before the slots.
func (p *reduction) Done() (bool, error) {
	b := p.reducer
	err := b.comm.state.err()
	for b.read <= p.number {
		if !b.readNext() {
			if err == nil {
				err = b.polledInVain()
			}
			return false, err
		}
	}
	return true, nil
}

func (p *reduction) Wait() error { return p.reducer.comm.state.backoff().Await(p.Done) }

// readNext completes the first reduction under way if all slots are filled.
func (d *reducer) readNext() bool {
	for ; d.seen < d.comm.Size(); d.seen++ {
		if atomic.LoadUint64(&d.slot(d.read, d.seen)[0]) != d.read+1 {
			return false
		}
	}
	p := d.under[d.read%underWay]
	copy(p.vector, d.slot(d.read, 0)[1:])
	for r := 1; r < d.comm.Size(); r++ {
		p.op.Combine(p.vector, d.slot(d.read, r)[1:][:len(p.vector)])
	}
	d.read++
	d.seen = 0
	return true
}

// polledInVain counts a poll, and calls MPI from time to time so that messages make progress.
func (d *reducer) polledInVain() error {
	if d.vain++; d.vain%pollsPerProgress != 0 {
		return nil
	}
	return d.comm.failure(d.progress())
}
