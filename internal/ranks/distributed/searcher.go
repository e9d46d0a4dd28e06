package distributed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/internal/base/spec"
	"github.com/gohops/hops/internal/base/turn"
	"github.com/gohops/hops/internal/ranks/rank"
)

// defaultRanks is the number of ranks of a Searcher by default.
const defaultRanks = 2

// Workers returns how many ranks and workers an engine has in a layout, with so many
// threads for each rank: 0 is the default.
func (p Layout) Workers(threads int) (ranks, workers int64) {
	ranks = int64(cmp.Or(p.Ranks, defaultRanks))
	if p.Twin != nil {
		if nodes, perNode, err := p.Twin.Size(); err == nil { // Build says what is wrong
			ranks, threads = int64(nodes)*int64(perNode), 1
		}
	}
	if threads == 0 {
		threads = max(1, runtime.GOMAXPROCS(0)/int(ranks))
	}
	return ranks, ranks * int64(threads)
}

// Need is the memory that ranks and workers take in one process beside the graph:
// stacks, groups of ranks, buffers for what they send each other in construction, and
// for ranks of a twin what is under way between them.
func (p Layout) Need(threads int) int64 {
	const perRank, perPair, perWorker, perModelled = 1 << 20, 128, 1 << 20, 1 << 20
	ranks, workers := p.Workers(threads)
	need := ranks*perRank + ranks*workers*perPair + workers*perWorker
	if p.Twin != nil {
		need += ranks * perModelled
	}
	return need
}

// A Searcher runs all ranks inside this process.
type Searcher struct {
	Ranks []*Rank
	comms []rank.Comm
	team  *par.Team // one worker for each rank
	n     hops.Vertex
	turn  turn.Turn // of a search, or of Close
}

// A Layout says how many ranks are inside this process: on hosts that are pretended, or
// on a machine that is modelled, unless Twin is nil. 0 is the default of either number.
type Layout struct {
	Ranks, Hosts int
	Twin         Twin
}

// A Twin is a machine that is modelled, at some size. Ranks can run on it if it has a method
// Comms too, as that of package papers/twin has.
type Twin interface {
	Size() (nodes, perNode int, err error)
}

// Build is kernel 1 with ranks inside this process.
func Build(ctx context.Context, src hops.Source, p Layout, e Engine) (*Searcher, error) {
	if e.Invalid != nil {
		return nil, spec.Refuse(e.Invalid)
	}
	comms, err := p.comms()
	if err == nil && p.Twin != nil {
		if e.Threads > 1 || p.Ranks+p.Hosts > 0 {
			err = spec.Refuse(errors.New("ranks, hosts and threads are the twin's"))
		}
		e.Threads = 1 // for which the rates of the modelled processor stand
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Name, err)
	}
	return BuildOn(ctx, src, comms, e)
}

func (p Layout) comms() ([]rank.Comm, error) {
	if p.Twin != nil {
		on, ok := p.Twin.(interface{ Comms() ([]rank.Comm, error) })
		if !ok {
			return nil, spec.Refuse(fmt.Errorf("ranks cannot run on a twin of type %T", p.Twin))
		}
		return on.Comms()
	}
	comms, err := rank.Local(cmp.Or(p.Ranks, defaultRanks), cmp.Or(p.Hosts, 1))
	return comms, spec.Refuse(err)
}

// BuildOn is Build with given comms, which it closes in the end.
func BuildOn(ctx context.Context, src hops.Source, comms []rank.Comm, e Engine) (*Searcher, error) {
	e.inProcess = true
	s := &Searcher{Ranks: make([]*Rank, len(comms)), comms: comms, n: src.NumVertices()}
	s.team = par.NewInterlocked(len(comms), nil) // ranks wait for each other
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
	clocks := make([]rank.Clock, len(s.comms))
	for r, c := range s.comms {
		clocks[r], _ = rank.ClockOf(c)
		clocks[r].Enter()
	}
	s.team.Run(func(r int) {
		errs[r] = f(r)
		clocks[r].Leave()
	})
	for _, err := range errs {
		// The others have failed because this one did.
		if other := (*rank.Failure)(nil); err != nil && !errors.As(err, &other) {
			return err
		}
	}
	return errors.Join(errs...)
}

// NewTree returns an empty tree for all vertices.
func (s *Searcher) NewTree() (*hops.Tree, error) { return s.Ranks[0].emptyTree(0, s.n), nil }

// Clear empties a tree as its Reset does, with the threads of all ranks, which will fill it.
func (s *Searcher) Clear(t *hops.Tree) {
	if s.turn.Begin(s.Ranks[0].Engine) != nil {
		t.Reset()
		return
	}
	defer s.turn.End()
	t.Root = hops.NoVertex
	s.team.Run(func(r int) {
		part := hops.Tree{Narrow: shareOf(t.Narrow, r, len(s.Ranks)), Wide: shareOf(t.Wide, r, len(s.Ranks))}
		s.Ranks[r].Clear(&part)
	})
}

// LimitDepth ends the searches that follow after so many hops from the root; 0 means no
// limit.
func (s *Searcher) LimitDepth(hops int) {
	for _, r := range s.Ranks {
		r.LimitDepth(hops)
	}
}

// DeviceName describes the device of the first rank, if the ranks do not search on the
// host.
func (s *Searcher) DeviceName() string { return s.Ranks[0].DeviceName() }

// Search is kernel 2. The ranks fill their parts of one tree.
func (s *Searcher) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	if err := s.turn.Begin(s.Ranks[0].Engine); err != nil {
		return hops.Trace{}, err
	}
	defer s.turn.End()
	if err := t.Fits(s.n, s.Ranks[0].Wide); err != nil {
		return hops.Trace{}, fmt.Errorf("%s: %w", s.Ranks[0].Engine, err)
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

// Close waits for a search that is going on and releases everything.
func (s *Searcher) Close() error { return s.turn.Close(s.release) }

func (s *Searcher) release() error {
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
