package cluster

import (
	"fmt"
	"time"

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/rank"
)

// Edges are collected in one open packet for each destination, which is a worker,
// and each kind, and sent when it is full or the level ends. A worker has its own
// packets and several of them under way; nobody else touches them, so that
// collecting takes no locks and no atomic operations.

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
	// packetEdges is how many edges an open packet holds at most, and packetRoom
	// how many all open packets of a worker hold: they should stay in its cache.
	packetEdges = 4096
	packetRoom  = 1 << 17
	leastEdges  = 256
	headerSize  = 16
	// sparePackets may be under way beyond one for each worker, for a rank that is
	// ahead of the others: with four of them a rank that met the machine busy spent
	// a third of its time waiting for one to come back.
	sparePackets = 12
)

type outbox struct {
	edges  int      // room of an open packet
	open   []uint64 // of kind k for worker d: open[(k*workers+d)*edges:][:filled]
	filled []int32  // of each
	sent   []uint64 // packets of each kind for each worker, in this level
	codec  codec

	free   [][]byte
	flying []flight

	decoded  []uint64
	received [kinds]uint64 // packets of this level
}

// A flight is a packet that was sent and whose memory is not yet ours again.
type flight struct {
	buffer  []byte
	pending rank.Pending
}

func newOutbox(o Options, p *partition, sameHost []bool, mem *arena.Arena) (b outbox, err error) {
	workers := p.workers()
	b.edges = min(packetEdges, max(leastEdges, packetRoom/workers))
	if b.open, err = arena.Make[uint64](mem, int(kinds)*workers*b.edges); err != nil {
		return b, err
	}
	b.filled = make([]int32, int(kinds)*workers)
	b.sent = make([]uint64, int(kinds)*workers)
	b.decoded = make([]uint64, 0, b.edges)
	b.codec = newCodec(o.Encoding, p, sameHost, b.edges)
	size := headerSize + b.codec.bound(b.edges)
	if size > rank.MaxPacket {
		return b, fmt.Errorf("cluster: %d edges of a packet may take %d bytes", b.edges, size)
	}
	for range min(workers, 64) + sparePackets {
		buffer, err := arena.Make[byte](mem, size)
		if err != nil {
			return b, err
		}
		b.free = append(b.free, buffer)
	}
	return b, nil
}

// begin starts a level.
func (b *outbox) begin() {
	clear(b.sent)
	b.received = [kinds]uint64{}
}

// post puts an edge into the open packet of its kind for worker d.
func (m *machine) post(w *worker, k kind, d int, edge uint64) {
	if m.bulk != nil {
		w.bulk[d] = append(w.bulk[d], edge)
		return
	}
	b := &w.out
	slot := int(k)*m.parts.workers() + d
	b.open[slot*b.edges+int(b.filled[slot])] = edge
	if b.filled[slot]++; int(b.filled[slot]) == b.edges {
		m.send(w, k, d)
	}
}

// flush sends all open packets of a kind.
func (m *machine) flush(w *worker, k kind) {
	workers := m.parts.workers()
	for i := range workers {
		// Everyone starts with somebody else.
		if d := (w.id + i) % workers; w.out.filled[int(k)*workers+d] > 0 {
			m.send(w, k, d)
		}
	}
}

// send encodes an open packet and sends it, and reads what has arrived. What a
// worker has posted to itself it takes.
func (m *machine) send(w *worker, k kind, d int) {
	if k == forward && d == w.id {
		w.take(w.out.open[d*w.out.edges:][:w.out.filled[d]], w.first)
		w.out.filled[d] = 0
		return
	}
	start := time.Now()
	defer func() { w.tally.sending += int64(time.Since(start)) }()
	b := &w.out
	slot := int(k)*m.parts.workers() + d
	edges := b.open[slot*b.edges:][:b.filled[slot]]
	b.filled[slot] = 0
	buffer, ok := m.buffer(w)
	if !ok {
		return
	}
	to := d / m.parts.threads
	size := headerSize + b.codec.encode(buffer[headerSize:], edges, k, d)
	h := header{count: uint32(b.codec.count), kind: k, codec: b.codec.form, thread: uint16(w.id % m.parts.threads), depth: uint32(m.state.Depth)}
	h.write(buffer)
	pending, err := m.comm.Send(to, m.channel(k, d), buffer[:size])
	if err != nil {
		m.fail(err)
		return
	}
	b.sent[slot]++
	b.flying = append(b.flying, flight{buffer, pending})
	if to != m.comm.Rank() {
		m.count(w, k, len(edges), size)
	}
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

// buffer returns memory for a packet. While all is under way it receives: others
// may be waiting for the same.
func (m *machine) buffer(w *worker) (buffer []byte, ok bool) {
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
		return nil, false
	}
	buffer = b.free[len(b.free)-1]
	b.free = b.free[:len(b.free)-1]
	return buffer, true
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
			b.free = append(b.free, f.buffer)
		} else {
			left = append(left, f)
		}
	}
	b.flying = left
	return nil
}
