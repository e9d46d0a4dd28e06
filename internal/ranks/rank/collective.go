package rank

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/gohops/hops/internal/base/arena"
)

// A rendezvous is one collective operation: every rank of the group contributes a
// value, and reads the values of the others when all ranks have entered.
type rendezvous struct {
	contributions []any // by rank
	entered       atomic.Int32
	_             [64]byte      // entering ranks write entered; waiting ranks read what follows, on other cache lines
	reduced       []uint64      // result of a reduction, computed by the last rank to enter
	complete      atomic.Bool   // all ranks have entered
	done          chan struct{} // closed when complete is set
	next          atomic.Pointer[rendezvous]
}

// enter enters the next rendezvous of the group with a contribution. The first rank
// to enter creates it; the last one calls finish, if not nil, and completes it.
func (l *local) enter(contribution any, finish func(*rendezvous)) (*rendezvous, error) {
	if err := l.err(); err != nil {
		return nil, err
	}
	m := l.last.next.Load()
	if m == nil {
		l.last.next.CompareAndSwap(nil, &rendezvous{contributions: make([]any, l.Size()), done: make(chan struct{})})
		m = l.last.next.Load()
	}
	l.last = m
	m.contributions[l.rank] = contribution
	if int(m.entered.Add(1)) == l.Size() {
		if finish != nil {
			finish(m)
		}
		m.complete.Store(true)
		close(m.done)
	}
	return m, nil
}

// allGather contributes a value and returns the values of all ranks.
func (l *local) allGather(contribution any) ([]any, error) {
	m, err := l.enter(contribution, nil)
	if err != nil {
		return nil, err
	}
	return m.contributions, l.await(m)
}

const (
	// maxSpin is how long a rank with a core of its own polls before it blocks: a few
	// times what it takes to wake a blocked goroutine.
	maxSpin = 250 * time.Microsecond
	// maxYields is how often a polling rank yields before it blocks.
	maxYields = 16
	// pollsPerYield is how many polls, some 20 µs, a rank with a core of its own makes
	// between two yields. Ranks that yield more often contend for the lock of Go's
	// scheduler: when sixteen ranks stopped doing so, here and in Backoff, a search at
	// scale 18 took 0.31 ms instead of 0.73.
	pollsPerYield = 1 << 13
)

// await waits until all ranks have entered. It polls first. Where the process has
// more ranks than cores, polling keeps a core from the rank that is waited for, so
// it yields after every poll.
func (l *local) await(m *rendezvous) error {
	oversubscribed, polls := l.ranks > runtime.GOMAXPROCS(0), pollsPerYield
	if oversubscribed {
		polls = 1
	}
	start := time.Now()
	for yields := 0; yields < maxYields && (oversubscribed || time.Since(start) < maxSpin); yields++ {
		for range polls {
			if ok, err := completed(m, l.world); ok || err != nil {
				return err
			}
		}
		runtime.Gosched()
	}
	select {
	case <-m.done:
	case <-l.broken:
	}
	_, err := completed(m, l.world)
	return err
}

// completed tells whether all ranks have entered. A rank may fail after a complete
// rendezvous, which still counts, so the failure is read before the rendezvous.
func completed(m *rendezvous, w *world) (bool, error) {
	err := w.err()
	if m.complete.Load() {
		return true, nil
	}
	return false, err
}

func (l *local) Barrier() error {
	_, err := l.allGather(nil)
	return err
}

// A reduction is one rank's part in a reducing rendezvous.
type reduction struct {
	local        *local
	rendezvous   *rendezvous
	contribution []uint64
	into         []uint64
	done         bool
}

func (l *local) Reduce(op Op, v []uint64) (Pending, error) {
	l.meter.Reduce(l, len(v))
	contribution := l.copied(v)
	m, err := l.enter(contribution, func(m *rendezvous) {
		m.reduced = slices.Clone(m.contributions[0].([]uint64))
		for _, other := range m.contributions[1:] {
			op.Combine(m.reduced, other.([]uint64))
		}
	})
	if err != nil {
		return nil, err
	}
	return &reduction{local: l, rendezvous: m, contribution: contribution, into: v}, nil
}

// copied returns a copy of v, in the memory of an earlier contribution if there is
// one of sufficient length.
func (l *local) copied(v []uint64) []uint64 {
	var room []uint64
	if n := len(l.spare); n > 0 {
		room, l.spare = l.spare[n-1], l.spare[:n-1]
	}
	return append(room[:0], v...)
}

func (r *reduction) Done() (bool, error) {
	if r.done {
		return true, nil
	}
	if ok, err := completed(r.rendezvous, r.local.world); !ok {
		return false, err
	}
	copy(r.into, r.rendezvous.reduced)
	r.done = true
	r.local.spare = append(r.local.spare, r.contribution)
	return true, nil
}

func (r *reduction) Wait() error {
	if err := r.local.await(r.rendezvous); err != nil {
		return err
	}
	_, err := r.Done()
	return err
}

func (l *local) Gather(all []byte, parts []Span) error {
	if err := CheckSpans(parts, l.Size(), len(all)); err != nil {
		return err
	}
	l.meter.Gather(l, parts)
	buffers, err := l.allGather(all)
	if err != nil {
		return err
	}
	for r, p := range parts {
		from := buffers[r].([]byte)
		if r != l.rank && p.Size() > 0 && &from[p.Lo] != &all[p.Lo] {
			copy(all[p.Lo:p.Hi], from[p.Lo:p.Hi])
		}
	}
	return l.Barrier() // no rank changes its buffer while others read it
}

// An offer is a rank's contribution to an exchange.
type offer struct {
	out  []byte
	cuts []int64
}

func (l *local) Exchange(out []byte, outCuts []int64, in []byte, inCuts []int64) error {
	if err := CheckCuts(out, outCuts, in, inCuts, l.Size()); err != nil {
		return err
	}
	l.meter.Exchange(l, outCuts)
	offers, err := l.allGather(offer{out, outCuts})
	if err != nil {
		return err
	}
	for r, o := range offers {
		from := o.(offer)
		part := from.out[from.cuts[l.rank]:from.cuts[l.rank+1]]
		if room := inCuts[r+1] - inCuts[r]; int64(len(part)) != room {
			err := fmt.Errorf("rank: rank %d sends %d bytes to rank %d, which expects %d", r, len(part), l.rank, room)
			l.Abort(err)
			return err
		}
		copy(in[inCuts[r]:], part)
	}
	return l.Barrier()
}

// A joiner is a rank's contribution to a split.
type joiner struct {
	color, key, rank int
	// The first rank of each color makes the new group and its first rendezvous.
	group *group
	first *rendezvous
}

func (l *local) Split(color, key int) (Comm, error) {
	me := &joiner{color: color, key: key, rank: l.rank}
	joiners, err := l.allGather(me)
	if err != nil {
		return nil, err
	}
	var members []*joiner
	for _, b := range joiners {
		if j := b.(*joiner); j.color == color {
			members = append(members, j)
		}
	}
	slices.SortStableFunc(members, func(a, b *joiner) int { return cmp.Compare(a.key, b.key) })
	hosts := make([]int, len(members))
	for i, j := range members {
		hosts[i] = l.hosts[j.rank]
	}
	if members[0] == me {
		me.group, me.first = newGroup(l.world, NumberHosts(hosts)), new(rendezvous)
	}
	if err := l.Barrier(); err != nil {
		return nil, err
	}
	return &local{group: members[0].group, last: members[0].first, rank: slices.Index(members, me), worldRank: l.worldRank, meter: l.meter}, nil
}

// NumberHosts numbers the hosts of all ranks by their first ranks.
func NumberHosts[T comparable](hosts []T) []int {
	seen := map[T]int{}
	out := make([]int, len(hosts))
	for i, h := range hosts {
		if _, ok := seen[h]; !ok {
			seen[h] = len(seen)
		}
		out[i] = seen[h]
	}
	return out
}

func (l *local) Share(size int64) ([]byte, error) {
	var mine []byte // only of the first rank of each host
	if first := slices.Index(l.hosts, l.hosts[l.rank]); first == l.rank {
		words, err := arena.Make[uint64](&l.mem, int(size+7)/8)
		if err != nil {
			l.Abort(err)
			return nil, err
		}
		mine = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), size)
	}
	shared, err := l.allGather(mine)
	if err != nil {
		return nil, err
	}
	return shared[slices.Index(l.hosts, l.hosts[l.rank])].([]byte), nil
}
