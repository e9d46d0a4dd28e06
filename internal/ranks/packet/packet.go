// Package packet collects the edges that a thread sends to other ranks, and to the
// other threads of its own, into packets, encodes them for the wire, decodes the packets
// that arrive, and divides them among the threads of the rank.
//
// An edge in a packet is one word: the receiver's vertex in the high half and the
// sender's vertex in the low half, each numbered from the first vertex of its rank. A
// packet is a header of 8 bytes and its edges in one of the forms of codec.go.
package packet

import (
	"encoding/binary"
	"fmt"

	"github.com/gohops/hops/internal/ranks/rank"
)

// A Kind is what the edges of a packet say.
type Kind uint8

const (
	Forward  Kind = iota // the sender's vertex is the parent of the receiver's
	Backward             // the sender's vertex asks whether the receiver's is in the frontier

	Kinds = 2
)

func (k Kind) String() string { return [...]string{"forward", "backward"}[k] }

const (
	// HeaderSize is the size of a header in bytes.
	HeaderSize  = 8
	headerWords = HeaderSize / 8
)

// A header stands before the edges of a packet.
type header struct {
	count uint16 // of edges
	depth uint32 // of the level
	kind  Kind
	form  form
}

func (h header) write(b []byte) {
	binary.LittleEndian.PutUint32(b, h.depth)
	binary.LittleEndian.PutUint16(b[4:], h.count)
	b[6], b[7] = byte(h.kind), byte(h.form)
}

func readHeader(b []byte) header {
	return header{
		depth: binary.LittleEndian.Uint32(b), count: binary.LittleEndian.Uint16(b[4:]),
		kind: Kind(b[6]), form: form(b[7]),
	}
}

// A Malformed error says what is wrong with a packet, and which rank sent it.
type Malformed struct {
	From int
	What string
}

func (e *Malformed) Error() string {
	return fmt.Sprintf("packet: malformed packet from rank %d: %s", e.From, e.What)
}

// NoSuchVertex is the error of a packet from a rank with edges that Exist denies.
func NoSuchVertex(from int) error {
	return &Malformed{from, "an edge between vertices that do not exist"}
}

// Open checks a packet of a kind that a rank has received in a level, and decodes its
// edges. They stay valid until the packet is released or the next one is opened. Open
// does not check that the vertices exist: Exist does.
func (b *Outbox) Open(p rank.Packet, k Kind, depth int32, of Limits) ([]uint64, error) {
	bad := func(format string, args ...any) ([]uint64, error) {
		return nil, &Malformed{p.From, fmt.Sprintf(format, args...)}
	}
	if len(p.Data) < HeaderSize {
		return bad("%d bytes are less than a header", len(p.Data))
	}
	h := readHeader(p.Data)
	switch {
	case h.kind != k:
		return bad("kind %d on the channel of %s messages", h.kind, k)
	case int32(h.depth) != depth:
		return bad("it belongs to level %d, this is level %d", h.depth, depth)
	case int(h.count) > b.edges():
		return bad("%d edges, at most %d fit", h.count, b.edges())
	}
	edges, ok := b.Codec.decode(h.form, p.Data[HeaderSize:], int(h.count), b.decoded[:0], of)
	if !ok {
		return bad("its %d bytes do not hold %d edges", len(p.Data), h.count)
	}
	return edges, nil
}

// Limits are the numbers of vertices at the two ends of a packet.
type Limits struct{ Receiver, Sender uint32 }

// Exist tells whether the vertices at both ends of all edges exist.
func Exist(edges []uint64, of Limits) bool {
	var most Limits
	for _, e := range edges {
		most.Receiver, most.Sender = max(most.Receiver, uint32(e>>32)), max(most.Sender, uint32(e))
	}
	return len(edges) == 0 || most.Receiver < of.Receiver && most.Sender < of.Sender
}
