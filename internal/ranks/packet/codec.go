package packet

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/ranks/partition"
)

// A form is how the edges of a packet are written on the wire.
//
//	plain         both ends in 3 bytes each
//	wide          both ends in 4 bytes each, as they are in memory
//	differential  the form of Checconi and Petrini: 4 bytes where the receiver's end
//	              is less than 2⁷ after the one before, else 6
//	packed        a list of the senders and Rice codes: see rice.go
//
// Differential and packed edges are sent in order of the receiver's end. By default
// edges are wide for the same host, where sorting takes longer than the bytes that
// it saves, and packed for other hosts, until SendWide says that this network is
// too fast for that. Few edges are plain. Where a rank has too many vertices for 3
// bytes, wide takes the place of plain; differential is then refused.
type form uint8

const (
	plain form = iota
	wide
	differential
	packed
)

const (
	narrowEnd = 1 << 24 // fits in 3 bytes
	shortStep = 1 << 7
	shortFlag = 1 << 31
	diffEnd   = 1 << 23 // fits beside the flag
)

// fewEdges is the number of edges below which sorting them takes longer than the
// bytes that it saves.
const fewEdges = 48

// A Codec encodes the packets of one thread.
type Codec struct {
	near  form   // for ranks of the same host
	far   form   // for others
	small form   // for few edges
	host  []bool // ranks that are on the same host

	sort  edgeSorter
	pack  packer
	sizes []uint32 // vertices of each rank
}

// Fits returns an error if a rank has too many vertices for an encoding.
func Fits(encoding string, p *partition.Partition) error {
	for r := range p.Workers() / p.Threads {
		if first, end := p.Rank(r); encoding == "differential" && end-first > diffEnd {
			return fmt.Errorf("encoding=differential: rank %d has %d vertices, want at most %d", r, end-first, diffEnd)
		}
	}
	return nil
}

// NewCodec makes the codec of an encoding that fits: "raw", "differential", "packed" or, by
// default, "". It is told which ranks are on the same host.
func NewCodec(encoding string, p *partition.Partition, sameHost []bool) Codec {
	c := Codec{host: sameHost, sizes: make([]uint32, len(sameHost))}
	most := uint32(0)
	for r := range c.sizes {
		first, end := p.Rank(r)
		c.sizes[r] = uint32(end - first)
		most = max(most, c.sizes[r])
	}
	if c.small = plain; most > narrowEnd {
		c.small = wide
	}
	c.near, c.far = c.small, c.small
	switch encoding {
	case "":
		c.near, c.far = wide, packed
	case "packed":
		c.near, c.far = packed, packed
	case "differential":
		c.near, c.far = differential, differential
	}
	return c
}

// Clone returns a codec for another thread.
func (c Codec) Clone() Codec {
	c.sort.spare = make([]uint64, slotWords)
	c.pack.sources = make([]uint32, 0, slotWords)
	return c
}

// SendWide makes edges for other hosts wide: their network is faster than packing.
func (c *Codec) SendWide() { c.far = wide }

// choose picks the form of a packet for a rank.
func (c *Codec) choose(edges, to int) form {
	f := c.far
	if c.host[to] {
		f = c.near
	}
	if edges < fewEdges && f != wide {
		f = c.small
	}
	return f
}

// encode writes edges for a rank, which it may reorder, into out, which has room for
// as many words. It returns the form, which is wide where the given form would take
// more room, and the numbers of edges and bytes: packed leaves out forward edges that
// tell the receiver nothing new.
func (c *Codec) encode(out []byte, edges []uint64, f form, k Kind, to int) (_ form, count uint32, size int) {
	count = uint32(len(edges))
	switch f {
	case plain:
		for i, e := range edges { // two bytes more than are meant, which the next overwrites
			binary.LittleEndian.PutUint64(out[6*i:], e>>32|e<<40>>16)
		}
		return f, count, 6 * len(edges)
	case differential:
		return f, count, encodeDifferential(out, c.sort.byReceiver(edges, c.sizes[to]))
	case packed:
		c.pack.number(edges)
		if c.pack.bound(len(edges), c.sizes[to]) <= len(out) {
			sorted := c.sort.byReceiver(edges, c.sizes[to])
			n, size := c.pack.encode(out, sorted, c.sizes[to], k == Forward)
			return f, uint32(n), size
		}
		c.pack.restore(edges)
	}
	return wide, count, copy(out, arena.Bytes(edges))
}

func encodeDifferential(out []byte, edges []uint64) int {
	at, last := 0, uint32(0)
	for _, e := range edges {
		v, u := uint32(e>>32), uint32(e)
		if step := v - last; step < shortStep && u < narrowEnd {
			binary.BigEndian.PutUint32(out[at:], shortFlag|step<<24|u)
			at += 4
		} else {
			put24big(out[at:], v)
			put24(out[at+3:], u)
			at += 6
		}
		last = v
	}
	return at
}

// decode reads count edges, which must take all of data, and may return data itself.
// It reads nothing beyond data, whatever data holds; the caller checks that the
// vertices exist.
func (c *Codec) decode(f form, data []byte, count int, into []uint64, of Limits) ([]uint64, bool) {
	switch f {
	case plain:
		return decodePlain(data, count, into)
	case wide:
		return decodeWide(data, count, into)
	case differential:
		return decodeDifferential(data, count, into)
	case packed:
		return c.pack.decode(data, count, into, of)
	}
	return nil, false
}

// decodeWide returns data itself where it is aligned, as packets are.
func decodeWide(data []byte, count int, into []uint64) ([]uint64, bool) {
	if len(data) != 8*count {
		return nil, false
	}
	if uintptr(unsafe.Pointer(unsafe.SliceData(data)))%8 == 0 {
		return arena.View[uint64](data), true
	}
	into = slices.Grow(into, count)[:count]
	copy(arena.Bytes(into), data)
	return into, true
}

func decodePlain(data []byte, count int, into []uint64) ([]uint64, bool) {
	if len(data) != 6*count {
		return nil, false
	}
	const end = narrowEnd - 1
	for ; len(data) >= 8; data = data[6:] {
		x := binary.LittleEndian.Uint64(data)
		into = append(into, x&end<<32|x>>24&end)
	}
	if count > 0 { // the last, after which there are no two bytes more
		into = append(into, uint64(get24(data))<<32|uint64(get24(data[3:])))
	}
	return into, true
}

func decodeDifferential(data []byte, count int, into []uint64) ([]uint64, bool) {
	last := uint32(0)
	for range count {
		switch {
		case len(data) >= 4 && data[0]&0x80 != 0:
			x := binary.BigEndian.Uint32(data)
			last += x >> 24 & (shortStep - 1)
			into = append(into, uint64(last)<<32|uint64(x%narrowEnd))
			data = data[4:]
		case len(data) >= 6:
			last = uint32(data[0])<<16 | uint32(data[1])<<8 | uint32(data[2])
			into = append(into, uint64(last)<<32|uint64(get24(data[3:])))
			data = data[6:]
		default:
			return nil, false
		}
	}
	return into, len(data) == 0
}

func put24(b []byte, x uint32)    { b[0], b[1], b[2] = byte(x), byte(x>>8), byte(x>>16) }
func put24big(b []byte, x uint32) { b[0], b[1], b[2] = byte(x>>16), byte(x>>8), byte(x) }
func get24(b []byte) uint32       { return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 }

// An edgeSorter sorts the edges of a packet; it keeps its scratch space.
type edgeSorter struct {
	spare []uint64
	next  [1 << mostDigit]uint32
}

// mostDigit is the most bits by which edges are sorted at once.
const mostDigit = 11

// digitOf returns by how many bits at once some edges are sorted whose ends have width bits: a pass
// goes through the edges twice, and through a counter for every digit.
func digitOf(edges int, width uint) (digit uint) {
	least := math.MaxInt
	for passes := max(1, (width+mostDigit-1)/mostDigit); passes <= max(1, width); passes++ {
		d := (width + passes - 1) / passes
		cost := int(passes) * (2*edges + 1<<d)
		if cost >= least {
			break
		}
		least, digit = cost, d
	}
	return digit
}

// byReceiver sorts edges by the receiver's end, which is below bound.
func (s *edgeSorter) byReceiver(edges []uint64, bound uint32) []uint64 {
	from, to := edges, s.spare[:len(edges)]
	width := uint(bits.Len32(bound - 1))
	digit := digitOf(len(edges), width)
	next, mask := s.next[:1<<digit], uint64(1)<<digit-1
	for shift := uint(0); shift < width; shift += digit {
		clear(next)
		for _, e := range from {
			next[e>>(32+shift)&mask]++
		}
		at := uint32(0)
		for d, n := range next {
			next[d] = at
			at += n
		}
		for _, e := range from {
			d := e >> (32 + shift) & mask
			to[next[d]] = e
			next[d]++
		}
		from, to = to, from
	}
	return from
}
