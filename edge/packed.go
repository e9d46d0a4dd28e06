package edge

import (
	"context"
	"fmt"
	"math"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/arena"
)

// MaxPackedVertices is the number of vertices that packed tuples can name.
const MaxPackedVertices = 1 << 48

// A tuple is an edge in the 12 bytes of the Graph500 reference: the low 32 bits
// of both ends, then the high 16 bits of both, those of U in the lower half.
type tuple struct {
	u, v, high uint32
}

// PackedSize is the size of a packed edge in bytes, in memory and in files.
const PackedSize = 12

func pack(e hops.Edge) tuple {
	return tuple{uint32(e.U), uint32(e.V), uint32(e.U>>32)&0xFFFF | uint32(e.V>>32)<<16}
}

func (t tuple) edge() hops.Edge {
	return hops.Edge{
		U: hops.Vertex(t.u) | hops.Vertex(t.high&0xFFFF)<<32,
		V: hops.Vertex(t.v) | hops.Vertex(t.high>>16)<<32,
	}
}

// Packed is a list in memory at 12 bytes an edge, outside the Go heap. Reading
// it costs little more than the memory traffic.
type Packed struct {
	vertices hops.Vertex
	tuples   []tuple
	memory   arena.Arena
}

var _ hops.Source = (*Packed)(nil)

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
	var err error
	if p.tuples, err = arena.Make[tuple](&p.memory, int(n)); err != nil {
		return nil, fmt.Errorf("edge: list of %d edges: %w", n, err)
	}
	err = forEachBlock(ctx, src, threads, progress, func(off int64, edges []hops.Edge) {
		for i, e := range edges {
			p.tuples[off+int64(i)] = pack(e)
		}
	})
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

// NumVertices implements hops.Source.
func (p *Packed) NumVertices() hops.Vertex { return p.vertices }

// NumEdges implements hops.Source.
func (p *Packed) NumEdges() int64 { return int64(len(p.tuples)) }

// EdgesAt implements hops.Source.
func (p *Packed) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	n, err := span(len(dst), off, p.NumEdges())
	if n == 0 {
		return 0, err
	}
	dst = dst[:n]
	for i, t := range p.tuples[off:][:n] {
		dst[i] = t.edge()
	}
	return n, err
}

// Close releases the memory. The list is empty afterwards.
func (p *Packed) Close() error {
	p.tuples = nil
	return p.memory.Close()
}
