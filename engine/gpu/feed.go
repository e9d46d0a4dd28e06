package gpu

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/mrg"
)

// A recipe is a source whose edges the device can generate by itself, bit by bit.
type recipe interface {
	Recipe() (scale int, seed [5]uint32, limit uint32, keys [3]uint64)
}

// A feed brings the edges of a source into a buffer on the device, a chunk at a
// time. A chunk that holds the whole list is brought once.
type feed struct {
	dev   device
	src   hops.Source
	edges buffer
	chunk int64
	whole bool // the buffer holds the whole list

	jumps, keys buffer // of a recipe
	host        []hops.Edge
	packed      []uint32
}

// hostBlock is how many edges are read from a source at a time.
const hostBlock = 1 << 16

// newFeed takes its buffers from m and up to room bytes for the chunk.
func newFeed(d device, m *memory, src hops.Source, room int64) (*feed, error) {
	f := &feed{dev: d, src: src}
	f.chunk = max(1, min(src.NumEdges(), max(room/8, leastChunk), d.MaxAlloc()/8))
	f.edges = m.make("edges", f.chunk, 8)
	if r, ok := src.(recipe); ok {
		_, _, _, keys := r.Recipe()
		jumps := jumpTable()
		f.jumps = m.make("generator", int64(len(jumps)), 4)
		f.keys = m.make("generator", int64(len(keys)), 8)
		if m.err != nil {
			return nil, m.err
		}
		if err := d.write(f.jumps, 0, bytesOf(jumps)); err != nil {
			return nil, err
		}
		return f, d.write(f.keys, 0, bytesOf(keys[:]))
	}
	f.host = make([]hops.Edge, min(f.chunk, hostBlock))
	f.packed = make([]uint32, 2*len(f.host))
	return f, m.err
}

// jumpTable holds the matrices that lead from the stream of an edge to that of
// the edge 2^k further on.
func jumpTable() []uint32 {
	var words []uint32
	for k := range 48 {
		for _, row := range mrg.Ahead(0, 1<<k, 0) {
			words = append(words, row[:]...)
		}
	}
	return words
}

// each calls use for every chunk of the list, once it is in the buffer.
func (f *feed) each(ctx context.Context, use func(edges buffer, n int64) error) error {
	m := f.src.NumEdges()
	for first := int64(0); first < m; first += f.chunk {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(f.chunk, m-first)
		if !f.whole {
			if err := f.load(first, n); err != nil {
				return err
			}
			f.whole = n == m
		}
		if err := use(f.edges, n); err != nil {
			return err
		}
	}
	return nil
}

func (f *feed) load(first, n int64) error {
	if r, ok := f.src.(recipe); ok {
		scale, seed, limit, _ := r.Recipe()
		return launchGenerate(f.dev, f.edges, f.jumps, f.keys, first, n, scale, limit, seed)
	}
	for done := int64(0); done < n; {
		block := f.host[:min(int64(len(f.host)), n-done)]
		if err := f.upload(block, first+done, done); err != nil {
			return err
		}
		done += int64(len(block))
	}
	return nil
}

func (f *feed) upload(block []hops.Edge, off, at int64) error {
	if n, err := f.src.EdgesAt(block, off); n < len(block) {
		return fmt.Errorf("gpu: edges %d to %d: %w", off, off+int64(len(block)), err)
	}
	bound := f.src.NumVertices()
	for i, e := range block {
		if e.U >= bound || e.V >= bound {
			return fmt.Errorf("gpu: edge %d joins %d and %d: the labels end at %d", off+int64(i), e.U, e.V, bound)
		}
		f.packed[2*i], f.packed[2*i+1] = uint32(e.U), uint32(e.V)
	}
	return f.dev.write(f.edges, 8*at, bytesOf(f.packed[:2*len(block)]))
}
