package twin

import (
	"errors"
	"slices"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/ranks/packet"
	"github.com/gohops/hops/internal/ranks/rank"
)

// A group is the state that the ranks of one Comm share.
type group struct {
	world   *world
	members []*comm
	hosts   []int // of each member
	under   map[int]*collective
}

// A comm is one rank's end of a group.
type comm struct {
	*process
	group   *group
	rank    int
	entered int // collectives so far
	inboxes map[int]*inbox
}

func (w *world) comms() []rank.Comm {
	nodes := make([]int, len(w.ranks))
	for id := range nodes {
		nodes[id] = id / w.network.perNode
	}
	g := newGroup(w, w.ranks, nodes)
	all := make([]rank.Comm, len(g.members))
	for i, c := range g.members {
		all[i] = c
	}
	return all
}

func newGroup(w *world, members []*process, hosts []int) *group {
	g := &group{world: w, hosts: rank.NumberHosts(hosts), under: map[int]*collective{}}
	for i, p := range members {
		g.members = append(g.members, &comm{process: p, group: g, rank: i, inboxes: map[int]*inbox{}})
	}
	return g
}

func (c *comm) Rank() int             { return c.rank }
func (c *comm) Size() int             { return len(c.group.members) }
func (c *comm) Host(r int) int        { return c.group.hosts[r] }
func (c *comm) Traffic() rank.Traffic { return c.meter.Traffic() }
func (c *comm) Close() error          { return nil }

// Err implements rank.Comm.
func (c *comm) Err() error {
	c.world.mu.Lock()
	defer c.world.mu.Unlock()
	if c.world.failure == nil {
		return nil
	}
	return c.world.failure
}

func (c *comm) Abort(cause error) {
	if f := (*rank.Failure)(nil); errors.As(cause, &f) {
		return
	}
	c.world.mu.Lock()
	defer c.world.mu.Unlock()
	c.world.fail(c.id, cause)
}

// Packets implements rank.Comm. Packets are copied when they are sent.
func (c *comm) Packets(size int64) ([]byte, error) {
	return arena.Bytes(make([]uint64, (size+7)/8))[:size], nil
}

// An inbox has the packets for a rank on one channel, in the order of arrival.
type inbox struct{ packets []arrival }

// An arrival is a packet, and when it arrives.
type arrival struct {
	at   int64
	from int
	data []byte
}

func (c *comm) inbox(channel int) *inbox {
	b := c.inboxes[channel]
	if b == nil {
		b = new(inbox)
		c.inboxes[channel] = b
	}
	return b
}

// handle advances the clock by what the processor takes for bytes that it sends or
// receives. A packet that is not full costs as much as a full one, unless it would be
// full on the graph that the one at hand stands for.
func (c *comm) handle(bytes float64) {
	m := &c.world.network.machine
	if c.works {
		c.now += picoseconds(bytes * m.Rates.Byte)
	}
	c.overhead(bytes)
}

// overhead is the part of handle that the network causes.
func (c *comm) overhead(bytes float64) {
	c.now += picoseconds(c.packets(bytes) * c.world.network.machine.Overhead)
	clear(c.polled)
}

// packets is the number of packets of the network that bytes take.
func (c *comm) packets(bytes float64) float64 {
	return max(bytes/c.world.network.machine.Packet, 1/c.world.grain)
}

// carried is the bytes of a packet of the engine. Its header is a fixed cost: on the graph
// that the one at hand stands for, it has more edges beside it.
func (c *comm) carried(size int) float64 {
	header := min(size, packet.HeaderSize)
	return float64(size-header) + float64(header)/c.world.grain
}

func (c *comm) Send(to, channel int, packet []byte) (rank.Pending, error) {
	if err := rank.CheckPacket(packet, channel); err != nil {
		return nil, err
	}
	if err := c.takeTurn(); err != nil {
		return nil, err
	}
	bytes := c.carried(len(packet))
	c.handle(bytes)
	receiver := c.group.members[to]
	if to != c.rank {
		c.meter.Add(int64(len(packet)), c.Host(to) == c.Host(c.rank))
	}
	size := bytes + float64(c.packets(bytes)*c.world.network.machine.Header)
	left, arrives := c.world.network.send(c.id, receiver.id, size, c.now)
	box := receiver.inbox(channel)
	i := len(box.packets)
	for i > 0 && box.packets[i-1].at > arrives {
		i--
	}
	box.packets = slices.Insert(box.packets, i, arrival{arrives, c.rank, slices.Clone(packet)})
	receiver.happens(arrives)
	c.happens(left)
	return &sent{c.process, left}, nil
}

func (c *comm) Receive(channel int) (p rank.Packet, ok bool, err error) {
	if err := c.takeTurn(); err != nil {
		return p, false, err
	}
	box := c.inbox(channel)
	if len(box.packets) == 0 || box.packets[0].at > c.now {
		return p, false, c.inVain(box)
	}
	first := box.packets[0]
	box.packets[0] = arrival{}
	box.packets = box.packets[1:]
	c.handle(c.carried(len(first.data)))
	return rank.Packet{From: first.from, Data: first.data}, true, nil
}

// sent is a packet that leaves the memory of its sender at some time.
type sent struct {
	process *process
	left    int64
}

func (s *sent) Done() (bool, error) {
	if s.process.pay(); s.process.now >= s.left {
		return true, nil
	}
	return false, s.process.inVain(s)
}

func (s *sent) Wait() error { return rank.Await(s.Done) }
