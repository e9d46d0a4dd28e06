package distributed

import (
	"context"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/level"
)

// Steps are the ways in which a level can be run.
func (s *Searcher) Steps() []level.Step { return s.Ranks[0].Machine.Steps() }

// Explore searches from root and times every step on every level, runs times
// each.
func (s *Searcher) Explore(ctx context.Context, root hops.Vertex, runs int) ([]level.Exploration, error) {
	t, e := s.Ranks[0].newTree(0, s.n), Ensemble{s}
	e.Start(ctx, t)
	return learn.Explore(ctx, e, level.RuleOfThumb, root, runs, t.Reset)
}

// An Ensemble is all ranks as one machine.
type Ensemble struct{ *Searcher }

// Start prepares for filling a tree.
func (e Ensemble) Start(ctx context.Context, t *hops.Tree) {
	for _, r := range e.Ranks {
		r.start(ctx, t)
	}
}

// Seed implements level.Machine.
func (e Ensemble) Seed(root hops.Vertex) (front level.Front, err error) {
	err = e.Together(func(r int) error {
		f, err := e.Ranks[r].Machine.Seed(root)
		if r == 0 {
			front = f
		}
		return err
	})
	return front, err
}

// Run implements level.Machine.
func (e Ensemble) Run(s level.Step) (front level.Front, done level.Outcome, err error) {
	err = e.Together(func(r int) error {
		f, o, err := e.Ranks[r].Machine.Run(s)
		if r == 0 {
			front, done = f, o
		}
		return err
	})
	return front, done, err
}
