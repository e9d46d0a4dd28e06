package rank

import (
	"sync/atomic"

	"github.com/gohops/hops/internal/base/arena"
)

// inboxes are the inboxes of one rank by channel. They are made on first use, since
// most groups only use collectives.
type inboxes struct {
	boxes atomic.Pointer[[MaxChannel]atomic.Pointer[inbox]]
}

// An inbox is a lock-free queue, a linked list with many senders and one receiver. A
// sender swaps its message in as the last and then links it from the one before; the
// receiver follows the links. The message at read has been received already.
type inbox struct {
	last atomic.Pointer[message]
	_    [56]byte // last, which senders write, is on another cache line than read
	read *message
}

func newInbox() *inbox {
	b := &inbox{read: new(message)}
	b.last.Store(b.read)
	return b
}

// A message is a packet under way. It is the Pending of its sender.
type message struct {
	from     int
	data     []byte
	released atomic.Bool // by the receiver
	next     atomic.Pointer[message]
	world    *world
}

func (b *inboxes) channel(number int) *inbox {
	boxes := b.boxes.Load()
	if boxes == nil {
		b.boxes.CompareAndSwap(nil, new([MaxChannel]atomic.Pointer[inbox]))
		boxes = b.boxes.Load()
	}
	slot := &boxes[number]
	if slot.Load() == nil {
		slot.CompareAndSwap(nil, newInbox())
	}
	return slot.Load()
}

func (l *local) Send(to, channel int, packet []byte) (Pending, error) {
	if err := l.err(); err != nil {
		return nil, err
	}
	if err := CheckPacket(packet, channel); err != nil {
		return nil, err
	}
	if to != l.rank {
		l.meter.Add(int64(len(packet)), l.hosts[to] == l.hosts[l.rank])
	}
	m := &message{from: l.rank, data: packet, world: l.world}
	l.inboxes[to].channel(channel).last.Swap(m).next.Store(m)
	return m, nil
}

// Packets implements Comm. Ranks of one process can read any memory.
func (l *local) Packets(size int64) ([]byte, error) { return arena.Make[byte](&l.mem, int(size)) }

func (l *local) Receive(channel int) (p Packet, ok bool, err error) {
	if err := l.err(); err != nil {
		return p, false, err
	}
	box := l.inboxes[l.rank].channel(channel)
	m := box.read.next.Load()
	if m == nil {
		return p, false, nil
	}
	box.read = m
	return Packet{From: m.from, Data: m.data, Release: m.release}, true, nil
}

func (m *message) release() { m.released.Store(true) }

// Done implements Pending. As in completed, the failure is read first: a receiver may
// fail after it has released the packet.
func (m *message) Done() (bool, error) {
	err := m.world.err()
	if m.released.Load() {
		return true, nil
	}
	return false, err
}

func (m *message) Wait() error { return Await(m.Done) }
