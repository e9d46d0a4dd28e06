package rank

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gohops/hops/internal/arena"
)

// inboxes are the channels of one rank, made when they are first used: most
// groups only meet.
type inboxes struct {
	boxes atomic.Pointer[[MaxChannel]atomic.Pointer[inbox]]
}

// An inbox is a queue with many senders and one receiver.
type inbox struct {
	waiting atomic.Int32 // packets in the queue: an empty one is not locked
	mu      sync.Mutex
	queue   []*letter
}

// A letter is a packet under way.
type letter struct {
	from  int
	data  []byte
	read  atomic.Bool
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
		slot.CompareAndSwap(nil, new(inbox))
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
	box := l.inboxes[to].channel(channel)
	box.mu.Lock()
	box.queue = append(box.queue, mail)
	box.mu.Unlock()
	box.waiting.Add(1)
	return mail, nil
}

// Packets implements Comm. All memory of a process will do.
func (l *local) Packets(size int64) ([]byte, error) { return arena.Make[byte](&l.mem, int(size)) }

func (l *local) Receive(channel int) (p Packet, ok bool, err error) {
	if err := l.err(); err != nil {
		return p, false, err
	}
	box := l.inboxes[l.rank].channel(channel)
	if box.waiting.Load() == 0 {
		return p, false, nil
	}
	box.waiting.Add(-1)
	box.mu.Lock()
	mail := box.queue[0]
	box.queue[0] = nil
	box.queue = box.queue[1:]
	box.mu.Unlock()
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
