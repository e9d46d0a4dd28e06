package main

import (
	"context"
	"errors"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/sssp"
)

// A pathTimer is a searcher of the cpu engine for shortest paths that a calibration times.
type pathTimer struct {
	*sssp.Searcher
	graph *graph.Graph
	paths *hops.Paths
}

// timePaths makes searchers with so many threads.
func timePaths(threads int) learn.BuildPaths {
	return func(ctx context.Context, src hops.WeightedSource) (learn.PathTimer, error) {
		g, err := csr.BuildWeighted(ctx, src, threads)
		if err != nil {
			return nil, err
		}
		s, err := sssp.New(g, sssp.Options{Threads: threads})
		if err != nil {
			return nil, errors.Join(err, g.Close())
		}
		return &pathTimer{s, g, hops.NewSinglePaths(g.NumVertices())}, nil
	}
}

// Time implements learn.PathTimer.
func (t *pathTimer) Time(ctx context.Context, root hops.Vertex, factor float64) (took time.Duration, reached int64, err error) {
	if err := t.SetWidths(sssp.Widths{Buckets: factor, Queues: factor}); err != nil {
		return 0, 0, err
	}
	t.Clear(t.paths)
	start := time.Now()
	if _, err := t.Search(ctx, root, t.paths); err != nil {
		return 0, 0, err
	}
	took = time.Since(start)
	for v := range t.graph.NumVertices() {
		if t.paths.Has(v) {
			reached++
		}
	}
	return took, reached, nil
}

// Close implements learn.PathTimer.
func (t *pathTimer) Close() error { return errors.Join(t.Searcher.Close(), t.graph.Close()) }
