package packet

import (
	"encoding/binary"
	"math/bits"
)

// The packed form makes use of two facts: a packet has many edges for few vertices
// of the receiver, and it has few senders.
//
//  1. The sender's vertices are listed once, each as the difference from the one
//     before, and the edges name them by their place in the list.
//  2. The edges are sorted by the receiver's vertex. Of several edges that offer
//     the same vertex a parent, one is sent.
//  3. The steps from one receiver's vertex to the next are Rice coded: the part
//     above k bits in unary, then k bits, where k is chosen by the mean step. The
//     place in the list follows in as many bits as the list needs.
//
// At scale 22 over 4 ranks a packet of 4,096 edges has steps of about 2⁸ and some
// hundred senders: 10 bits and 9 to 10 bits for an edge.
//
// Sorting takes two passes over a packet that is in the cache.

// A packer makes packets in this form and reads them.
type packer struct {
	sources []uint32 // of the packet that it makes or reads
}

// number replaces the sender's vertex of each edge by its place in the list.
// Edges of one vertex mostly stand together.
func (p *packer) number(edges []uint64) {
	p.sources = p.sources[:0]
	for i, e := range edges {
		u := uint32(e)
		if n := len(p.sources); n == 0 || p.sources[n-1] != u {
			p.sources = append(p.sources, u)
		}
		edges[i] = e&^0xffffffff | uint64(len(p.sources)-1)
	}
}

// restore undoes number.
func (p *packer) restore(edges []uint64) {
	for i, e := range edges {
		edges[i] = e&^0xffffffff | uint64(p.sources[uint32(e)])
	}
}

// bound is an upper bound of the bytes that numbered edges take, for a receiver with
// that many vertices.
func (p *packer) bound(edges int, receiver uint32) int {
	const longest, ending = 5, 2 * 8 // of a number in the list; of what is written at once
	list, last := longest, uint32(0)
	for _, u := range p.sources {
		step := int64(u) - int64(last)
		list += (bits.Len64(uint64(step<<1^step>>63)|1) + 6) / 7
		last = u
	}
	// The parts in unary add up to less than 3 bits and an end for each edge. Leaving
	// out half of the edges makes k larger by a bit for the other half.
	codes := edges * (int(riceBits(receiver, edges)) + bits.Len(uint(len(p.sources))) + 6)
	return list + codes/8 + ending
}

// encode writes sorted and numbered edges and returns their number and their bytes.
// With unique it writes only one edge for each vertex of the receiver.
func (p *packer) encode(out []byte, edges []uint64, bound uint32, unique bool) (count, size int) {
	size = binary.PutUvarint(out, uint64(len(p.sources)))
	last := uint32(0)
	for _, u := range p.sources {
		size += binary.PutVarint(out[size:], int64(u)-int64(last))
		last = u
	}
	for i, e := range edges {
		if i == 0 || !unique || e>>32 != edges[count-1]>>32 {
			edges[count] = e
			count++
		}
	}
	k := riceBits(bound, count)
	width := uint(bits.Len(uint(len(p.sources) - 1)))
	w := bitWriter{out: out[size:]}
	v := uint64(0)
	for _, e := range edges[:count] {
		step := e>>32 - v
		v = e >> 32
		q := uint(step >> k)
		if rest := (step&(1<<k-1) | e&0xffffffff<<k) << 1; q+1+k+width <= 32 { // nearly always
			w.write(1<<q-1|rest<<q, q+1+k+width)
			continue
		}
		w.unary(step >> k)
		w.write(step&(1<<k-1), k)
		w.write(e&0xffffffff, width)
	}
	return count, size + w.flush()
}

// riceBits is the k for count steps that add up to at most bound.
func riceBits(bound uint32, count int) uint {
	mean := uint64(bound) / uint64(count)
	return uint(max(0, bits.Len64(mean*2/3+1)-1))
}

// decode reads count edges of a packet in this form, as Codec.decode does.
func (p *packer) decode(data []byte, count int, into []uint64, of Limits) ([]uint64, bool) {
	sources, used := binary.Uvarint(data)
	if used <= 0 || sources == 0 || sources > uint64(len(data)) || count == 0 {
		return nil, false
	}
	data = data[used:]
	list, u := p.sources[:0], int64(0)
	for range sources {
		d, used := binary.Varint(data)
		if u += d; used <= 0 || u < 0 || u >= int64(of.Sender) {
			return nil, false
		}
		list, data = append(list, uint32(u)), data[used:]
	}
	p.sources = list
	k := riceBits(of.Receiver, count)
	width := uint(bits.Len(uint(sources - 1)))
	r := bitReader{in: data}
	v := uint64(0)
	for range count {
		v += r.unary()<<k | r.read(k)
		i := r.read(width)
		if v >= uint64(of.Receiver) || i >= sources || r.over {
			return nil, false
		}
		into = append(into, v<<32|uint64(list[i]))
	}
	return into, r.finished()
}

// A bitWriter writes from the lowest bit of the first byte on.
type bitWriter struct {
	out  []byte
	size int
	acc  uint64
	used uint
}

// write appends the n ≤ 32 low bits of x, whose others are zero.
func (w *bitWriter) write(x uint64, n uint) {
	w.acc |= x << w.used
	if w.used += n; w.used >= 32 {
		binary.LittleEndian.PutUint32(w.out[w.size:], uint32(w.acc))
		w.size += 4
		w.acc >>= 32
		w.used -= 32
	}
}

// unary appends q ones and a zero.
func (w *bitWriter) unary(q uint64) {
	for ; q >= 31; q -= 31 {
		w.write(1<<31-1, 31)
	}
	w.write(1<<q-1, uint(q)+1)
}

func (w *bitWriter) flush() int {
	for ; w.used > 0; w.used -= min(8, w.used) {
		w.out[w.size] = byte(w.acc)
		w.acc >>= 8
		w.size++
	}
	return w.size
}

// A bitReader reads what a bitWriter wrote. Past the end it reads zeros and sets
// over.
type bitReader struct {
	in    []byte
	acc   uint64
	ready uint
	over  bool
}

func (r *bitReader) fill(n uint) {
	for r.ready < n {
		if len(r.in) >= 4 && r.ready <= 32 {
			r.acc |= uint64(binary.LittleEndian.Uint32(r.in)) << r.ready
			r.in, r.ready = r.in[4:], r.ready+32
			continue
		}
		if len(r.in) == 0 {
			r.over = true
			r.ready = 64
			return
		}
		r.acc |= uint64(r.in[0]) << r.ready
		r.in, r.ready = r.in[1:], r.ready+8
	}
}

func (r *bitReader) read(n uint) uint64 {
	if n == 0 {
		return 0
	}
	r.fill(n)
	x := r.acc & (1<<n - 1)
	r.acc >>= n
	r.ready -= n
	return x
}

func (r *bitReader) unary() (q uint64) {
	for {
		r.fill(1)
		ones := uint(bits.TrailingZeros64(^r.acc))
		if r.over {
			return q
		}
		if ones < r.ready {
			q += uint64(ones)
			r.acc >>= ones + 1
			r.ready -= ones + 1
			return q
		}
		q += uint64(r.ready)
		r.acc, r.ready = 0, 0
	}
}

// finished tells whether nothing but the padding of the last byte is left.
func (r *bitReader) finished() bool {
	return !r.over && len(r.in) == 0 && r.ready < 8 && r.acc == 0
}
