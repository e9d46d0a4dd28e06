package query

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/many"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/par"
)

// Many pairs of vertices are answered in one of two ways.
//
// By pair: a search from both ends for each, on all cores. It reads little of the graph.
//
// By source: one search from up to 64 sources at once, each source once, and the paths of
// all its targets from the levels. It reads all of the graph for 64 sources, so that it
// pays where a source has many targets.
//
// Measured on two busy cores at 2¹⁹ vertices, a pair from both ends on one core against a
// source: 1.1 ms against 0.7 ms on a Kronecker graph, 3.7 ms against 61 ms on a grid; and
// a searcher by source takes as long to make as 230 pairs.

const (
	// minPairs is the number of pairs from which a searcher by source may be worth making.
	minPairs = 512
	// minTargets is the mean number of targets of a source from which a search by source
	// is the faster one even on the grid.
	minTargets = 16
)

// A Pair asks for a shortest path.
type Pair struct{ From, To hops.Vertex }

// BySource tells whether PathsBySource is likely to be faster than PathsByPair: there are
// at least 512 pairs, and at least 16 for each source.
func BySource(pairs []Pair) bool {
	return len(pairs) >= minPairs && len(pairs) >= minTargets*len(Sources(pairs))
}

// PathsByPair returns what ShortestPath finds for every pair. threads is the number of
// workers, 0 is one for every CPU; each takes the memory of a PathFinder.
func PathsByPair(ctx context.Context, g *graph.Graph, pairs []Pair, threads int) ([][]hops.Vertex, error) {
	team := par.NewTeam(threads, nil)
	defer team.Close()
	var (
		paths   = make([][]hops.Vertex, len(pairs))
		finders = make([]*PathFinder, team.Size())
		once    sync.Once
		failed  error
	)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	team.For(int64(len(pairs)), 1, func(worker int, lo, hi int64) {
		if finders[worker] == nil {
			finders[worker] = NewPathFinder(g)
		}
		for i := lo; i < hi; i++ {
			var err error
			if paths[i], err = finders[worker].Find(ctx, nil, pairs[i].From, pairs[i].To); err != nil {
				once.Do(func() { failed = err; cancel() })
			}
		}
	})
	return paths, failed
}

// PathsBySource returns a shortest path for every pair, nil where there is none, from
// searches of up to hops.MaxRoots sources at once.
func PathsBySource(ctx context.Context, g *graph.Graph, s ManySearcher, pairs []Pair) ([][]hops.Vertex, error) {
	bySource, err := groupBySource(g, pairs)
	if err != nil {
		return nil, err
	}
	paths, d := make([][]hops.Vertex, len(pairs)), hops.NewDepths(g.NumVertices())
	for _, batch := range many.Batches(g, Sources(pairs)) {
		if _, err := s.Search(ctx, batch, d); err != nil {
			return nil, fmt.Errorf("query: paths: %w", err)
		}
		for root, from := range batch {
			for _, i := range bySource[from] {
				paths[i] = d.PathTo(g, root, pairs[i].To)
			}
		}
	}
	return paths, nil
}

// PathsByTree is PathsBySource by an engine that searches from one source at a time.
func PathsByTree(ctx context.Context, g *graph.Graph, s Searcher, pairs []Pair) ([][]hops.Vertex, error) {
	bySource, err := groupBySource(g, pairs)
	if err != nil {
		return nil, err
	}
	tree, err := newTree(s, g.NumVertices())
	if err != nil {
		return nil, err
	}
	paths := make([][]hops.Vertex, len(pairs))
	for _, from := range Sources(pairs) {
		tree.Reset()
		if _, err := s.Search(ctx, from, tree); err != nil {
			return nil, fmt.Errorf("query: paths: %w", err)
		}
		for _, i := range bySource[from] {
			paths[i] = tree.PathTo(pairs[i].To)
		}
	}
	return paths, nil
}

// groupBySource returns the numbers of the pairs that start from each vertex.
func groupBySource(g *graph.Graph, pairs []Pair) (map[hops.Vertex][]int, error) {
	bySource := map[hops.Vertex][]int{}
	for i, p := range pairs {
		if end := max(p.From, p.To); end >= g.NumVertices() {
			return nil, fmt.Errorf("query: paths: vertex %d: the graph has %d", end, g.NumVertices())
		}
		bySource[p.From] = append(bySource[p.From], i)
	}
	return bySource, nil
}

// Sources are the vertices from which pairs start, each once, in ascending order.
func Sources(pairs []Pair) []hops.Vertex {
	all := make([]hops.Vertex, len(pairs))
	for i, p := range pairs {
		all[i] = p.From
	}
	slices.Sort(all)
	return slices.Compact(all)
}
