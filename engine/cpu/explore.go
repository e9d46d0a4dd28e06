package cpu

import (
	"context"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/learn"
	"github.com/gohops/hops/level"
)

// Steps are the ways in which this engine can run a level.
func Steps() []level.Step { return slices.Clone(steps) }

// Steps are those of the engine.
func (s *Searcher) Steps() []level.Step { return Steps() }

// Explore searches from root and times every step on every level, runs times
// each.
func (s *Searcher) Explore(ctx context.Context, root hops.Vertex, runs int) ([]learn.Exploration, error) {
	t := hops.NewTree(s.graph.NumVertices())
	s.m.parents = t.Narrow
	defer func() { s.m.parents = nil }()
	return learn.Explore(ctx, s.m, s.policy, root, runs, t.Reset)
}
