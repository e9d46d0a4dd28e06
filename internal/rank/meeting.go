package rank

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/gohops/hops/internal/arena"
)

// A meeting is a collective under way.
type meeting struct {
	brought []any    // by each rank
	sum     []uint64 // of a reduction
	came    int
	left    int
	all     atomic.Bool   // have come
	done    chan struct{} // closed then
}

// join enters the next meeting, with something for the others. The first to come
// opens it.
func (l *local) join(bring any, combine func(*meeting)) (*meeting, uint64, error) {
	if err := l.err(); err != nil {
		return nil, 0, err
	}
	number := l.next
	l.next++
	l.mu.Lock()
	defer l.mu.Unlock()
	m := l.meetings[number]
	if m == nil {
		m = &meeting{done: make(chan struct{})}
		l.meetings[number] = m
	}
	if bring != nil {
		if m.brought == nil {
			m.brought = make([]any, l.Size())
		}
		m.brought[l.rank] = bring
	}
	if combine != nil {
		combine(m)
	}
	if m.came++; m.came == l.Size() {
		m.all.Store(true)
		close(m.done)
	}
	return m, number, nil
}

// leave closes the meeting behind the last rank.
func (l *local) leave(m *meeting, number uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m.left++; m.left == l.Size() {
		delete(l.meetings, number)
	}
}

// meet brings something and returns what everybody brought.
func (l *local) meet(bring any) ([]any, error) {
	m, number, err := l.join(bring, nil)
	if err != nil {
		return nil, err
	}
	if err := l.complete(m); err != nil {
		return nil, err
	}
	l.leave(m, number)
	return m.brought, nil
}

// complete waits until all have come: with open eyes for as long as that may be
// worth it, which is not at all if there are more ranks than cores.
func (l *local) complete(m *meeting) error {
	looks := 2000
	if l.Size() > runtime.GOMAXPROCS(0) {
		looks = eager
	}
	for range looks {
		if ok, err := arrived(m, l.world); ok || err != nil {
			return err
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
	m, number, err := l.join(nil, nil)
	if err != nil {
		return err
	}
	if err := l.complete(m); err != nil {
		return err
	}
	l.leave(m, number)
	return nil
}

// A reduction is one rank's side of a reducing meeting.
type reduction struct {
	local   *local
	meeting *meeting
	number  uint64
	into    []uint64
	done    bool
}

func (l *local) Reduce(op Op, v []uint64) (Pending, error) {
	l.meter.Reduce(l, len(v))
	m, number, err := l.join(nil, func(m *meeting) {
		if m.sum == nil {
			m.sum = slices.Clone(v)
		} else {
			op.Combine(m.sum, v)
		}
	})
	if err != nil {
		return nil, err
	}
	return &reduction{local: l, meeting: m, number: number, into: v}, nil
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
	r.local.leave(r.meeting, r.number)
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
	group            *group // made by the first rank of each color
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
		me.group = newGroup(l.world, renumber(hosts))
	}
	if err := l.Barrier(); err != nil {
		return nil, err
	}
	return &local{group: members[0].group, rank: slices.Index(members, me), name: l.name, meter: l.meter}, nil
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
