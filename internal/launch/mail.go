package launch

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/rank"
)

// Packets within a host are not copied and are no affair of MPI: a process lays them
// in memory that the processes of its host share, tells the receiver where, and has
// the memory back when the receiver has read it there. An MPI library takes 10 µs or
// more to pass on a packet of 32 KiB, a note takes less than one.
//
// For each pair of processes there is a ring of notes, written by one of them and read
// by the other. The state of a note tells whose turn it is: in lap n it is 2n when the
// sender may write it, and 2n+1 until the receiver has released the packet. So there
// are no counters that both change, and zeroed memory is an empty ring.

// ringSize is the number of notes in a ring. A sender who is further ahead keeps what
// it has to say to itself.
const ringSize = 128

// A note tells where a packet lies.
type note struct {
	state   atomic.Uint32
	channel uint32
	offset  uint64 // in the sender's memory
	size    uint32
	_       [44]byte // a cache line for each
}

// A mailroom is what a process needs for this.
type mailroom struct {
	comm    *comm
	members []int    // ranks of this host
	me      int      // place among them
	notes   []note   // ring of receiver r and sender s: ring(r, s)
	memory  []byte   // of all, size bytes each
	size    int      // of one
	alone   bool     // there is no other host
	out     []outbox // for each of them
	waiting atomic.Int32

	reading sync.Mutex
	next    []uint64 // note of each ring of ours to be read
	boxes   [rank.MaxChannel]atomic.Pointer[mailbox]
}

// An outbox is the sender's side of a ring.
type outbox struct {
	mu      sync.Mutex
	next    uint64
	waiting []*mail // for room in the ring
}

// A mailbox has the packets that have arrived on a channel.
type mailbox struct {
	count   atomic.Int32 // an empty one is not locked
	mu      sync.Mutex
	packets []rank.Packet
}

// A mail is a packet that was sent.
type mail struct {
	room    *mailroom
	to      int // place among the members
	channel int
	packet  []byte
	note    *note // nil: not yet written
	busy    uint32
}

// Packets implements rank.Comm.
func (c *comm) Packets(size int64) ([]byte, error) {
	m := &mailroom{comm: c, size: int(size)}
	for r, host := range c.hosts {
		if r == c.Comm.Rank {
			m.me = len(m.members)
		}
		if host == c.hosts[c.Comm.Rank] {
			m.members = append(m.members, r)
		}
	}
	n := len(m.members)
	m.alone = n == len(c.hosts)
	m.out, m.next = make([]outbox, n), make([]uint64, n)
	rings := n * n * ringSize * int(unsafe.Sizeof(note{}))
	memory, err := c.Share(int64(rings + n*m.size))
	if err != nil {
		return nil, err
	}
	m.notes, m.memory = arena.View[note](memory[:rings]), memory[rings:]
	c.mail = m
	return m.part(m.me), nil
}

// part is the memory of a member.
func (m *mailroom) part(member int) []byte { return m.memory[member*m.size:][:m.size:m.size] }

func (m *mailroom) ring(receiver, sender int) []note {
	return m.notes[(receiver*len(m.members)+sender)*ringSize:][:ringSize]
}

// post sends a packet if it goes to this host and lies in the memory for that.
func (m *mailroom) post(to, channel int, packet []byte) (rank.Pending, bool) {
	member, ok := slices.BinarySearch(m.members, to)
	if !ok || m.offset(packet) < 0 {
		return nil, false
	}
	x := &mail{room: m, to: member, channel: channel, packet: packet}
	o := &m.out[member]
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.waiting) > 0 || !m.write(o, x) {
		o.waiting = append(o.waiting, x)
		m.waiting.Add(1)
	}
	return x, true
}

// offset is where a packet lies in the memory of this process, or -1.
func (m *mailroom) offset(packet []byte) int {
	mine := m.part(m.me)
	if len(packet) == 0 || len(packet) > len(mine) {
		return -1
	}
	at := uintptr(unsafe.Pointer(unsafe.SliceData(packet))) - uintptr(unsafe.Pointer(unsafe.SliceData(mine)))
	if at > uintptr(len(mine)-len(packet)) {
		return -1
	}
	return int(at)
}

// write tells a receiver of a packet, if there is room in the ring. The outbox is
// locked.
func (m *mailroom) write(o *outbox, x *mail) bool {
	n := &m.ring(x.to, m.me)[o.next%ringSize]
	turn := uint32(2 * (o.next / ringSize))
	if n.state.Load() != turn {
		return false
	}
	n.channel, n.offset, n.size = uint32(x.channel), uint64(m.offset(x.packet)), uint32(len(x.packet))
	n.state.Store(turn + 1)
	x.note, x.busy = n, turn+1
	o.next++
	return true
}

// hurry writes what had no room before.
func (m *mailroom) hurry() {
	for i := range m.out {
		o := &m.out[i]
		o.mu.Lock()
		for len(o.waiting) > 0 && m.write(o, o.waiting[0]) {
			o.waiting = o.waiting[1:]
			m.waiting.Add(-1)
		}
		o.mu.Unlock()
	}
}

// Done implements rank.Pending.
func (x *mail) Done() (bool, error) {
	o := &x.room.out[x.to]
	o.mu.Lock()
	note, busy := x.note, x.busy
	o.mu.Unlock()
	if note != nil && note.state.Load() != busy {
		return true, nil
	}
	if note == nil {
		x.room.hurry()
	}
	return false, x.room.comm.fate.err()
}

// Wait implements rank.Pending.
func (x *mail) Wait() error { return rank.Await(x.Done) }

// receive returns the next packet that has arrived on a channel.
func (m *mailroom) receive(channel int) (p rank.Packet, ok bool, err error) {
	box := m.box(channel)
	if box.count.Load() == 0 {
		if m.waiting.Load() > 0 {
			m.hurry()
		}
		if err := m.collect(); err != nil || box.count.Load() == 0 {
			return p, false, err
		}
	}
	box.mu.Lock()
	defer box.mu.Unlock()
	p = box.packets[0]
	box.packets = box.packets[1:]
	box.count.Add(-1)
	return p, true, nil
}

func (m *mailroom) box(channel int) *mailbox {
	slot := &m.boxes[channel]
	if slot.Load() == nil {
		slot.CompareAndSwap(nil, new(mailbox))
	}
	return slot.Load()
}

// collect reads all notes there are, unless somebody else does.
func (m *mailroom) collect() error {
	if !m.reading.TryLock() {
		return nil
	}
	defer m.reading.Unlock()
	for sender := range m.members {
		ring := m.ring(m.me, sender)
		for {
			at := m.next[sender]
			n, turn := &ring[at%ringSize], uint32(2*(at/ringSize))
			if n.state.Load() != turn+1 {
				break
			}
			if err := m.deliver(sender, n, turn+2); err != nil {
				return err
			}
			m.next[sender]++
		}
	}
	return nil
}

// deliver puts a packet into its box. When it is released the note is free again.
func (m *mailroom) deliver(sender int, n *note, free uint32) error {
	from, offset, size, channel := m.members[sender], n.offset, uint64(n.size), n.channel
	if size > rank.MaxPacket || offset > uint64(m.size) || size > uint64(m.size)-offset || channel >= rank.MaxChannel {
		return fmt.Errorf("launch: malformed note from rank %d: %d bytes at %d on channel %d", from, size, offset, channel)
	}
	b := m.box(int(channel))
	b.mu.Lock()
	defer b.mu.Unlock()
	b.packets = append(b.packets, rank.Packet{
		From: from, Data: m.part(sender)[offset : offset+size : offset+size],
		Release: func() { n.state.Store(free) },
	})
	b.count.Add(1)
	return nil
}
