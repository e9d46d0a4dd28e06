package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/sssp"
)

// weightedCPU is kernel 1 for both searches on the cores of this machine: one graph, and
// what each search makes of its rows.
func weightedCPU(o cpu.Options, paths sssp.Options) *graph500.WeightedEngine {
	return &graph500.WeightedEngine{
		Need: func(n hops.Vertex, m int64) int64 {
			return o.Need(n, m) + csr.NeedWeighted(n, m) - csr.Need(n, m) + sssp.Need(n, m)
		},
		Build: func(ctx context.Context, src hops.WeightedSource) (graph500.PathSearcher, error) {
			g, err := csr.BuildWeighted(ctx, src, o.Threads)
			if err != nil {
				return nil, err
			}
			s, err := newPathSearcher(g, o, paths)
			if err != nil {
				_ = g.Close()
				return nil, err
			}
			return s, nil
		},
		Wide: func(_ context.Context, src hops.WeightedSource) (graph500.WideSearcher, error) {
			list, ok := src.(*graph.WeightedSource)
			if !ok {
				return nil, fmt.Errorf("cpu: a search with distances of 64 bits needs a finished graph, not %T", src)
			}
			return sssp.New(list.Graph(), paths)
		},
	}
}

// A pathSearcher searches a graph that it owns in both ways.
type pathSearcher struct {
	*cpu.Searcher
	paths *sssp.Searcher
	graph *graph.Graph
}

func newPathSearcher(g *graph.Graph, o cpu.Options, ways sssp.Options) (*pathSearcher, error) {
	breadth, err := cpu.New(g, o)
	if err != nil {
		return nil, err
	}
	paths, err := sssp.New(g, ways)
	if err != nil {
		_ = breadth.Close()
		return nil, err
	}
	return &pathSearcher{breadth, paths, g}, nil
}

// SearchPaths implements graph500.PathSearcher.
func (s *pathSearcher) SearchPaths(ctx context.Context, root hops.Vertex, p *hops.Paths) (hops.Trace, error) {
	return s.paths.Search(ctx, root, p)
}

// ClearPaths implements graph500.PathClearer.
func (s *pathSearcher) ClearPaths(p *hops.Paths) { s.paths.Clear(p) }

// Memory implements graph500.MemoryReporter. Both count the graph.
func (s *pathSearcher) Memory() (finished, peak int64) {
	rows, _ := s.graph.Memory()
	breadth, peak := s.Searcher.Memory()
	paths, pathsPeak := s.paths.Memory()
	finished = breadth + paths - rows
	return finished, max(peak, breadth+pathsPeak-rows)
}

// Close closes both searchers and the graph.
func (s *pathSearcher) Close() error {
	_ = s.Searcher.Close()
	_ = s.paths.Close()
	return s.graph.Close()
}

// noWeights says what to do about a graph without weights.
func noWeights(name string, converted bool) error {
	if converted {
		return fileError{name, errors.New("the graph file has no weights; hops convert --weights makes one that has, from a file with weights")}
	}
	return fileError{name, errors.New("the file has no weights; --columns names the columns of an edge list, that of the weight last")}
}

// distanceText is a distance in as few digits as tell it from others.
func distanceText(far float64) string { return strconv.FormatFloat(far, 'f', -1, 64) }
