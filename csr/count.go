package csr

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync/atomic"

	"github.com/gohops/hops"
)

// blockEdges is how many edges a worker asks the source for at a time: 64 KiB of
// them, which stay in its second-level cache, and enough to hide the cost of a
// generator's jump to the block.
const blockEdges = 4096

// Every reading of a source yields the same edges, or rows would end up where there
// is no room for them. A source is somebody else's code, so each reading adds up a
// random function of its edges, and the sums must be the same.

// eachBlock calls f for every block of the source's edges, on all workers. It ends
// early, with an error, when the source fails, f fails or the context ends. Weights are
// nil in a graph without.
func (b *builder) eachBlock(f func(worker int, edges []hops.Edge, weights []float32) error) error {
	var sum atomic.Uint64
	buffers, weights := make([][]hops.Edge, b.team.Size()), make([][]float32, b.team.Size())
	err := b.team.Try(b.Tuples, blockEdges, func(worker int, lo, hi int64) error {
		if err := b.ctx.Err(); err != nil {
			return fmt.Errorf("csr: %w", err)
		}
		if buffers[worker] == nil {
			buffers[worker] = make([]hops.Edge, min(blockEdges, b.Tuples))
			if b.weighted != nil {
				weights[worker] = make([]float32, len(buffers[worker]))
			}
		}
		edges, weights := buffers[worker][:hi-lo], weights[worker][:min(hi-lo, int64(len(weights[worker])))]
		part, err := b.read(edges, weights, lo)
		if err == nil {
			err = f(worker, edges, weights)
		}
		sum.Add(part)
		return err
	})
	if err != nil {
		return err
	}
	if b.sum == 0 { // the first reading
		b.sum = sum.Load() | 1
	}
	if b.sum != sum.Load()|1 {
		return b.changed()
	}
	return nil
}

// changed is the error of a source that does not repeat itself.
func (b *builder) changed() error {
	return fmt.Errorf("csr: the source (%T) gave other edges when it was read again", b.src)
}

// read fills edges, checks what it got and returns the sum of it.
func (b *builder) read(edges []hops.Edge, weights []float32, off int64) (sum uint64, err error) {
	var n int
	if b.weighted != nil {
		n, err = hops.TuplesAt(b.weighted, edges, weights, off)
	} else {
		n, err = b.src.EdgesAt(edges, off)
	}
	switch {
	case n > len(edges):
		return 0, fmt.Errorf("csr: the source (%T) gave %d edges where it was asked for %d", b.src, n, len(edges))
	case n < len(edges):
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return 0, fmt.Errorf("csr: edge %d of %d: %w", off+int64(max(n, 0)), b.Tuples, err)
	case err != nil && !errors.Is(err, io.EOF):
		return 0, fmt.Errorf("csr: edges %d to %d of %d: %w", off, off+int64(n)-1, b.Tuples, err)
	}
	sum, inside := b.sumEdges(edges)
	if !inside {
		return 0, b.outside(edges, off)
	}
	for i, w := range weights {
		if !(w >= 0 && w <= math.MaxFloat32) {
			return 0, fmt.Errorf("csr: edge %d, from %d to %d, has weight %v: a weight is finite and not negative",
				off+int64(i), edges[i].U, edges[i].V, w)
		}
		if w == 0 {
			weights[i] = 0 // the sign of -0 would spoil the order of bits
		}
	}
	return sum, nil
}

// sumEdges returns the sum of a random function of the edges, and whether all ends are
// vertices of the graph. It has no branch in its loop, because every reading of the
// source runs it on every edge.
func (b *builder) sumEdges(edges []hops.Edge) (sum uint64, inside bool) {
	key, last, over := b.key, int64(b.n)-1, int64(0)
	for _, e := range edges {
		over |= (last - int64(e.U)) | (last - int64(e.V))
		h := (uint64(e.U)<<32 | uint64(e.V)) * key
		sum += h ^ h>>32
	}
	return sum, over >= 0
}

// outside is the error of edges of which one has an end that is no vertex.
func (b *builder) outside(edges []hops.Edge, off int64) error {
	limit := hops.Vertex(b.n)
	i := slices.IndexFunc(edges, func(e hops.Edge) bool { return e.U >= limit || e.V >= limit })
	return fmt.Errorf("csr: edge %d joins %d and %d, but there are only %d vertices",
		off+int64(i), edges[i].U, edges[i].V, b.n)
}

// countEntries counts the entries of every row of the sides being made,
// duplicates included. Both ends of an edge are as good as random, so that two
// workers rarely meet on a counter.
func (b *builder) countEntries() error {
	loops, sides := make([]padded, b.team.Size()), b.sides
	err := b.eachBlock(func(worker int, edges []hops.Edge, _ []float32) error {
		for _, e := range edges {
			if e.U == e.V {
				loops[worker].n++
				continue
			}
			if sides != into && atomic.AddUint32(&b.count[e.U], 1) == 0 {
				return tooManyEntries(e.U)
			}
			if sides != outOf && atomic.AddUint32(&b.count[e.V], 1) == 0 {
				return tooManyEntries(e.V)
			}
		}
		return nil
	})
	b.Loops = 0
	for i := range loops {
		b.Loops += loops[i].n
	}
	return err
}

func tooManyEntries(v hops.Vertex) error {
	return fmt.Errorf("csr: vertex %d has more than %d edges, with duplicates", v, uint32(math.MaxUint32))
}

// padded keeps the counters of two workers on different cache lines.
type padded struct {
	n int64
	_ [56]byte
}
