package graph500

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
)

// rules are what validates a tree, and what counts the edges within a tree that is
// not validated.
type rules interface {
	Tree(ctx context.Context, t *hops.Tree) (check.Result, error)
	Paths(ctx context.Context, p *hops.Paths) (check.Result, error)
	Traversed(ctx context.Context, t *hops.Tree) (edges, loops int64, err error)
	Close()
}

// rules returns the rules for whole trees, or for trees in parts.
func (b *bench) rules(edges hops.Source) rules {
	if b.comm.Size() > 1 {
		return check.NewParts(edges, b.engine.Threads, b.comm)
	}
	return check.New(edges, b.engine.Threads)
}

// judge completes a search by what its tree shows: it validates the tree against the
// edge list, which also counts the edges traversed. With validation off they are
// still counted.
func (b *bench) judge(ctx context.Context, rules rules, tree *hops.Tree, s *Search) (err error) {
	return b.judgeBy(ctx, rules, tree, func() (check.Result, error) { return rules.Tree(ctx, tree) }, s)
}

// judgeBy is judge by a function that validates the tree and what belongs to it.
func (b *bench) judgeBy(ctx context.Context, rules rules, tree *hops.Tree, validate func() (check.Result, error), s *Search) (err error) {
	if b.cfg.SkipValidation {
		s.Edges, s.Loops, err = rules.Traversed(ctx, tree)
		return err
	}
	start := time.Now()
	found, err := validate()
	s.Validate = time.Since(start)
	s.Vertices, s.Edges, s.Loops, s.Depths = found.Vertices, found.Edges, found.Loops, found.Levels
	if err == nil && tree.Root != s.Root {
		err = fmt.Errorf("graph500: asked for the tree of root %d, got that of %d: %w", s.Root, tree.Root, ErrInvalid)
	}
	if broken := (*check.Error)(nil); errors.As(err, &broken) {
		err = fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return err
}
