package launch

import (
	"fmt"
	"sync"

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/mpi"
	"github.com/gohops/hops/internal/rank"
)

// Packets between hosts, and those that do not lie in the memory for packets (mail.go),
// are MPI messages, the channel being the tag. A packet is looked for
// when someone asks: its size is known then, and it is received into a box. The
// boxes of a process are one pool, so what they take is what is unread, not
// what all channels together could hold.

// A box holds one packet.
type box struct {
	data    []byte
	release func()
}

// boxes are the free boxes of a process.
type boxes struct {
	mu   sync.Mutex
	free []*box
	mem  arena.Arena
}

// growBy is how many boxes are made at a time: 2 MiB, a huge page.
const growBy = 32

func (b *boxes) take() (*box, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.free) == 0 {
		memory, err := arena.Make[byte](&b.mem, growBy*rank.MaxPacket)
		if err != nil {
			return nil, err
		}
		for i := range growBy {
			x := &box{data: memory[i*rank.MaxPacket:][:rank.MaxPacket:rank.MaxPacket]}
			x.release = func() { b.put(x) }
			b.free = append(b.free, x)
		}
	}
	x := b.free[len(b.free)-1]
	b.free = b.free[:len(b.free)-1]
	return x, nil
}

func (b *boxes) put(x *box) {
	b.mu.Lock()
	b.free = append(b.free, x)
	b.mu.Unlock()
}

// A channel is what one receiver has found and not yet returned, in order.
type channel struct{ arriving []arrival }

type arrival struct {
	from, size int
	box        *box
	request    mpi.Request
}

// Send implements rank.Comm.
func (c *comm) Send(to, channel int, packet []byte) (rank.Pending, error) {
	if err := c.fate.err(); err != nil {
		return nil, err
	}
	if len(packet) > rank.MaxPacket || channel < 0 || channel >= rank.MaxChannel {
		return nil, fmt.Errorf("launch: %d bytes on channel %d: at most %d on one below %d",
			len(packet), channel, rank.MaxPacket, rank.MaxChannel)
	}
	if to != c.Comm.Rank {
		c.meter.Add(int64(len(packet)), c.hosts[to] == c.hosts[c.Comm.Rank])
	}
	if c.mail != nil {
		if p, ok := c.mail.post(to, channel, packet); ok {
			return p, nil
		}
		if c.hosts[to] == c.hosts[c.Comm.Rank] {
			return nil, fmt.Errorf("launch: a packet of %d bytes for rank %d of the same host does not lie in the memory for packets", len(packet), to)
		}
	}
	r, err := c.Comm.Send(packet, to, channel)
	return c.begin(r, err, packet)
}

// Receive implements rank.Comm.
func (c *comm) Receive(number int) (rank.Packet, bool, error) {
	if err := c.fate.err(); err != nil {
		return rank.Packet{}, false, err
	}
	if c.mail != nil {
		if p, ok, err := c.mail.receive(number); ok || err != nil || c.mail.alone {
			return p, ok, err
		}
	}
	ch := c.channels[number].Load()
	if ch == nil { // there is one receiver for each channel
		ch = new(channel)
		c.channels[number].Store(ch)
	}
	if err := c.look(ch, number); err != nil || len(ch.arriving) == 0 {
		return rank.Packet{}, false, err
	}
	a := ch.arriving[0]
	done, err := c.lib.Done(a.request)
	if err != nil || !done {
		return rank.Packet{}, false, c.known(err)
	}
	ch.arriving = ch.arriving[1:]
	return rank.Packet{From: a.from, Data: a.box.data[:a.size], Release: a.box.release}, true, nil
}

// look takes aside a packet that has arrived.
func (c *comm) look(ch *channel, number int) error {
	m, ok, err := c.Comm.Probe(mpi.AnySource, number)
	if err != nil || !ok {
		return c.known(err)
	}
	if m.Bytes > rank.MaxPacket {
		return fmt.Errorf("launch: rank %d sent a packet of %d bytes, the most is %d", m.Source, m.Bytes, rank.MaxPacket)
	}
	b, err := c.boxes.take()
	if err != nil {
		return err
	}
	r, err := c.Comm.ReceiveFound(b.data[:m.Bytes], m)
	if err != nil {
		return c.known(err)
	}
	ch.arriving = append(ch.arriving, arrival{from: m.Source, size: m.Bytes, box: b, request: r})
	return nil
}
