package rank

import (
	"fmt"
	"sync/atomic"

	"github.com/gohops/hops/internal/arena"
)

// inboxes are the channels of one rank, made when they are first used: most
// groups only meet.
type inboxes struct {
	boxes atomic.Pointer[[MaxChannel]atomic.Pointer[inbox]]
}

// An inbox is a queue with many senders and one receiver. Who sends puts a letter
// behind the last one, and then tells that one of it; the receiver goes from letter to
// letter, and has read the one that it stands at.
type inbox struct {
	last atomic.Pointer[letter]
	_    [56]byte // senders do not disturb the receiver
	read *letter
}

func newInbox() *inbox {
	b := &inbox{read: new(letter)}
	b.last.Store(b.read)
	return b
}

// A letter is a packet under way.
type letter struct {
	from  int
	data  []byte
	read  atomic.Bool
	next  atomic.Pointer[letter]
	world *world
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
	if len(packet) > MaxPacket || channel < 0 || channel >= MaxChannel {
		return nil, fmt.Errorf("rank: %d bytes on channel %d: at most %d on one below %d", len(packet), channel, MaxPacket, MaxChannel)
	}
	if to != l.rank {
		l.meter.Add(int64(len(packet)), l.hosts[to] == l.hosts[l.rank])
	}
	mail := &letter{from: l.rank, data: packet, world: l.world}
	l.inboxes[to].channel(channel).last.Swap(mail).next.Store(mail)
	return mail, nil
}

// Packets implements Comm. All memory of a process will do.
func (l *local) Packets(size int64) ([]byte, error) { return arena.Make[byte](&l.mem, int(size)) }

func (l *local) Receive(channel int) (p Packet, ok bool, err error) {
	if err := l.err(); err != nil {
		return p, false, err
	}
	box := l.inboxes[l.rank].channel(channel)
	mail := box.read.next.Load()
	if mail == nil {
		return p, false, nil
	}
	box.read = mail
	return Packet{From: mail.from, Data: mail.data, Release: mail.release}, true, nil
}

func (m *letter) release() { m.read.Store(true) }

// Done implements Pending. As in arrived, a receiver may fail after it has read.
func (m *letter) Done() (bool, error) {
	err := m.world.err()
	if m.read.Load() {
		return true, nil
	}
	return false, err
}

// Wait implements Pending.
func (m *letter) Wait() error { return Await(m.Done) }
