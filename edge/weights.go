package edge

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
)

// PackedWeightSize is the size of a weight in bytes, in memory and in files.
const PackedWeightSize = 4

// WithWeights returns the list of edges of src with weights from memory, one for each
// edge. It is directed if src is.
func WithWeights(src hops.Source, weights []float32) hops.WeightedSource {
	return &weighted{Source: src, weights: weights}
}

type weighted struct {
	hops.Source
	weights []float32
}

var _ hops.DirectedSource = (*weighted)(nil)

func (w *weighted) Directed() bool { return hops.IsDirected(w.Source) }

// WeightsAt implements hops.WeightedSource.
func (w *weighted) WeightsAt(dst []float32, off int64) (int, error) {
	n, err := span(len(dst), off, int64(len(w.weights)))
	if n > 0 {
		copy(dst[:n], w.weights[off:])
	}
	return n, err
}

// PackWeighted is Pack for edges with their weights, which take another 4 bytes each.
// The caller calls release after the last use.
func PackWeighted(ctx context.Context, src hops.WeightedSource, threads int, progress func(done, total int64)) (list hops.WeightedSource, release func(), err error) {
	var memory arena.Arena
	weights, err := arena.Make[float32](&memory, int(src.NumEdges()))
	if err != nil {
		return nil, nil, fmt.Errorf("edge: weights of %d edges: %w", src.NumEdges(), err)
	}
	packed, err := Pack(ctx, &recorder{src, weights}, threads, progress)
	if err != nil {
		_ = memory.Close()
		return nil, nil, err
	}
	return WithWeights(packed, weights), func() { _ = packed.Close(); _ = memory.Close() }, nil
}

// A recorder keeps the weights of the edges that are read from it.
type recorder struct {
	hops.WeightedSource
	weights []float32
}

func (r *recorder) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	return hops.TuplesAt(r.WeightedSource, dst, r.weights[off:][:len(dst)], off)
}
