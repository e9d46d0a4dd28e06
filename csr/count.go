package csr

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/intake"
)

// blockEdges is how many edges a worker asks the source for at a time: 64 KiB of
// them, which stay in its second-level cache, and enough to hide the cost of a
// generator's jump to the block.
const blockEdges = 4096

// Every reading of a source yields the same edges, or rows would end up where there
// is no room for them. A source is somebody else's code, so each reading adds up a
// random function of its edges, and the sums must be the same. The pairs of a
// hops.PairSource, which are read in place, are taken to be what they were.

// A block is some edges of the source, each a word with U in the low half and V in the
// high half. Weights are nil in a graph without.
type block struct {
	pairs   []uint64
	weights []float32
}

// A blockReader is one worker's memory for blocks.
type blockReader struct {
	edges   []hops.Edge
	pairs   []uint64
	weights []float32
}

func (b *builder) newBlockReader() *blockReader {
	n := min(blockEdges, b.Tuples)
	r := &blockReader{edges: make([]hops.Edge, n), pairs: make([]uint64, n)}
	if b.weighted != nil {
		r.weights = make([]float32, n)
	}
	return r
}

// eachBlock calls f for every block of the source's edges, on all workers. It ends
// early, with an error, when the source fails, f fails or the context ends.
func (b *builder) eachBlock(f func(worker int, some block) error) error {
	return b.readAll(func(one reading) error {
		return b.team.Try(b.Tuples, blockEdges, func(worker int, lo, hi int64) error {
			return one(worker, lo, hi, func(some block) error { return f(worker, some) })
		})
	})
}

// A reading calls f for the block of the edges from lo to hi.
type reading func(worker int, lo, hi int64, f func(some block) error) error

// readAll calls f, which reads every block once, and compares what was read with the first
// reading.
func (b *builder) readAll(f func(one reading) error) error {
	var sum atomic.Uint64
	readers := make([]*blockReader, b.team.Size())
	err := f(func(worker int, lo, hi int64, use func(some block) error) error {
		if err := b.ended(); err != nil {
			return err
		}
		if some, ok, err := b.inPlace(lo, hi); ok {
			if err == nil {
				err = use(some)
			}
			return err
		}
		if readers[worker] == nil {
			readers[worker] = b.newBlockReader()
		}
		some, part, err := b.read(readers[worker], lo, hi)
		if err == nil {
			err = use(some)
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

// ended is an error if the context has ended.
func (b *builder) ended() error {
	if err := b.ctx.Err(); err != nil {
		return fmt.Errorf("csr: %w", err)
	}
	return nil
}

// inPlace returns a block of a source that has its edges in memory, if this one does. The
// first reading checks the labels.
func (b *builder) inPlace(lo, hi int64) (some block, ok bool, err error) {
	if b.weighted != nil {
		return block{}, false, nil
	}
	pairs := hops.PairsAt(b.src, lo, int(hi-lo))
	if pairs == nil {
		return block{}, false, nil
	}
	if b.sum == 0 && !b.inside(pairs) {
		edges := make([]hops.Edge, len(pairs))
		for i, p := range pairs {
			edges[i] = hops.Edge{U: hops.Vertex(uint32(p)), V: hops.Vertex(p >> 32)}
		}
		err = fmt.Errorf("csr: %w", intake.Labels(edges, hops.Vertex(b.n), lo))
	}
	return block{pairs: pairs}, true, err
}

// inside tells whether all ends are vertices of the graph.
func (b *builder) inside(pairs []uint64) bool { return int64(largest(pairs)) < int64(b.n) }

// largest returns the largest label of edges, or 0 if there are none. It is the first to
// read them: the kernel prefetches.
func largest(pairs []uint64) (most uint32) {
	if haveVectors && len(pairs) >= lanes {
		whole := len(pairs) / lanes * lanes
		most = largestAVX512(&pairs[0], whole)
		pairs = pairs[whole:]
	}
	for _, p := range pairs {
		most = max(most, uint32(p), uint32(p>>32))
	}
	return most
}

// changed is the error of a source that does not repeat itself.
func (b *builder) changed() error {
	return fmt.Errorf("csr: the source (%T) gave other edges when it was read again", b.src)
}

// read reads the edges from lo to hi, checks what it got and returns the sum of it.
func (b *builder) read(r *blockReader, lo, hi int64) (some block, sum uint64, err error) {
	edges, pairs, weights := r.edges[:hi-lo], r.pairs[:hi-lo], r.weights[:min(hi-lo, int64(len(r.weights)))]
	src := b.src
	if b.weighted != nil {
		src = b.weighted
	} else {
		weights = nil
	}
	if err := intake.Fill(src, edges, weights, lo); err != nil {
		return some, 0, fmt.Errorf("csr: %w", err)
	}
	sum, inside := b.sumEdges(edges, pairs)
	if !inside {
		return some, 0, fmt.Errorf("csr: %w", intake.Labels(edges, hops.Vertex(b.n), lo))
	}
	if plainWeights(weights) {
		return block{pairs, weights}, sum, nil
	}
	if err := intake.Weights(edges, weights, lo); err != nil {
		return some, 0, fmt.Errorf("csr: %w", err)
	}
	return block{pairs, weights}, sum, nil
}

// plainWeights tells, without a branch for each, whether the bits of all weights are those of finite
// numbers from +0 on, which are the lowest.
func plainWeights(weights []float32) bool {
	const most = 0x7f7fffff // the bits of math.MaxFloat32
	over := int64(0)
	for _, w := range weights {
		over |= most - int64(math.Float32bits(w))
	}
	return over >= 0
}

// sumEdges makes pairs of edges and returns the sum of a random function of them, and
// whether all ends are vertices of the graph. It has no branch in its loop, because every
// reading of the source runs it on every edge.
func (b *builder) sumEdges(edges []hops.Edge, pairs []uint64) (sum uint64, inside bool) {
	key, last, over := b.key, int64(b.n)-1, int64(0)
	pairs = pairs[:len(edges)]
	for i, e := range edges {
		over |= int64(e.U|e.V) | (last - int64(e.U)) | (last - int64(e.V)) // the first: labels of 64 bits
		pairs[i] = uint64(e.V)<<32 | uint64(uint32(e.U))
		h := pairs[i] * key
		sum += h ^ h>>32
	}
	return sum, over >= 0
}
