package cluster

import (
	"encoding/binary"
	"fmt"

	"github.com/gohops/hops/internal/rank"
)

// A header stands before the edges of a packet.
type header struct {
	count  uint32 // of edges
	depth  uint32 // of the level
	kind   kind
	codec  form
	thread uint16 // of the sender
}

func (h header) write(b []byte) {
	binary.LittleEndian.PutUint32(b, h.count)
	binary.LittleEndian.PutUint32(b[4:], h.depth)
	b[8], b[9] = byte(h.kind), byte(h.codec)
	binary.LittleEndian.PutUint16(b[10:], h.thread)
}

func readHeader(b []byte) header {
	return header{
		count: binary.LittleEndian.Uint32(b), depth: binary.LittleEndian.Uint32(b[4:]),
		kind: kind(b[8]), codec: form(b[9]), thread: binary.LittleEndian.Uint16(b[10:]),
	}
}

// A malformed error says what is wrong with a packet, and who sent it.
type malformed struct {
	from int
	what string
}

func (e *malformed) Error() string {
	return fmt.Sprintf("cluster: malformed packet from rank %d: %s", e.from, e.what)
}

func noSuchVertex(from int) error {
	return &malformed{from, "an edge between vertices that do not exist"}
}

// open checks a packet that has arrived and decodes its edges, which are there until it
// is released. Who uses them looks whether the vertices exist.
func (m *machine) open(w *worker, k kind, p rank.Packet) (edges []uint64, sender int, err error) {
	bad := func(format string, args ...any) ([]uint64, int, error) {
		return nil, 0, &malformed{p.From, fmt.Sprintf(format, args...)}
	}
	if len(p.Data) < headerSize {
		return bad("%d bytes are less than a header", len(p.Data))
	}
	h := readHeader(p.Data)
	switch {
	case h.kind != k:
		return bad("kind %d on the channel of %s messages", h.kind, k)
	case int32(h.depth) != m.state.Depth:
		return bad("it belongs to level %d, this is level %d", h.depth, m.state.Depth)
	case int(h.thread) >= m.parts.threads:
		return bad("thread %d of %d", h.thread, m.parts.threads)
	case h.count == 0 || int(h.count) > w.out.edges():
		return bad("%d edges, at most %d fit", h.count, w.out.edges())
	}
	sender = p.From*m.parts.threads + int(h.thread)
	theirs := m.parts.cuts[sender+1] - m.parts.cuts[sender]
	edges, ok := decode(h.codec, p.Data[headerSize:], int(h.count), w.out.decoded[:0], limits{w.count, theirs})
	if !ok {
		return bad("its %d bytes do not hold %d edges", len(p.Data), h.count)
	}
	return edges, sender, nil
}

// exist tells whether the ends of all edges do.
func exist(edges []uint64, of limits) bool {
	var most limits
	for _, e := range edges {
		most.receiver, most.sender = max(most.receiver, uint32(e>>32)), max(most.sender, uint32(e))
	}
	return len(edges) == 0 || most.receiver < of.receiver && most.sender < of.sender
}
