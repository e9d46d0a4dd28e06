package packet

import (
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/ranks/partition"
	"github.com/gohops/hops/internal/ranks/rank"
)

const (
	// slotWords is the size of a slot in words of 8 bytes. A longer packet costs
	// fewer sends. openWords bounds the open packets of a thread: they should stay in
	// its cache, so that slots are shorter where there are many destinations.
	slotWords  = 4096
	openWords  = 1 << 17
	leastWords = 128
	// spareSlots may be under way beyond one for each destination, for a rank that is
	// ahead of the others: with four of them, two ranks on two busy cores spent a
	// third of their time waiting for a slot.
	spareSlots = 12
	// Reserve is the number of empty slots that a packet must leave when it is sent. A
	// packet that arrives may take one before it can be read: to be divided among
	// threads, or to be answered. Were all slots under way to ranks that lack one too,
	// all would wait for each other.
	Reserve = 1
)

// An Outbox has one open packet for each destination, of Lanes. It belongs to one
// thread, so that collecting edges takes no locks and no atomic operations.
//
// All packets lie in one slab, in slots of equal size. Edges are written where they
// will be sent from: a packet that needs no encoding leaves as it is, and its
// destination gets an empty slot.
type Outbox struct {
	Codec Codec
	Sent  []uint64 // packets for each rank in this level that its threads wait for

	lanes   Lanes
	words   uint32   // of a slot, a power of two
	slab    []uint64 // of slots
	open    []lane   // by lane
	free    []uint32 // empty slots, by their first words
	flying  []flight
	decoded []uint64
	ends    []uint32 // of the shares of threads
}

// A lane is the open packet for a rank whose vertices are numbered from first.
type lane struct {
	next  uint32 // word of the slab that the next edge goes to
	first uint64
}

// A flight is a packet that was sent and that the receiver may still read.
type flight struct {
	slot    uint32
	pending rank.Pending
}

// A Size is the number of words of a slot, and the number of slots of a thread.
type Size struct{ Words, Slots int }

// rowShare: an outbox takes one word for so many words of the rows of its worker, at
// most, unless packets would be too short. So the packets of many ranks on a small graph
// take little memory beside the graph.
const rowShare = 16

// SizeFor returns the size of an outbox for packets on some lanes, of a worker that has
// rows of that many words.
func SizeFor(lanes int, rows int64) Size {
	s := Size{slotWords, lanes + min(lanes, 64) + spareSlots}
	for s.Words > leastWords && (s.Words*lanes > openWords || rowShare*int64(s.Total()) > rows) {
		s.Words /= 2
	}
	return s
}

// Total is the number of words of the slab of an outbox.
func (s Size) Total() int { return s.Words * s.Slots }

// NewOutbox makes an outbox in a slab of that size. It has an open packet for each
// lane; the other slots are empty.
func NewOutbox(c Codec, p *partition.Partition, lanes Lanes, s Size, slab []uint64) Outbox {
	b := Outbox{Codec: c, lanes: lanes, words: uint32(s.Words), slab: slab}
	b.open = make([]lane, lanes.Count())
	b.Sent = make([]uint64, lanes.ranks)
	b.ends = make([]uint32, lanes.threads)
	b.decoded = make([]uint64, 0, b.edges())
	slot := uint32(0)
	for i := range b.open {
		first, _ := p.Rank(lanes.rank(i))
		b.open[i] = lane{slot + headerWords, first}
		slot += b.words
	}
	for ; int(slot) < len(slab); slot += b.words {
		b.free = append(b.free, slot)
	}
	return b
}

// edges is the number of edges that a packet holds.
func (b *Outbox) edges() int { return int(b.words) - headerWords }

// Begin starts a level.
func (b *Outbox) Begin() { clear(b.Sent) }

// Pack posts the forward edges from v to the vertices in a row. It returns the
// number of edges until the packet of the last edge's lane is full, or
// the number of all edges. It calls nothing, so that the loop has what it needs in
// registers.
func Pack[L ~uint32 | ~uint64](b *Outbox, row []L, v uint64) int {
	lanes, shift, open, slab, last := b.lanes.of, b.lanes.shift&63, b.open, b.slab, b.words-1
	for i, u := range row {
		l := &open[lanes[uint64(u)>>shift]]
		at := l.next
		slab[at] = (uint64(u)-l.first)<<32 | v
		if l.next = at + 1; at&last == last {
			return i + 1
		}
	}
	return len(row)
}

// Post puts an edge from v to a vertex into the open packet of the vertex's lane.
func (b *Outbox) Post(u uint64, v uint32) (lane int) {
	lane = b.lanes.Of(u)
	l := &b.open[lane]
	b.slab[l.next] = (u-l.first)<<32 | uint64(v)
	l.next++
	return lane
}

// Full tells whether the packet of a lane must leave before its next edge.
func (b *Outbox) Full(lane int) bool { return b.open[lane].next&(b.words-1) == 0 }

// Posted returns the edges of the open packet of a lane.
func (b *Outbox) Posted(lane int) []uint64 {
	l := &b.open[lane]
	return b.slab[b.slot(l)+headerWords : l.next]
}

// slot is the one that a lane's packet is in.
func (b *Outbox) slot(l *lane) uint32 { return (l.next - 1) &^ (b.words - 1) }

// Discard empties the open packet of a lane.
func (b *Outbox) Discard(lane int) {
	l := &b.open[lane]
	l.next = b.slot(l) + headerWords
}

// HasRoom tells whether there are more than so many empty slots.
func (b *Outbox) HasRoom(beyond int) bool { return len(b.free) > beyond }

func (b *Outbox) takeSlot() uint32 {
	empty := b.free[len(b.free)-1]
	b.free = b.free[:len(b.free)-1]
	return empty
}

// Reclaim takes back the slots of packets that have left.
func (b *Outbox) Reclaim() error {
	left := b.flying[:0]
	for _, f := range b.flying {
		done, err := f.pending.Done()
		if err != nil {
			return err
		}
		if done {
			b.free = append(b.free, f.slot)
		} else {
			left = append(left, f)
		}
	}
	b.flying = left
	return nil
}

// A Sealed packet is ready to be sent.
type Sealed struct {
	Bytes []byte
	Edges int
	slot  uint32
}

// Seal closes the open packet of a lane to another rank, which leaves in a level of the
// given depth, and opens an empty one. It takes one of the empty slots.
func (b *Outbox) Seal(k Kind, lane int, depth int32) Sealed {
	l := &b.open[lane]
	edges, slot, empty := b.Posted(lane), b.slot(l), b.takeSlot()
	if f := b.Codec.choose(len(edges), lane); f != wide {
		l.next = slot + headerWords
		return b.encode(empty, edges, header{depth: uint32(depth), kind: k, form: f}, lane)
	}
	l.next = empty + headerWords
	return b.seal(slot, len(edges), header{depth: uint32(depth), kind: k, form: wide, count: uint16(len(edges))}, 8*len(edges))
}

// Answer makes a packet of forward edges for a rank, as many as a packet that was
// received had, or fewer. It takes one of the empty slots.
func (b *Outbox) Answer(edges []uint64, to int, depth int32) Sealed {
	h := header{depth: uint32(depth), kind: Forward, form: b.Codec.choose(len(edges), to)}
	return b.encode(b.takeSlot(), edges, h, to)
}

// encode writes edges for a rank into a slot.
func (b *Outbox) encode(slot uint32, edges []uint64, h header, to int) Sealed {
	out := arena.Bytes(b.slab[slot+headerWords : slot+b.words])
	form, count, size := b.Codec.encode(out, edges, h.form, h.kind, to)
	h.form, h.count = form, uint16(count)
	return b.seal(slot, len(edges), h, size)
}

func (b *Outbox) seal(slot uint32, edges int, h header, size int) Sealed {
	packet := arena.Bytes(b.slab[slot : slot+b.words])[:HeaderSize+size]
	h.write(packet)
	return Sealed{packet, edges, slot}
}

// Leave notes that a sealed packet was sent.
func (b *Outbox) Leave(s Sealed, pending rank.Pending) {
	b.flying = append(b.flying, flight{s.slot, pending})
}
