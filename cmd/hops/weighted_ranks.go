package main

import (
	"cmp"
	"context"
	"runtime"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cluster"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/ranks/launch"
	"github.com/gohops/hops/sssp"
)

// weightedCluster is kernel 1 for both searches on ranks. A twin has no rates for shortest
// paths, and so no kernel 3.
func weightedCluster(o cluster.Options, world *launch.World) *graph500.WeightedEngine {
	if o.Twin != nil {
		return nil
	}
	return &graph500.WeightedEngine{
		Need: func(n hops.Vertex, m int64) int64 {
			ranks := cmp.Or(o.Ranks, 2)
			if world != nil {
				ranks = world.Size()
			}
			return o.Need(n, m) + sssp.NeedOnRanks(n, m, ranks)
		},
		Build: func(ctx context.Context, src hops.WeightedSource) (graph500.PathSearcher, error) {
			if world == nil {
				return buildLocalPaths(ctx, src, o)
			}
			return joinPaths(ctx, src, o, world)
		},
		Wide: func(ctx context.Context, src hops.WeightedSource) (graph500.WideSearcher, error) {
			if world == nil {
				ranks := cmp.Or(o.Ranks, 2)
				return sssp.Build(ctx, src, ranks, sssp.Options{Threads: cmp.Or(o.Threads, max(1, runtime.GOMAXPROCS(0)/ranks)), Hosts: o.Hosts})
			}
			return sssp.Join(ctx, world, src, sssp.Options{Threads: cmp.Or(o.Threads, threadsOf(world))})
		},
	}
}

// buildLocalPaths has all ranks in this process.
func buildLocalPaths(ctx context.Context, src hops.WeightedSource, o cluster.Options) (graph500.PathSearcher, error) {
	breadth, err := cluster.Build(ctx, src, o)
	if err != nil {
		return nil, err
	}
	ranks := cmp.Or(o.Ranks, 2)
	paths, err := sssp.Build(ctx, src, ranks, sssp.Options{Threads: cmp.Or(o.Threads, max(1, runtime.GOMAXPROCS(0)/ranks)), Hosts: o.Hosts})
	if err != nil {
		_ = breadth.Close()
		return nil, err
	}
	return &clusterPaths{breadth, paths}, nil
}

// joinPaths is one rank of those that a launcher has started.
func joinPaths(ctx context.Context, src hops.WeightedSource, o cluster.Options, world *launch.World) (graph500.PathSearcher, error) {
	o.Threads = cmp.Or(o.Threads, threadsOf(world))
	breadth, err := cluster.Join(ctx, world, src, o)
	if err != nil {
		return nil, err
	}
	paths, err := sssp.Join(ctx, world, src, sssp.Options{Threads: o.Threads})
	if err != nil {
		_ = breadth.Close()
		return nil, err
	}
	return &clusterPaths{breadth, paths}, nil
}

// pathsOnRanks are a rank, or all ranks in this process.
type pathsOnRanks interface {
	graph500.PathMaker
	graph500.MemoryReporter
	Search(ctx context.Context, root hops.Vertex, p *hops.Paths) (hops.Trace, error)
	Clear(p *hops.Paths)
	Close() error
}

// clusterPaths searches a graph on ranks in both ways.
type clusterPaths struct {
	cluster.Searcher
	paths pathsOnRanks
}

// SearchPaths implements graph500.PathSearcher.
func (s *clusterPaths) SearchPaths(ctx context.Context, root hops.Vertex, p *hops.Paths) (hops.Trace, error) {
	return s.paths.Search(ctx, root, p)
}

// NewPaths implements graph500.PathMaker.
func (s *clusterPaths) NewPaths() (*hops.Paths, error) { return s.paths.NewPaths() }

// ClearPaths implements graph500.PathClearer.
func (s *clusterPaths) ClearPaths(p *hops.Paths) { s.paths.Clear(p) }

// Memory implements graph500.MemoryReporter.
func (s *clusterPaths) Memory() (finished, peak int64) {
	breadth, breadthPeak := s.Searcher.Memory()
	paths, pathsPeak := s.paths.Memory()
	return breadth + paths, max(breadthPeak, breadth+pathsPeak)
}

// Close closes both.
func (s *clusterPaths) Close() error {
	_ = s.paths.Close()
	return s.Searcher.Close()
}
