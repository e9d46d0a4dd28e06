package distributed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/par"
	"github.com/gohops/hops/internal/rank"
)

// defaultRanks is the number of ranks of a Searcher by default.
const defaultRanks = 2

// A Searcher runs all ranks inside this process.
type Searcher struct {
	Ranks []*Rank
	comms []rank.Comm
	team  *par.Team // one worker for each rank
	n     hops.Vertex
}

// Build is kernel 1 with some ranks inside this process, on hosts that are pretended;
// 0 is the default of either.
func Build(ctx context.Context, src hops.Source, ranks, hosts int, e Engine) (*Searcher, error) {
	if e.Invalid != nil {
		return nil, e.Invalid
	}
	comms, err := rank.Local(cmp.Or(ranks, defaultRanks), cmp.Or(hosts, 1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Name, err)
	}
	return BuildOn(ctx, src, comms, e)
}

// BuildOn is Build with given comms, which it closes in the end.
func BuildOn(ctx context.Context, src hops.Source, comms []rank.Comm, e Engine) (*Searcher, error) {
	e.inProcess = true
	s := &Searcher{Ranks: make([]*Rank, len(comms)), comms: comms, n: src.NumVertices()}
	s.team = par.NewTeam(len(comms), nil)
	err := s.Together(func(r int) (err error) {
		s.Ranks[r], err = Join(ctx, comms[r], src, e)
		return err
	})
	if err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// Together runs f for every rank and returns the error that was first in time.
func (s *Searcher) Together(f func(rank int) error) error {
	errs := make([]error, len(s.comms))
	s.team.Run(func(r int) { errs[r] = f(r) })
	for _, err := range errs {
		// The others have failed because this one did.
		if other := (*rank.Failure)(nil); err != nil && !errors.As(err, &other) {
			return err
		}
	}
	return errors.Join(errs...)
}

// NewTree returns an empty tree for all vertices.
func (s *Searcher) NewTree() (*hops.Tree, error) { return s.Ranks[0].newTree(0, s.n), nil }

// Search is kernel 2. The ranks fill their parts of one tree.
func (s *Searcher) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	if hops.Vertex(t.Len()) != s.n || t.First != 0 {
		return hops.Trace{}, fmt.Errorf("%s: the tree has room for %d of %d vertices", s.Ranks[0].Engine, t.Len(), s.n)
	}
	t.Root = root
	traces := make([]hops.Trace, len(s.Ranks))
	err := s.Together(func(r int) (err error) {
		part := hops.Tree{Narrow: t.Narrow, Wide: t.Wide}
		traces[r], err = s.Ranks[r].Search(ctx, root, &part)
		return err
	})
	return traces[0], err
}

// Memory adds the ranks up.
func (s *Searcher) Memory() (finished, peak int64) {
	for _, r := range s.Ranks {
		live, most := r.Memory()
		finished, peak = finished+live, peak+most
	}
	return finished, peak
}

// Close releases everything.
func (s *Searcher) Close() error {
	for _, r := range slices.Backward(s.Ranks) {
		if r != nil {
			_ = r.Close()
		}
	}
	for _, c := range s.comms {
		_ = c.Close()
	}
	s.team.Close()
	return nil
}
