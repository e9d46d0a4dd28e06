package cygraph

// The memory port of a kernel: from the multiplexer to the memory and back.

// read puts a read into the port's register.
func (k *kernel) read(l *lane, address uint64, words int) {
	l.issued += uint32(words)
	k.port = request{valid: true, lane: l, words: words, address: address}
	k.openAt = k.m.now + uint64(k.m.Pace)
}

// writeWord puts a write into the port's register.
func (k *kernel) writeWord(address, data uint64) {
	k.writes.issued++
	k.port = request{valid: true, write: true, lane: &k.writes, words: 1, address: address, data: data}
	k.openAt = k.m.now + uint64(k.m.Pace)
}

// send sends the request of the port's register to the memory, if it accepts one.
func (k *kernel) send() bool {
	m, r := k.m, &k.port
	if r.valid && r.flush {
		r.valid, k.flushing = false, true
		return true
	}
	if !r.valid || !m.banks.accepts(k.id, m.now) {
		return false
	}
	r.valid = false
	ready := m.banks.arrival(k.id, k.seq, r.address, r.words, m.now)
	k.seq++
	m.tally.Requests++
	if r.write {
		if r.visit && m.mem[r.address]&1 == 0 {
			m.tally.Found++
		}
		if r.set {
			r.data |= m.mem[r.address]
		}
		m.mem[r.address] = r.data
		r.lane.expect(0, ready)
		return true
	}
	for _, word := range m.mem[r.address : r.address+uint64(r.words)] {
		r.lane.expect(word, ready)
	}
	return true
}

// answerFlush answers a flush that the port took in an earlier cycle, once all writes
// are acknowledged.
func (k *kernel) answerFlush() bool {
	if !k.flushing || !k.writes.empty() {
		return false
	}
	k.flushing, k.flushed = false, true
	return true
}

// receive takes at most one word and one acknowledgement that have arrived.
func (k *kernel) receive() bool {
	now := k.m.now
	acknowledged := k.writes.arrive(now)
	if acknowledged {
		k.writes.pop()
	}
	return k.rows.arrive(now) || k.ids.arrive(now) || k.words.arrive(now) || k.scan.ends.arrive(now) || acknowledged
}

// never is later than any cycle.
const never = ^uint64(0)

// A lane is the FIFO for the responses to one process, together with the responses
// under way: one ring buffer in the order of the requests, with four counters.
//
//	popped ≤ arrived ≤ sent ≤ issued ≤ popped + depth
//
// The last inequality is the credit rule: a response never finds the FIFO full.
type lane struct {
	slots                         []response
	mask                          uint32
	issued, sent, arrived, popped uint32
}

type response struct {
	data  uint64
	ready uint64 // the first cycle in which it can arrive
}

func newLane(depth int) lane {
	return lane{slots: make([]response, depth), mask: uint32(depth - 1)}
}

func (l *lane) emptied() lane       { return lane{slots: l.slots, mask: l.mask} }
func (l *lane) empty() bool         { return l.issued == l.popped }
func (l *lane) some() bool          { return l.arrived != l.popped }
func (l *lane) room(words int) bool { return l.issued-l.popped+uint32(words) <= l.mask+1 }
func (l *lane) head() uint64        { return l.slots[l.popped&l.mask].data }

func (l *lane) pop() uint64 {
	data := l.head()
	l.popped++
	return data
}

func (l *lane) expect(data, ready uint64) {
	l.slots[l.sent&l.mask] = response{data, ready}
	l.sent++
}

// due returns the first cycle in which the next response can arrive.
func (l *lane) due() uint64 {
	if l.arrived == l.sent {
		return never
	}
	return l.slots[l.arrived&l.mask].ready
}

func (l *lane) arrive(now uint64) bool {
	if l.due() > now {
		return false
	}
	l.arrived++
	return true
}

// A fifo is a FIFO between two processes, without memory requests.
type fifo[T any] struct {
	slots          []T
	mask           uint32
	pushed, popped uint32
}

func newFIFO[T any](depth int) fifo[T] {
	return fifo[T]{slots: make([]T, depth), mask: uint32(depth - 1)}
}

func (f *fifo[T]) emptied() fifo[T] { return fifo[T]{slots: f.slots, mask: f.mask} }
func (f *fifo[T]) empty() bool      { return f.pushed == f.popped }
func (f *fifo[T]) full() bool       { return f.pushed-f.popped > f.mask }
func (f *fifo[T]) head() *T         { return &f.slots[f.popped&f.mask] }

func (f *fifo[T]) push(v T) {
	f.slots[f.pushed&f.mask] = v
	f.pushed++
}

func (f *fifo[T]) pop() T {
	v := *f.head()
	f.popped++
	return v
}
