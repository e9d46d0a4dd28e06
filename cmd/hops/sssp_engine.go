package main

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/ranks/rank"
	"github.com/gohops/hops/sssp"
)

// shortest finds the shortest paths from a root with distances of 64 bits, on the engine of
// the flags, and returns how long the search took. On several ranks, all get the result.
func (f *engineFlags) shortest(ctx context.Context, g *graph.Graph, root hops.Vertex, threads int) (p *hops.Paths, took time.Duration, err error) {
	s, err := f.wideSearcher(ctx, g, threads)
	if err != nil {
		return nil, 0, err
	}
	defer s.Close()
	p = hops.NewPaths(g.NumVertices())
	start := time.Now()
	if _, err := s.Search(ctx, root, p); err != nil {
		return nil, 0, err
	}
	took = time.Since(start)
	if f.app.ranks != nil {
		err = gatherPaths(f.app.ranks, s, p)
	}
	return p, took, err
}

// wideSearcher gives the graph to the engine: that of the flags, the ranks that a launcher
// has started, or the cores of this machine.
func (f *engineFlags) wideSearcher(ctx context.Context, g *graph.Graph, threads int) (graph500.WideSearcher, error) {
	if f.engine == "" && f.app.ranks == nil {
		return sssp.New(g, sssp.Options{Threads: threads})
	}
	e, err := f.app.openEngine(cmp.Or(f.engine, "cluster"))
	if err != nil {
		return nil, usageError{err}
	}
	src, err := g.WeightedSource()
	if err != nil {
		return nil, err
	}
	return e.Weighted.Wide(ctx, src)
}

// gatherPaths gives every rank the parts that others have filled.
func gatherPaths(comm rank.Comm, s graph500.WideSearcher, p *hops.Paths) error {
	maker, ok := s.(graph500.PathMaker)
	if !ok {
		return errors.New("a rank does not say which part of a result is its own")
	}
	mine, err := maker.NewPaths()
	if err != nil {
		return err
	}
	bounds := make([]uint64, 2*comm.Size())
	bounds[2*comm.Rank()], bounds[2*comm.Rank()+1] = uint64(mine.First), uint64(mine.First)+uint64(mine.Len())
	if err := rank.Reduced(comm, rank.Sum, bounds); err != nil {
		return err
	}
	if err := comm.Gather(arena.Bytes(p.Narrow), spans(bounds, 4)); err != nil {
		return err
	}
	return comm.Gather(arena.Bytes(p.Double), spans(bounds, 8))
}
