package edge

import (
	"context"
	"fmt"
	"math"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
)

// MaxPackedVertices is the number of vertices that packed tuples can name.
const MaxPackedVertices = 1 << 48

// A tuple is an edge in the 12 bytes of the Graph500 reference: the low 32 bits
// of both ends, then the high 16 bits of both, those of U in the lower half.
type tuple struct {
	u, v, high uint32
}

// PackedSize is the size of a packed edge in files, in bytes, and the most that one takes
// in memory.
const PackedSize = 12

// pairSize is the size in memory of an edge whose labels have 32 bits.
const pairSize = 8

// PackedMemory is the number of bytes that Pack takes for m edges of n vertices.
func PackedMemory(n hops.Vertex, m int64) int64 {
	if fitsPairs(n) {
		return m * pairSize
	}
	return m * PackedSize
}

func fitsPairs(n hops.Vertex) bool { return n <= 1<<32 }

func pack(e hops.Edge) tuple {
	return tuple{uint32(e.U), uint32(e.V), uint32(e.U>>32)&0xFFFF | uint32(e.V>>32)<<16}
}

func (t tuple) edge() hops.Edge {
	return hops.Edge{
		U: hops.Vertex(t.u) | hops.Vertex(t.high&0xFFFF)<<32,
		V: hops.Vertex(t.v) | hops.Vertex(t.high>>16)<<32,
	}
}

func pair(e hops.Edge) uint64 { return uint64(e.V)<<32 | uint64(uint32(e.U)) }

func edgeOf(pair uint64) hops.Edge {
	return hops.Edge{U: hops.Vertex(uint32(pair)), V: hops.Vertex(pair >> 32)}
}

// Packed is a list in memory, outside the Go heap: at 8 bytes an edge if labels have 32
// bits, and else at 12. Reading it costs little more than the memory traffic.
type Packed struct {
	vertices hops.Vertex
	pairs    []uint64 // the list, or
	tuples   []tuple
	memory   arena.Arena
}

var _ hops.PairSource = (*Packed)(nil)

// Pack reads src into memory with so many threads, one for each CPU if that is 0.
// progress, if not nil, is called now and then from the calling goroutine with the number of edges
// read so far. The caller closes the result.
func Pack(ctx context.Context, src hops.Source, threads int, progress func(done, total int64)) (*Packed, error) {
	if err := checkPackable(src); err != nil {
		return nil, err
	}
	n := src.NumEdges()
	if n > math.MaxInt/PackedSize {
		return nil, fmt.Errorf("edge: a list of %d edges exceeds the address space", n)
	}
	p := &Packed{vertices: src.NumVertices()}
	err := p.allocate(int(n))
	if err != nil {
		return nil, fmt.Errorf("edge: list of %d edges: %w", n, err)
	}
	if k, ok := src.(*Kronecker); ok && p.pairs != nil && k.makesPairs() {
		err = eachBlock(ctx, n, threads, progress, func(_ int, lo, hi int64) error {
			k.pairs(p.pairs[lo:hi], lo)
			return nil
		})
	} else {
		err = forEachBlock(ctx, src, threads, progress, p.put)
	}
	if err != nil {
		_ = p.Close()
		return nil, err
	}
	return p, nil
}

func checkPackable(src hops.Source) error {
	if n := src.NumVertices(); n > MaxPackedVertices {
		return fmt.Errorf("edge: %d vertices, packed tuples can name 2^48", n)
	}
	return nil
}

// allocate makes room for n edges.
func (p *Packed) allocate(n int) (err error) {
	if fitsPairs(p.vertices) {
		p.pairs, err = arena.Make[uint64](&p.memory, n)
	} else {
		p.tuples, err = arena.Make[tuple](&p.memory, n)
	}
	return err
}

// put writes edges to the list, from off on.
func (p *Packed) put(off int64, edges []hops.Edge) {
	if p.pairs == nil {
		for i, e := range edges {
			p.tuples[off+int64(i)] = pack(e)
		}
		return
	}
	to := p.pairs[off:][:len(edges)]
	for i, e := range edges {
		to[i] = pair(e)
	}
}

// NumVertices implements hops.Source.
func (p *Packed) NumVertices() hops.Vertex { return p.vertices }

// NumEdges implements hops.Source.
func (p *Packed) NumEdges() int64 { return int64(len(p.pairs) + len(p.tuples)) }

// EdgesAt implements hops.Source.
func (p *Packed) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	n, err := span(len(dst), off, p.NumEdges())
	if n == 0 {
		return 0, err
	}
	dst = dst[:n]
	if p.pairs != nil {
		for i, x := range p.pairs[off:][:n] {
			dst[i] = edgeOf(x)
		}
		return n, err
	}
	for i, t := range p.tuples[off:][:n] {
		dst[i] = t.edge()
	}
	return n, err
}

// PairsAt implements hops.PairSource.
func (p *Packed) PairsAt(off int64, n int) []uint64 {
	if p.pairs == nil {
		return nil
	}
	return p.pairs[off:][:n:n]
}

// Close releases the memory. The list is empty afterwards.
func (p *Packed) Close() error {
	p.pairs, p.tuples = nil, nil
	return p.memory.Close()
}
