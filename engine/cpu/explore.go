package cpu

import (
	"context"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// maxExplored is the number of levels up to which a search is explored: the
// levels of a longer one are all alike.
const maxExplored = 32

// Steps are the ways in which this engine can run a level.
func Steps() []level.Step { return slices.Clone(steps) }

// Steps are those of the engine.
func (s *Searcher) Steps() []level.Step { return Steps() }

// Explore searches from root and times every step on every level, runs times
// each.
func (s *Searcher) Explore(ctx context.Context, root hops.Vertex, runs int) ([]level.Exploration, error) {
	t := hops.NewTree(s.graph.NumVertices())
	s.m.parents = t.Narrow
	defer func() { s.m.parents = nil }()
	return level.Explore(ctx, s.m, s.policy, root, runs, maxExplored, t.Reset)
}
