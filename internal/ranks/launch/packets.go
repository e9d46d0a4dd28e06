package launch

import (
	"fmt"
	"sync"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/device/mpi"
	"github.com/gohops/hops/internal/ranks/rank"
)

// Packets between hosts, and all packets before Packets is called (shm.go), are MPI
// messages with the channel as their tag. Receive probes for a message, whose size is
// then known, and receives it into a buffer of a pool that all channels share. So the
// memory in use is as large as the unread packets, not as all that channels could hold.

// A buffer holds one received packet.
type buffer struct {
	data    []byte
	release func()
}

// A bufferPool holds the free buffers of a process.
type bufferPool struct {
	mu   sync.Mutex
	free []*buffer
	mem  arena.Arena
}

// growBy is how many buffers are allocated at a time: 2 MiB, a huge page.
const growBy = 32

func (b *bufferPool) take() (*buffer, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.free) == 0 {
		memory, err := arena.Make[byte](&b.mem, growBy*rank.MaxPacket)
		if err != nil {
			return nil, err
		}
		for i := range growBy {
			x := &buffer{data: memory[i*rank.MaxPacket:][:rank.MaxPacket:rank.MaxPacket]}
			x.release = func() { b.put(x) }
			b.free = append(b.free, x)
		}
	}
	x := b.free[len(b.free)-1]
	b.free = b.free[:len(b.free)-1]
	return x, nil
}

func (b *bufferPool) put(x *buffer) {
	b.mu.Lock()
	b.free = append(b.free, x)
	b.mu.Unlock()
}

// A channel is the queue of packets that were found on it and not yet returned.
type channel struct{ arriving []arrival }

// An arrival is a packet that is being received.
type arrival struct {
	from, size int
	buffer     *buffer
	request    mpi.Request
}

func (c *comm) Send(to, channel int, packet []byte) (rank.Pending, error) {
	if err := c.state.err(); err != nil {
		return nil, err
	}
	if err := rank.CheckPacket(packet, channel); err != nil {
		return nil, err
	}
	if to != c.Comm.Rank {
		c.meter.Add(int64(len(packet)), c.hosts[to] == c.hosts[c.Comm.Rank])
	}
	if c.shm != nil {
		if p, ok := c.shm.send(to, channel, packet); ok {
			return p, nil
		}
		if c.hosts[to] == c.hosts[c.Comm.Rank] {
			return nil, fmt.Errorf("launch: a packet of %d bytes for rank %d of the same host does not lie in the memory for packets", len(packet), to)
		}
	}
	r, err := c.Comm.Send(packet, to, channel)
	return c.begin(r, err, packet)
}

func (c *comm) Receive(number int) (rank.Packet, bool, error) {
	if err := c.state.err(); err != nil {
		return rank.Packet{}, false, err
	}
	if c.shm != nil {
		if p, ok, err := c.shm.receive(number); ok || err != nil || c.shm.alone {
			return p, ok, err
		}
	}
	ch := c.channels[number].Load()
	if ch == nil { // there is one receiver for each channel
		ch = new(channel)
		c.channels[number].Store(ch)
	}
	if err := c.probe(ch, number); err != nil || len(ch.arriving) == 0 {
		return rank.Packet{}, false, err
	}
	a := ch.arriving[0]
	done, err := c.lib.Done(a.request)
	if err != nil || !done {
		return rank.Packet{}, false, c.failure(err)
	}
	ch.arriving = ch.arriving[1:]
	return rank.Packet{From: a.from, Data: a.buffer.data[:a.size], Release: a.buffer.release}, true, nil
}

// probe looks for a packet that has arrived, and starts to receive it into a buffer.
func (c *comm) probe(ch *channel, number int) error {
	m, ok, err := c.Comm.Probe(number)
	if err != nil || !ok {
		return c.failure(err)
	}
	if m.Bytes > rank.MaxPacket {
		return fmt.Errorf("launch: rank %d sent a packet of %d bytes, the most is %d", m.Source, m.Bytes, rank.MaxPacket)
	}
	b, err := c.buffers.take()
	if err != nil {
		return err
	}
	r, err := c.Comm.ReceiveFound(b.data[:m.Bytes], m)
	if err != nil {
		return c.failure(err)
	}
	ch.arriving = append(ch.arriving, arrival{from: m.Source, size: m.Bytes, buffer: b, request: r})
	return nil
}
