package launch

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/ranks/rank"
)

// Packets within a host bypass MPI and are not copied. A process writes a packet in
// memory that the processes of its host share, and passes a descriptor of it to the
// receiver. It may reuse the memory when the receiver has released the packet. An MPI
// library takes 10 µs or more to pass on a packet of 32 KiB, a descriptor less than
// one.
//
// For each pair of processes there is a ring of descriptors, written by one process
// and read by the other. The state of a descriptor says which of them owns it: in lap
// n it is 2n while the sender may write it, and 2n+1 until the receiver has released
// the packet. So there are no counters that both change, and zeroed memory is an empty
// ring.

// ringSize is the number of descriptors in a ring. A sender that is further ahead
// keeps its packets in an outbox.
const ringSize = 128

// A descriptor says where a packet lies.
type descriptor struct {
	state   atomic.Uint32
	channel uint32
	offset  uint64 // in the sender's memory
	size    uint32
	_       [44]byte // fills a cache line
}

// A shmTransport passes packets between the ranks of a group on this host, through
// shared memory.
type shmTransport struct {
	comm    *comm
	members []int        // ranks of this host
	me      int          // index of this rank in members
	rings   []descriptor // all rings: see ring
	memory  []byte       // packet memory of all members, size bytes each
	size    int          // bytes
	alone   bool         // all ranks of the group are on this host
	out     []outbox     // by member
	waiting atomic.Int32 // packets in all outboxes

	reading sync.Mutex
	next    []uint64 // by sender: number of the next descriptor to read from its ring
	inboxes [rank.MaxChannel]atomic.Pointer[inbox]
}

// An outbox is the sender's end of a ring.
type outbox struct {
	mu      sync.Mutex
	next    uint64     // number of the next descriptor to write
	waiting []*shmSend // packets that found the ring full
}

// An inbox holds the packets that have arrived on a channel.
type inbox struct {
	count   atomic.Int32 // lets receivers see an empty inbox without the lock
	mu      sync.Mutex
	packets []rank.Packet
}

// A shmSend is the Pending of a packet that was sent.
type shmSend struct {
	transport  *shmTransport
	to         int // index of the receiver in members
	channel    int
	packet     []byte
	descriptor *descriptor // nil while the packet waits for room in the ring
	busy       uint32      // state of the descriptor until the packet is released
}

// hugeFrom is the size from which shared memory has huge pages: smaller pages would be
// more than the fastest table of translations holds. Packets have small ones, most of
// which are never used.
const hugeFrom = 1 << 18

func (c *comm) Share(size int64) ([]byte, error) { return c.share(size, size >= hugeFrom) }

func (c *comm) Packets(size int64) ([]byte, error) {
	m := &shmTransport{comm: c, size: int(size)}
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
	rings := n * n * ringSize * int(unsafe.Sizeof(descriptor{}))
	memory, err := c.share(int64(rings+n*m.size), false)
	if err != nil {
		return nil, err
	}
	m.rings, m.memory = arena.View[descriptor](memory[:rings]), memory[rings:]
	c.shm = m
	return m.part(m.me), nil
}

// part returns the packet memory of a member.
func (m *shmTransport) part(member int) []byte { return m.memory[member*m.size:][:m.size:m.size] }

func (m *shmTransport) ring(receiver, sender int) []descriptor {
	return m.rings[(receiver*len(m.members)+sender)*ringSize:][:ringSize]
}

// send sends a packet if the receiver is on this host and the packet lies in this
// rank's packet memory; ok reports whether it did.
func (m *shmTransport) send(to, channel int, packet []byte) (p rank.Pending, ok bool) {
	member, ok := slices.BinarySearch(m.members, to)
	if !ok || m.offset(packet) < 0 {
		return nil, false
	}
	x := &shmSend{transport: m, to: member, channel: channel, packet: packet}
	o := &m.out[member]
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.waiting) > 0 || !m.write(o, x) {
		o.waiting = append(o.waiting, x)
		m.waiting.Add(1)
	}
	return x, true
}

// offset returns the place of a packet in this rank's packet memory, or -1.
func (m *shmTransport) offset(packet []byte) int {
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

// write writes the descriptor of a packet, if there is room in the ring. The caller
// has locked the outbox.
func (m *shmTransport) write(o *outbox, x *shmSend) bool {
	d := &m.ring(x.to, m.me)[o.next%ringSize]
	free := uint32(2 * (o.next / ringSize))
	if d.state.Load() != free {
		return false
	}
	d.channel, d.offset, d.size = uint32(x.channel), uint64(m.offset(x.packet)), uint32(len(x.packet))
	d.state.Store(free + 1)
	x.descriptor, x.busy = d, free+1
	o.next++
	return true
}

// flush writes the descriptors of waiting packets for which there is room now.
func (m *shmTransport) flush() {
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

func (x *shmSend) Done() (bool, error) {
	o := &x.transport.out[x.to]
	o.mu.Lock()
	d, busy := x.descriptor, x.busy
	o.mu.Unlock()
	if d != nil && d.state.Load() != busy {
		return true, nil
	}
	if d == nil {
		x.transport.flush()
	}
	return false, x.transport.comm.state.err()
}

func (x *shmSend) Wait() error { return x.transport.comm.state.backoff().Await(x.Done) }

// receive returns the next packet that has arrived on a channel.
func (m *shmTransport) receive(channel int) (p rank.Packet, ok bool, err error) {
	in := m.inbox(channel)
	if in.count.Load() == 0 {
		if m.waiting.Load() > 0 {
			m.flush()
		}
		if err := m.poll(); err != nil || in.count.Load() == 0 {
			return p, false, err
		}
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	p = in.packets[0]
	in.packets = in.packets[1:]
	in.count.Add(-1)
	return p, true, nil
}

func (m *shmTransport) inbox(channel int) *inbox {
	slot := &m.inboxes[channel]
	if slot.Load() == nil {
		slot.CompareAndSwap(nil, new(inbox))
	}
	return slot.Load()
}

// poll reads all new descriptors, unless another thread is doing so.
func (m *shmTransport) poll() error {
	if !m.reading.TryLock() {
		return nil
	}
	defer m.reading.Unlock()
	for sender := range m.members {
		ring := m.ring(m.me, sender)
		for {
			at := m.next[sender]
			d, free := &ring[at%ringSize], uint32(2*(at/ringSize))
			if d.state.Load() != free+1 {
				break
			}
			if err := m.deliver(sender, d, free+2); err != nil {
				return err
			}
			m.next[sender]++
		}
	}
	return nil
}

// deliver puts a packet into the inbox of its channel. Releasing the packet sets the
// state of its descriptor to released.
func (m *shmTransport) deliver(sender int, d *descriptor, released uint32) error {
	from, offset, size, channel := m.members[sender], d.offset, uint64(d.size), d.channel
	if size > rank.MaxPacket || offset > uint64(m.size) || size > uint64(m.size)-offset || channel >= rank.MaxChannel {
		return fmt.Errorf("launch: malformed packet descriptor from rank %d: %d bytes at %d on channel %d", from, size, offset, channel)
	}
	in := m.inbox(int(channel))
	in.mu.Lock()
	defer in.mu.Unlock()
	in.packets = append(in.packets, rank.Packet{
		From: from, Data: m.part(sender)[offset : offset+size : offset+size],
		Release: func() { d.state.Store(released) },
	})
	in.count.Add(1)
	return nil
}
