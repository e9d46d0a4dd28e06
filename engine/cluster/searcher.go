package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/internal/par"
	"github.com/gohops/hops/internal/rank"
	"github.com/gohops/hops/internal/tails"
)

// A Searcher runs all ranks inside this process.
type Searcher struct {
	comms []rank.Comm
	ranks []*Rank
	team  *par.Team // one worker for each rank
	n     hops.Vertex
}

// Build is kernel 1 with ranks inside this process.
func Build(ctx context.Context, src hops.Source, opts Options) (*Searcher, error) {
	if opts.Ranks == 0 {
		opts.Ranks = defaultRanks
	}
	opts.Threads, opts.pretended = opts.threads(opts.Ranks), true
	comms, err := rank.Local(opts.Ranks, max(1, opts.Hosts))
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	s := &Searcher{comms: comms, ranks: make([]*Rank, len(comms)), n: src.NumVertices()}
	s.team = par.NewTeam(len(comms), nil)
	err = s.together(func(r int) (err error) {
		s.ranks[r], err = Join(ctx, comms[r], src, opts)
		return err
	})
	if err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// Need is an upper bound of the bytes that Build and Search use for n vertices
// and m edges.
func Need(n hops.Vertex, m int64) int64 {
	const perVertex = 3*4 + 2 + 2 // queues and heads, prefixes, bitmaps
	return csr.Need(n, m) + int64(n)*perVertex + tails.Need(int64(n), 2*m)
}

// together runs f for every rank and returns the error that was first in time.
func (s *Searcher) together(f func(rank int) error) error {
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

// Search is kernel 2. The ranks fill their parts of one tree.
func (s *Searcher) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	if hops.Vertex(len(t.Narrow)) != s.n || t.First != 0 {
		return hops.Trace{}, fmt.Errorf("cluster: the tree has room for %d of %d vertices", len(t.Narrow), s.n)
	}
	t.Root = root
	traces := make([]hops.Trace, len(s.ranks))
	err := s.together(func(r int) (err error) {
		part := hops.Tree{Narrow: t.Narrow}
		traces[r], err = s.ranks[r].Search(ctx, root, &part)
		return err
	})
	return traces[0], err
}

// Memory adds the ranks up.
func (s *Searcher) Memory() (finished, peak int64) {
	for _, r := range s.ranks {
		live, most := r.Memory()
		finished, peak = finished+live, peak+most
	}
	return finished, peak
}

// Close releases everything.
func (s *Searcher) Close() error {
	for _, r := range slices.Backward(s.ranks) {
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
