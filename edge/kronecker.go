package edge

import (
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/mrg"
)

// A Kronecker is the graph of the Graph500 benchmark, bit by bit the list that
// release 3.0.1 of its reference implementation generates.
type Kronecker struct {
	scale    int
	edges    int64
	limit    uint32 // draws below it are rejected
	seed     mrg.State
	stride   mrg.Jump // from the stream of one edge to that of the next
	scramble scrambler
	bulk     *bulk // for many edges at once; nil where the CPU cannot
}

var _ hops.TupleSource = (*Kronecker)(nil)

// rejectBelow is the limit below which draws are thrown away, so that the remainder by
// 10,000 is unbiased. Release 2.1.4 of the reference took the limit from another
// modulus, 2³² - 1: its graphs differ.
const rejectBelow = mrg.Modulus % denominator

// NewKronecker returns the graph of 2^scale vertices and edgeFactor·2^scale
// edges. Benchmark results are comparable for edge factor 16 and the seeds 2, 3.
func NewKronecker(scale, edgeFactor int, seed1, seed2 uint64) (*Kronecker, error) {
	edges, err := checkGraph(scale, edgeFactor)
	if err != nil {
		return nil, err
	}
	return NewKroneckerOf(scale, edges, seed1, seed2)
}

// NewKroneckerOf returns the graph of 2^scale vertices and so many edges, which are the
// first of those that it has with any other number.
func NewKroneckerOf(scale int, edges int64, seed1, seed2 uint64) (*Kronecker, error) {
	if err := checkScale(scale); err != nil {
		return nil, err
	}
	if edges < 1 || edges > 1<<62 {
		return nil, fmt.Errorf("edge: %d edges are not within 1 … 2^62", edges)
	}
	seed := mrg.Seed(seed1, seed2)
	k := &Kronecker{
		scale:    scale,
		edges:    edges,
		limit:    rejectBelow,
		seed:     seed,
		stride:   mrg.Ahead(0, 1, 0),
		scramble: newScrambler(seed, scale),
	}
	k.bulk = newBulk(k)
	return k, nil
}

// NumVertices implements hops.Source.
func (k *Kronecker) NumVertices() hops.Vertex { return 1 << k.scale }

// NumEdges implements hops.Source.
func (k *Kronecker) NumEdges() int64 { return k.edges }

// EdgesAt implements hops.Source.
func (k *Kronecker) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	n, err := span(len(dst), off, k.edges)
	k.generate(dst[:n], nil, off)
	return n, err
}

// WeightsAt implements hops.WeightedSource. The weight of an edge is drawn after
// the edge, so it costs as much as the edge.
func (k *Kronecker) WeightsAt(dst []float32, off int64) (int, error) {
	var edges [drawBlock]hops.Edge
	n, err := span(len(dst), off, k.edges)
	for done := 0; done < n; done += drawBlock {
		block := dst[done:min(n, done+drawBlock)]
		k.tuples(edges[:len(block)], block, off+int64(done))
	}
	return n, err
}

// TuplesAt implements hops.TupleSource.
func (k *Kronecker) TuplesAt(edges []hops.Edge, weights []float32, off int64) (int, error) {
	n, err := span(len(edges), off, k.edges)
	for done := 0; done < n; done += drawBlock {
		end := min(n, done+drawBlock)
		k.tuples(edges[done:end], weights[done:end], off+int64(done))
	}
	return n, err
}

// drawBlock is how many weights are made at a time: their draws take 1 KiB of stack.
const drawBlock = 256

// tuples makes up to drawBlock edges and their weights.
func (k *Kronecker) tuples(edges []hops.Edge, weights []float32, off int64) {
	var draws [drawBlock]uint32
	k.generate(edges, draws[:len(edges)], off)
	for i := range weights {
		weights[i] = weight(draws[i])
	}
}

// weight is in [0, 1]: the draw is rounded to 24 bits first, so that the largest
// ones become exactly 1, as in the reference.
func weight(draw uint32) float32 {
	return float32(float64(float32(draw)) * 4.65661287524579692e-10)
}

// Recipe returns what a device needs to generate the same edges by itself: the
// seed of the streams, the limit below which draws are rejected, and the offset
// and the two multipliers of the scrambling.
func (k *Kronecker) Recipe() (scale int, seed [5]uint32, limit uint32, keys [3]uint64) {
	return k.scale, k.seed, k.limit, [3]uint64{k.scramble.offset, k.scramble.first, k.scramble.second}
}
