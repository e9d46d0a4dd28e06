package csr

import (
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/gohops/hops"
)

// blockEdges is how many edges a worker asks the source for at a time: 64 KiB of
// them, which stay in its second-level cache, and enough to hide the cost of a
// generator's jump to the block.
const blockEdges = 4096

// eachBlock calls f for every block of the source's edges, on all workers.
func (b *builder) eachBlock(f func(worker int, edges []hops.Edge)) error {
	var (
		failed  atomic.Pointer[error]
		buffers = make([][]hops.Edge, b.team.Size())
	)
	b.team.For(b.src.NumEdges(), blockEdges, func(worker int, lo, hi int64) {
		if failed.Load() != nil || b.ctx.Err() != nil {
			return
		}
		if buffers[worker] == nil {
			buffers[worker] = make([]hops.Edge, blockEdges)
		}
		edges := buffers[worker][:hi-lo]
		if err := b.read(edges, lo); err != nil {
			failed.CompareAndSwap(nil, &err)
			return
		}
		f(worker, edges)
	})
	if err := failed.Load(); err != nil {
		return *err
	}
	if err := b.ctx.Err(); err != nil {
		return fmt.Errorf("csr: %w", err)
	}
	return nil
}

// read fills edges and checks what it got: a source is somebody else's code.
func (b *builder) read(edges []hops.Edge, off int64) error {
	n, err := b.src.EdgesAt(edges, off)
	if n < len(edges) {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return fmt.Errorf("csr: edge %d of %d: %w", off+int64(n), b.src.NumEdges(), err)
	}
	limit := hops.Vertex(b.n)
	for i, e := range edges {
		if e.U >= limit || e.V >= limit {
			return fmt.Errorf("csr: edge %d joins %d and %d, but there are only %d vertices",
				off+int64(i), e.U, e.V, b.n)
		}
	}
	return nil
}

// countEntries counts the entries of every row of the sides being made,
// duplicates included. Both ends of an edge are as good as random, so that two
// workers rarely meet on a counter.
func (b *builder) countEntries() error {
	loops, sides := make([]padded, b.team.Size()), b.sides
	err := b.eachBlock(func(worker int, edges []hops.Edge) {
		for _, e := range edges {
			if e.U == e.V {
				loops[worker].n++
				continue
			}
			if sides != into {
				atomic.AddUint32(&b.count[e.U], 1)
			}
			if sides != outOf {
				atomic.AddUint32(&b.count[e.V], 1)
			}
		}
	})
	b.Loops = 0
	for i := range loops {
		b.Loops += loops[i].n
	}
	return err
}

// padded keeps the counters of two workers on different cache lines.
type padded struct {
	n int64
	_ [56]byte
}
