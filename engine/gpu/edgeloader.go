package gpu

import (
	"context"
	"errors"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/intake"
	"github.com/gohops/hops/internal/base/mrg"
)

// A recipe is a source whose edges the device can generate by itself, the same edges
// bit by bit.
type recipe interface {
	Recipe() (scale int, seed [5]uint32, limit uint32, keys [3]uint64)
}

// recipeOf returns the recipe of a source, directed or not, whose reading others may count.
func recipeOf(src hops.Source) (recipe, bool) {
	for {
		wrapped, ok := src.(interface{ Unwrap() hops.Source })
		if !ok {
			r, ok := src.(recipe)
			return r, ok
		}
		src = wrapped.Unwrap()
	}
}

// An edgeLoader brings the edges of a source into a buffer on the device, a chunk at a
// time: generated there if the source is a recipe, and uploaded otherwise. Where one
// chunk holds all edges, they are brought once and stay.
type edgeLoader struct {
	kernels
	src   hops.Source
	edges buffer
	chunk int64
	whole bool // the buffer holds all edges that it loads

	digest uint64 // of what this pass over the edges has uploaded
	before uint64 // of what a whole pass has uploaded, or 0

	first, count int64 // the edges that it loads

	jumps, keys buffer // of a recipe
	host        []hops.Edge
	packed      []uint32

	weights     buffer // of the edges in the buffer; 0: not wanted
	hostWeights []float32
}

// hostBlock is how many edges are read from a source at a time.
const hostBlock = 1 << 16

// newEdgeLoader takes its buffers from m, with up to room bytes for the chunk but at
// least leastChunk edges.
func newEdgeLoader(d device, m *memory, src hops.Source, room int64) (*edgeLoader, error) {
	return newShareLoader(d, m, src, room, 0, src.NumEdges())
}

// newShareLoader is an edgeLoader that loads so many edges from first on.
func newShareLoader(d device, m *memory, src hops.Source, room, first, count int64) (*edgeLoader, error) {
	l := &edgeLoader{kernels: kernels{d}, src: src, first: first, count: count}
	return l, l.makeRoom(m, room)
}

// makeRoom makes the buffers.
func (l *edgeLoader) makeRoom(m *memory, room int64) error {
	d := l.dev
	l.chunk = max(1, min(l.count, max(room/8, leastChunk), d.MaxAlloc()/8))
	l.edges = m.make("edges", l.chunk, 8)
	if r, ok := recipeOf(l.src); ok {
		_, _, _, keys := r.Recipe()
		jumps := jumpTable()
		l.jumps = m.make("generator", int64(len(jumps)), 4)
		l.keys = m.make("generator", int64(len(keys)), 8)
		if m.err != nil {
			return m.err
		}
		return errors.Join(d.write(l.jumps, 0, bytesOf(jumps)), d.write(l.keys, 0, bytesOf(keys[:])))
	}
	l.host = make([]hops.Edge, min(l.chunk, hostBlock))
	l.packed = make([]uint32, 2*len(l.host))
	return m.err
}

// jumpTable holds, for every k, the matrix that leads from the random stream of an edge
// to the stream of the edge 2^k further on.
func jumpTable() []uint32 {
	var words []uint32
	for k := range 48 {
		for _, row := range mrg.Ahead(0, 1<<k, 0) {
			words = append(words, row[:]...)
		}
	}
	return words
}

// each calls use for every chunk of the edges, once the chunk is in the buffer.
func (l *edgeLoader) each(ctx context.Context, use func(edges buffer, n int64) error) error {
	l.digest = 0
	for at := int64(0); at < l.count; at += l.chunk {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(l.chunk, l.count-at)
		if !l.whole {
			if err := l.load(ctx, l.first+at, n); err != nil {
				return err
			}
			l.whole = n == l.count
		}
		if err := use(l.edges, n); err != nil {
			return err
		}
	}
	if l.digest == 0 { // generated, or there from the pass before
		return nil
	}
	if l.before != 0 && l.digest != l.before {
		return fmt.Errorf("gpu: the source (%T) gave other edges when it was read again", l.src)
	}
	l.before = l.digest
	return nil
}

func (l *edgeLoader) load(ctx context.Context, first, n int64) error {
	if r, ok := recipeOf(l.src); ok {
		scale, seed, limit, _ := r.Recipe()
		a := generateArgs{jumps: l.jumps, keys: l.keys, first: first, count: n, scale: scale, limit: limit, seed: seed}
		if err := l.generate(l.edges, a); err != nil || l.weights == 0 {
			return err
		}
		return l.generateWeights(l.weights, a)
	}
	for done := int64(0); done < n; {
		if err := ctx.Err(); err != nil {
			return err
		}
		block := l.host[:min(int64(len(l.host)), n-done)]
		if err := l.upload(block, first+done, done); err != nil {
			return err
		}
		done += int64(len(block))
	}
	return nil
}

func (l *edgeLoader) upload(block []hops.Edge, off, at int64) error {
	weights := l.hostWeights[:min(len(block), len(l.hostWeights))] // nil unless they are wanted
	if err := intake.Checked(l.src, l.src.NumVertices(), block, weights, off); err != nil {
		return fmt.Errorf("gpu: %w", err)
	}
	l.digest += intake.Digest(block)
	for i, e := range block {
		l.packed[2*i], l.packed[2*i+1] = uint32(e.U), uint32(e.V)
	}
	if err := l.dev.write(l.edges, 8*at, bytesOf(l.packed[:2*len(block)])); err != nil || l.weights == 0 {
		return err
	}
	return l.dev.write(l.weights, 4*at, bytesOf(weights))
}
