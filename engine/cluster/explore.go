package cluster

import (
	"context"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// maxExplored is the number of levels up to which a search is explored: the
// levels of a longer one are all alike.
const maxExplored = 32

// Steps are the ways in which a level can be run.
func (s *Searcher) Steps() []level.Step { return s.ranks[0].m.Steps() }

// Explore searches from root and times every step on every level, runs times
// each.
func (s *Searcher) Explore(ctx context.Context, root hops.Vertex, runs int) ([]level.Exploration, error) {
	t := hops.NewTree(s.n)
	for _, r := range s.ranks {
		r.m.start(ctx, t)
	}
	return level.Explore(ctx, ensemble{s}, level.RuleOfThumb, root, runs, maxExplored, t.Reset)
}

// An ensemble is all ranks as one machine.
type ensemble struct{ *Searcher }

func (e ensemble) Seed(root hops.Vertex) (level.Front, error) {
	return e.all(func(m search) (level.Front, error) { return m.Seed(root) })
}

func (e ensemble) Run(s level.Step) (level.Front, error) {
	return e.all(func(m search) (level.Front, error) { return m.Run(s) })
}

func (e ensemble) all(f func(m search) (level.Front, error)) (level.Front, error) {
	fronts := make([]level.Front, len(e.ranks))
	err := e.together(func(r int) (err error) {
		fronts[r], err = f(e.ranks[r].m)
		return err
	})
	return fronts[0], err
}
