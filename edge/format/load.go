package format

import (
	"context"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/graph"
)

// Load reads the graph in the file of the given name, of any format, with its direction, its
// names and, unless Options.DropWeights is set, its weights. "-" is standard input. A graph
// file of hops is opened, which reads almost nothing of it. The caller closes the graph.
func Load(ctx context.Context, name string, opts Options) (*graph.Graph, error) {
	in, err := Open(ctx, name, opts)
	if err != nil {
		return nil, err
	}
	g, err := in.Build(ctx, nil)
	if closeErr := in.Close(); err == nil && closeErr != nil {
		_ = g.Close()
		return nil, closeErr
	}
	return g, err
}

// Build returns the finished graph, which the caller closes. Progress, if not nil, is called
// at once, and then now and then by several goroutines, with how much of the work is done as a
// number of edges.
// The graph in a graph file of hops is finished: every call returns the same one.
func (in *Input) Build(ctx context.Context, progress func(done, total int64)) (*graph.Graph, error) {
	if g := in.Graph; g != nil {
		in.close = nil // from now on the caller closes it
		return g, nil
	}
	src, err := in.Source()
	if err != nil {
		return nil, err
	}
	if progress == nil {
		progress = func(int64, int64) {}
	}
	progress(0, src.NumEdges())
	seen := &watched{Source: src, progress: progress}
	build := func() (*graph.Graph, error) { return csr.Build(ctx, seen, in.threads) }
	if w, ok := src.(hops.WeightedSource); ok {
		build = func() (*graph.Graph, error) {
			return csr.BuildWeighted(ctx, watchedTuples{seen, w}, in.threads)
		}
	}
	g, err := build()
	if err != nil {
		return nil, err
	}
	progress(src.NumEdges(), src.NumEdges()) // small graphs take fewer passes
	g.Names = in.Names
	return g, nil
}

// Source lists the edges in the order of the file, with vertices numbered from 0. The list
// says whether they are directed. It is a hops.WeightedSource if the file has weights that
// were not dropped. The edges of a graph file of hops are checked first, which reads all of it.
func (in *Input) Source() (hops.Source, error) {
	switch {
	case in.Graph != nil && in.Graph.Weighted():
		return in.Graph.WeightedSource()
	case in.Graph != nil:
		return in.Graph.Source()
	case in.Directed:
		return hops.Directed(in.edges), nil
	}
	return in.edges, nil
}

// A watched list of edges reports how much of csr.Build is done, as a share of the edges.
type watched struct {
	hops.Source
	progress func(done, total int64)
	seen     atomic.Int64
}

// Directed implements hops.DirectedSource.
func (w *watched) Directed() bool { return hops.IsDirected(w.Source) }

// EdgesAt implements hops.Source.
func (w *watched) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	n, err := w.Source.EdgesAt(dst, off)
	passes := int64(csr.Passes) // how often csr.Build reads all edges
	if w.Directed() {
		passes = 2*csr.Passes + 1
	}
	w.progress(w.seen.Add(int64(n))/passes, w.NumEdges())
	return n, err
}

// watchedTuples is a watched list with weights.
type watchedTuples struct {
	*watched
	weights hops.WeightedSource
}

// WeightsAt implements hops.WeightedSource.
func (w watchedTuples) WeightsAt(dst []float32, off int64) (int, error) {
	return w.weights.WeightsAt(dst, off)
}
