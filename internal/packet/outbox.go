package packet

import (
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/partition"
	"github.com/gohops/hops/internal/rank"
)

const (
	// slotWords is the size of a slot in words of 8 bytes. A longer packet costs
	// fewer sends. openWords bounds the open packets of one kind: they should stay in
	// a worker's cache, so that slots are shorter where there are many workers.
	slotWords  = 4096
	openWords  = 1 << 17
	leastWords = 128
	// spareSlots may be under way beyond one for each worker, for a rank that is
	// ahead of the others: with four of them, two ranks on two busy cores spent a
	// third of their time waiting for a slot.
	spareSlots = 12
)

// An Outbox has one open packet for each destination, a worker, and each kind of
// edges. It belongs to one worker, so that collecting edges takes no locks and no
// atomic operations.
//
// All packets lie in one slab, in slots of equal size. Edges are written where they
// will be sent from: a packet that needs no encoding leaves as it is, and its
// destination gets an empty slot.
type Outbox struct {
	Codec    Codec
	Sent     []uint64      // packets of kind k for worker d in this level: Sent[k*workers+d]
	Received [Kinds]uint64 // packets in this level

	workers int
	words   uint32   // of a slot, a power of two
	slab    []uint64 // of slots
	lanes   []lane   // of kind k for worker d: lanes[k*workers+d]
	free    []uint32 // empty slots, by their first words
	flying  []flight
	decoded []uint64
}

// A lane is the open packet for a worker whose vertices are numbered from first.
type lane struct {
	next  uint32 // word of the slab that the next edge goes to
	first uint64
}

// A flight is a packet that was sent and that the receiver may still read.
type flight struct {
	slot    uint32
	pending rank.Pending
}

// A Size is the number of words of a slot, and the number of slots of a worker.
type Size struct{ Words, Slots int }

// rowShare: an outbox takes one word for so many words of the rows of its worker, at
// most, unless packets would be too short. So the packets of many ranks on a small graph
// take little memory beside the graph: at scale 20, on 64 ranks, 13 MB of 182.
const rowShare = 16

// SizeFor returns the size of an outbox for packets to some workers, each of which has
// rows of that many words.
func SizeFor(workers int, rows int64) Size {
	s := Size{slotWords, Kinds*workers + min(workers, 64) + spareSlots}
	for s.Words > leastWords && (s.Words*workers > openWords || rowShare*int64(s.Total()) > rows) {
		s.Words /= 2
	}
	return s
}

// Total is the number of words of the slab of an outbox.
func (s Size) Total() int { return s.Words * s.Slots }

// NewOutbox makes an outbox in a slab of that size. It has an open packet for each
// worker and kind; the other slots are empty.
func NewOutbox(c Codec, p *partition.Partition, s Size, slab []uint64) Outbox {
	b := Outbox{Codec: c, workers: p.Workers(), words: uint32(s.Words), slab: slab}
	b.lanes = make([]lane, Kinds*b.workers)
	b.Sent = make([]uint64, len(b.lanes))
	b.decoded = make([]uint64, 0, b.edges())
	slot := uint32(0)
	for i := range b.lanes {
		b.lanes[i] = lane{slot + headerWords, p.Cuts[i%b.workers]}
		slot += b.words
	}
	for ; int(slot) < len(slab); slot += b.words {
		b.free = append(b.free, slot)
	}
	return b
}

// edges is the number of edges that a packet holds.
func (b *Outbox) edges() int { return int(b.words) - headerWords }

func (b *Outbox) lane(k Kind, d int) *lane { return &b.lanes[int(k)*b.workers+d] }

// Begin starts a level.
func (b *Outbox) Begin() {
	clear(b.Sent)
	b.Received = [Kinds]uint64{}
}

// Pack posts the forward edges from v to the vertices in a row. It returns the
// number of edges until a packet is full, which is that of the last one's owner, or
// the number of all. It calls nothing, so that the loop has what it needs in
// registers.
func Pack[L ~uint32 | ~uint64](b *Outbox, p *partition.Partition, row []L, v uint64) int {
	owners, shift, lanes, slab, last := p.Owners, p.Shift&63, b.lanes, b.slab, b.words-1
	for i, u := range row {
		l := &lanes[owners[uint64(u)>>shift]]
		at := l.next
		slab[at] = (uint64(u)-l.first)<<32 | v
		if l.next = at + 1; at&last == last {
			return i + 1
		}
	}
	return len(row)
}

// Post puts an edge into the open packet of its kind for worker d, and tells
// whether the packet is full.
func (b *Outbox) Post(k Kind, d int, edge uint64) (full bool) {
	l := b.lane(k, d)
	b.slab[l.next] = edge
	l.next++
	return b.full(l)
}

func (b *Outbox) full(l *lane) bool { return l.next&(b.words-1) == 0 }

// Full tells whether the packet of a kind for worker d must leave before its next edge.
func (b *Outbox) Full(k Kind, d int) bool { return b.full(b.lane(k, d)) }

// Posted returns the edges of the open packet of a kind for worker d.
func (b *Outbox) Posted(k Kind, d int) []uint64 {
	l := b.lane(k, d)
	return b.slab[b.slot(l)+headerWords : l.next]
}

// slot is the one that a lane's packet is in.
func (b *Outbox) slot(l *lane) uint32 { return (l.next - 1) &^ (b.words - 1) }

// Discard empties the open packet of a kind for worker d.
func (b *Outbox) Discard(k Kind, d int) {
	l := b.lane(k, d)
	l.next = b.slot(l) + headerWords
}

// HasRoom tells whether there is an empty slot. Without one no packet can leave.
func (b *Outbox) HasRoom() bool { return len(b.free) > 0 }

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

// Seal closes the open packet of a kind for worker d, which leaves a thread in a
// level of the given depth, and opens an empty one. It takes one of the empty slots.
func (b *Outbox) Seal(k Kind, d int, thread int, depth int32) Sealed {
	l := b.lane(k, d)
	edges, slot := b.Posted(k, d), b.slot(l)
	empty := b.free[len(b.free)-1]
	b.free = b.free[:len(b.free)-1]
	h := header{count: uint32(len(edges)), kind: k, thread: uint16(thread), depth: uint32(depth)}
	leaving, size := slot, 8*len(edges)
	if h.form = b.Codec.choose(len(edges), d); h.form == wide {
		l.next = empty + headerWords
	} else {
		leaving = empty
		h.form, h.count, size = b.Codec.encode(arena.Bytes(b.slab[leaving+headerWords:leaving+b.words]), edges, h.form, k, d)
		l.next = slot + headerWords
	}
	packet := arena.Bytes(b.slab[leaving : leaving+b.words])[:HeaderSize+size]
	h.write(packet)
	return Sealed{packet, len(edges), leaving}
}

// Leave notes that a sealed packet was sent to worker d.
func (b *Outbox) Leave(s Sealed, k Kind, d int, pending rank.Pending) {
	b.Sent[int(k)*b.workers+d]++
	b.flying = append(b.flying, flight{s.slot, pending})
}
