package rank

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/gohops/hops/internal/arena"
)

// A meeting is a collective under way.
type meeting struct {
	brought []any // by each rank
	came    atomic.Int32
	_       [64]byte      // who comes does not disturb those who wait
	sum     []uint64      // of a reduction, by the last to come
	all     atomic.Bool   // have come
	done    chan struct{} // closed then
	next    atomic.Pointer[meeting]
}

// join enters the next meeting, with something for the others. The first to come
// opens it, and the last to come concludes it.
func (l *local) join(bring any, conclude func(*meeting)) (*meeting, error) {
	if err := l.err(); err != nil {
		return nil, err
	}
	m := l.last.next.Load()
	if m == nil {
		l.last.next.CompareAndSwap(nil, &meeting{brought: make([]any, l.Size()), done: make(chan struct{})})
		m = l.last.next.Load()
	}
	l.last = m
	m.brought[l.rank] = bring
	if int(m.came.Add(1)) == l.Size() {
		if conclude != nil {
			conclude(m)
		}
		m.all.Store(true)
		close(m.done)
	}
	return m, nil
}

// meet brings something and returns what everybody brought.
func (l *local) meet(bring any) ([]any, error) {
	m, err := l.join(bring, nil)
	if err != nil {
		return nil, err
	}
	return m.brought, l.complete(m)
}

const (
	// openEyes is how long a rank waits at most before it sleeps: a few times what it
	// takes to be woken up.
	openEyes = 250 * time.Microsecond
	// yieldAfter so many looks, some 20 µs, others may run. Ranks with a core each that
	// yield more often meet at the lock of the scheduler: when sixteen no longer did so
	// here and in Pace, a search at scale 18 took 0.31 ms instead of 0.73.
	yieldAfter = 1 << 13
)

// complete waits until all have come: with open eyes for as long as that may be
// worth it, which is not at all if there are more ranks than cores, in whatever
// groups they meet.
func (l *local) complete(m *meeting) error {
	crowded, looks := l.ranks > runtime.GOMAXPROCS(0), yieldAfter
	if crowded {
		looks = 1
	}
	start := time.Now()
	for turn := 0; turn < eager && (crowded || time.Since(start) < openEyes); turn++ {
		for range looks {
			if ok, err := arrived(m, l.world); ok || err != nil {
				return err
			}
		}
		runtime.Gosched()
	}
	select {
	case <-m.done:
	case <-l.broken:
	}
	_, err := arrived(m, l.world)
	return err
}

// arrived tells whether all have come. Whoever came through this meeting may
// have failed since, and the meeting still counts: so the failure is looked at
// before the meeting.
func arrived(m *meeting, w *world) (bool, error) {
	err := w.err()
	if m.all.Load() {
		return true, nil
	}
	return false, err
}

func (l *local) Barrier() error {
	_, err := l.meet(nil)
	return err
}

// A reduction is one rank's side of a reducing meeting.
type reduction struct {
	local   *local
	meeting *meeting
	brought []uint64
	into    []uint64
	done    bool
}

func (l *local) Reduce(op Op, v []uint64) (Pending, error) {
	l.meter.Reduce(l, len(v))
	bring := l.copied(v)
	m, err := l.join(bring, func(m *meeting) {
		m.sum = slices.Clone(m.brought[0].([]uint64))
		for _, other := range m.brought[1:] {
			op.Combine(m.sum, other.([]uint64))
		}
	})
	if err != nil {
		return nil, err
	}
	return &reduction{local: l, meeting: m, brought: bring, into: v}, nil
}

// copied returns a copy, in memory that an earlier reduction has given back if that
// is large enough.
func (l *local) copied(v []uint64) []uint64 {
	var room []uint64
	if n := len(l.spare); n > 0 {
		room, l.spare = l.spare[n-1], l.spare[:n-1]
	}
	return append(room[:0], v...)
}

// Done implements Pending.
func (r *reduction) Done() (bool, error) {
	if r.done {
		return true, nil
	}
	if ok, err := arrived(r.meeting, r.local.world); !ok {
		return false, err
	}
	copy(r.into, r.meeting.sum)
	r.done = true
	r.local.spare = append(r.local.spare, r.brought)
	return true, nil
}

// Wait implements Pending.
func (r *reduction) Wait() error {
	if err := r.local.complete(r.meeting); err != nil {
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
	brought, err := l.meet(all)
	if err != nil {
		return err
	}
	for r, p := range parts {
		from := brought[r].([]byte)
		if r != l.rank && p.Size() > 0 && &from[p.Lo] != &all[p.Lo] {
			copy(all[p.Lo:p.Hi], from[p.Lo:p.Hi])
		}
	}
	return l.Barrier() // nobody changes what others still read
}

// An offer is what a rank brings to an exchange.
type offer struct {
	out  []byte
	cuts []int64
}

func (l *local) Exchange(out []byte, outCuts []int64, in []byte, inCuts []int64) error {
	if err := CheckCuts(outCuts, l.Size(), len(out)); err != nil {
		return err
	}
	if err := CheckCuts(inCuts, l.Size(), len(in)); err != nil {
		return err
	}
	l.meter.Exchange(l, outCuts)
	offers, err := l.meet(offer{out, outCuts})
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

// A joiner is what a rank brings to a split.
type joiner struct {
	color, key, rank int
	group            *group // made by the first rank of each color, as is
	first            *meeting
}

func (l *local) Split(color, key int) (Comm, error) {
	me := &joiner{color: color, key: key, rank: l.rank}
	brought, err := l.meet(me)
	if err != nil {
		return nil, err
	}
	var members []*joiner
	for _, b := range brought {
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
		me.group, me.first = newGroup(l.world, renumber(hosts)), new(meeting)
	}
	if err := l.Barrier(); err != nil {
		return nil, err
	}
	return &local{group: members[0].group, last: members[0].first, rank: slices.Index(members, me), name: l.name, meter: l.meter}, nil
}

// renumber numbers hosts by their first appearance.
func renumber(hosts []int) []int {
	seen := map[int]int{}
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
	var mine []byte
	if first := slices.Index(l.hosts, l.hosts[l.rank]); first == l.rank {
		words, err := arena.Make[uint64](&l.mem, int(size+7)/8)
		if err != nil {
			l.Abort(err)
			return nil, err
		}
		mine = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), size)
	}
	brought, err := l.meet(mine)
	if err != nil {
		return nil, err
	}
	return brought[slices.Index(l.hosts, l.hosts[l.rank])].([]byte), nil
}
