package cluster

import (
	"time"

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/rank"
)

// Edges are collected in one open packet for each destination, which is a worker,
// and each kind, and sent when it is full or the level ends. A worker has its own
// packets and several of them under way; nobody else touches them, so that
// collecting takes no locks and no atomic operations.
//
// All packets of a worker lie in one slab, in slots of equal size. Edges are written
// where they will be sent from: a packet that needs no encoding leaves as it is, and
// its destination gets an empty slot.

// A kind of message has its own channels, one for each thread of a rank.
type kind uint8

const (
	forward  kind = iota // the sender's vertex is the parent of the receiver's
	backward             // the sender's vertex asks whether the receiver's is in the frontier
	kinds
)

func (k kind) String() string { return [...]string{"forward", "backward"}[k] }

// An edge in a packet is the receiver's vertex in the high half and the sender's
// in the low, each numbered by its owner.

const (
	// packetWords is the size of a slot, in words of 8 bytes, and packetRoom that of
	// all open packets of a kind: they should stay in a worker's cache.
	packetWords = 4096
	packetRoom  = 1 << 17
	leastWords  = 256
	headerSize  = 16
	headerWords = headerSize / 8
	// sparePackets may be under way beyond one for each worker, for a rank that is
	// ahead of the others: with four of them a rank that met the machine busy spent
	// a third of its time waiting for one to come back.
	sparePackets = 12
)

type outbox struct {
	words uint32   // of a slot, a power of two
	slab  []uint64 // of slots
	lanes []lane   // of kind k for worker d: lanes[k*workers+d]
	sent  []uint64 // packets of each, in this level
	codec codec

	free   []uint32 // slots, by their first words
	flying []flight

	decoded  []uint64
	received [kinds]uint64 // packets of this level
}

// A lane is the open packet for a worker, whose vertices are numbered from first.
type lane struct {
	next  uint32 // word of the slab that the next edge goes to
	first uint32
}

// A flight is a packet that was sent and whose memory is not yet ours again.
type flight struct {
	slot    uint32
	pending rank.Pending
}

// newOutboxes gives the workers theirs, in a group of ranks for packets alone.
func (r *Rank) newOutboxes(encoding string) (err error) {
	if r.mail, err = r.comm.Split(0, r.comm.Rank()); err != nil {
		return err
	}
	workers := r.parts.workers()
	words := uint32(packetWords)
	for words > leastWords && int(words)*workers > packetRoom {
		words /= 2
	}
	return r.layOutboxes(newCodec(encoding, r.parts, r.sameHost()), words, min(workers, 64)+sparePackets)
}

// layOutboxes makes outboxes with slots of a size, and so many beside the open ones.
func (r *Rank) layOutboxes(c codec, words uint32, spare int) error {
	each := (int(kinds)*r.parts.workers() + spare) * int(words) // words of a worker
	size := int64(8 * each * len(r.workers))
	memory, err := r.mail.Packets(size)
	if err != nil {
		return err
	}
	r.shared += size
	slabs := arena.View[uint64](memory)
	for t := range r.workers {
		r.workers[t].out = newOutbox(c.clone(), r.parts, words, slabs[t*each:][:each])
	}
	return nil
}

// sameHost tells which workers are on the host of this rank.
func (r *Rank) sameHost() []bool {
	same := make([]bool, r.parts.workers())
	for d := range same {
		same[d] = r.comm.Host(d/r.parts.threads) == r.comm.Host(r.comm.Rank())
	}
	return same
}

func newOutbox(c codec, p *partition, words uint32, slab []uint64) outbox {
	b := outbox{words: words, slab: slab, codec: c}
	b.lanes = make([]lane, int(kinds)*p.workers())
	b.sent = make([]uint64, len(b.lanes))
	b.decoded = make([]uint64, 0, b.edges())
	slot := uint32(0)
	for i := range b.lanes {
		b.lanes[i] = lane{slot + headerWords, p.cuts[i%p.workers()]}
		slot += words
	}
	for ; int(slot) < len(slab); slot += words {
		b.free = append(b.free, slot)
	}
	return b
}

// edges is how many a packet holds.
func (b *outbox) edges() int { return int(b.words) - headerWords }

// posted returns the edges in a lane, and the slot that they are in.
func (b *outbox) posted(l *lane) (edges []uint64, slot uint32) {
	slot = (l.next - 1) &^ (b.words - 1)
	return b.slab[slot+headerWords : l.next], slot
}

// begin starts a level.
func (b *outbox) begin() {
	clear(b.sent)
	b.received = [kinds]uint64{}
}

// pack posts the edges from v to those in a row forward to their owners. It returns
// how many until a packet is full, that of the last one's owner, or all. It calls
// nothing, so that the loop has what it needs in registers.
func (b *outbox) pack(p *partition, row []uint32, v uint64) int {
	owners, shift, lanes, slab, last := p.owners, p.shift&31, b.lanes, b.slab, b.words-1
	for i, u := range row {
		l := &lanes[owners[u>>shift]]
		at := l.next
		slab[at] = uint64(u-l.first)<<32 | v
		if l.next = at + 1; at&last == last {
			return i + 1
		}
	}
	return len(row)
}

// full tells whether a packet must leave before the next edge.
func (b *outbox) full(l *lane) bool { return l.next&(b.words-1) == 0 }

// post puts an edge into the open packet of its kind for worker d.
func (m *machine) post(w *worker, k kind, d int, edge uint64) {
	if m.bulk != nil {
		w.bulk[d].add(edge)
		return
	}
	b := &w.out
	l := &b.lanes[int(k)*m.parts.workers()+d]
	b.slab[l.next] = edge
	if l.next++; b.full(l) {
		m.send(w, k, d)
	}
}

// flush sends all open packets of a kind.
func (m *machine) flush(w *worker, k kind) {
	workers := m.parts.workers()
	for i := range workers {
		// Everyone starts with somebody else.
		d := (w.id + i) % workers
		if edges, _ := w.out.posted(&w.out.lanes[int(k)*workers+d]); len(edges) > 0 {
			m.send(w, k, d)
		}
	}
}

// send sends an open packet, and reads what has arrived. What a worker has posted to
// itself it takes.
func (m *machine) send(w *worker, k kind, d int) {
	b := &w.out
	lane := &b.lanes[int(k)*m.parts.workers()+d]
	edges, slot := b.posted(lane)
	if k == forward && d == w.id {
		w.take(edges, w.first, w.count)
		lane.next = slot + headerWords
		return
	}
	start := time.Now()
	empty, ok := m.slot(w)
	if !ok {
		lane.next = slot + headerWords
		return
	}
	h := header{count: uint32(len(edges)), kind: k, thread: uint16(w.id % m.parts.threads), depth: uint32(m.state.Depth)}
	leaving, size := slot, 8*len(edges)
	if h.codec = b.codec.choose(len(edges), d); h.codec == wide {
		lane.next = empty + headerWords
	} else {
		leaving = empty
		h.codec, h.count, size = b.codec.encode(arena.Bytes(b.slab[leaving+headerWords:leaving+b.words]), edges, h.codec, k, d)
		lane.next = slot + headerWords
	}
	packet := arena.Bytes(b.slab[leaving : leaving+b.words])[:headerSize+size]
	h.write(packet)
	to := d / m.parts.threads
	pending, err := m.mail.Send(to, m.channel(k, d), packet)
	if err != nil {
		m.fail(err)
		return
	}
	b.sent[int(k)*m.parts.workers()+d]++
	b.flying = append(b.flying, flight{leaving, pending})
	if to != m.comm.Rank() {
		m.count(w, k, len(edges), len(packet))
	}
	w.tally.sending += int64(time.Since(start))
	m.receive(w, k)
}

// count counts edges that are sent to another rank.
func (m *machine) count(w *worker, k kind, edges, size int) {
	w.tally.raw += 8 * int64(edges)
	w.tally.packed += int64(size)
	switch {
	case k == backward:
		w.tally.probes += int64(edges)
	case m.answering:
		w.tally.claims += int64(edges)
	default:
		w.tally.forward += int64(edges)
	}
}

// channel is the one on which worker d receives messages of a kind.
func (m *machine) channel(k kind, d int) int { return int(k)*m.parts.threads + d%m.parts.threads }

// slot returns an empty one. While all are under way it receives: others may be
// waiting for the same.
func (m *machine) slot(w *worker) (slot uint32, ok bool) {
	b := &w.out
	err := rank.Await(func() (bool, error) {
		if err := m.reclaim(w); err != nil {
			return false, err
		}
		if len(b.free) == 0 {
			m.receive(w, forward)
			m.receive(w, backward)
		}
		return len(b.free) > 0 || m.failed(), nil
	})
	if err != nil {
		m.fail(err)
	}
	if err != nil || m.failed() {
		return 0, false
	}
	slot = b.free[len(b.free)-1]
	b.free = b.free[:len(b.free)-1]
	return slot, true
}

// reclaim takes back the memory of packets that have left.
func (m *machine) reclaim(w *worker) error {
	b := &w.out
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
