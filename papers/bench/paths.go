package bench

import (
	"context"
	"errors"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/spec"
)

// shortest searches for shortest paths by weight. The tree that it is given is that of its paths.
type shortest struct {
	graph500.PathSearcher
	paths *hops.Paths
}

func (s shortest) Search(ctx context.Context, root hops.Vertex, _ *hops.Tree) (hops.Trace, error) {
	return s.SearchPaths(ctx, root, s.paths)
}

// Clear implements graph500.TreeClearer.
func (s shortest) Clear(*hops.Tree) { graph500.ClearPaths(s.PathSearcher, s.paths) }

// weighted is the engine with kernel 1 for graphs with weights in place of its own.
func weighted(e graph500.Engine) (graph500.Engine, error) {
	if e.Weighted == nil {
		return e, spec.Refuse(errors.New("the engine has no kernel 3: it does not search for shortest paths"))
	}
	kernel1 := *e.Weighted
	e.Need = kernel1.Need
	e.Build = func(ctx context.Context, src hops.Source) (graph500.Searcher, error) {
		weights, ok := src.(hops.WeightedSource)
		if !ok {
			return nil, errors.New("the edges of the graph have no weights")
		}
		graph, err := kernel1.Build(ctx, weights)
		if err != nil {
			return nil, err
		}
		paths, err := graph500.NewPaths(graph, src.NumVertices())
		if err != nil {
			return nil, errors.Join(err, graph.Close())
		}
		return shortest{graph, paths}, nil
	}
	return e, nil
}
