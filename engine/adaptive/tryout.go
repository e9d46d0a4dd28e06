package adaptive

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// Where a search should begin cannot be told from its root. The number of its levels
// decides, and how evenly they are filled: of graphs of a million vertices the host is
// faster in a star and the device in all others that were measured, by three in a
// grid. Costs fitted to the sizes of graphs were wrong by as much. So it is tried, when
// the engine is composed: a few searches in every way, of which the fastest stays.

// A start is a way to begin.
type start uint8

const (
	onHost    start = iota // and wherever the model says from then on
	onDevice               // with a burst, if it can run them
	hostAlone              // with the host's own search: nobody is asked
	toBeTried
)

func (w start) String() string { return [...]string{"host and device", "device", "host alone"}[w] }

// A Trial is what it takes to search in one way, from roots that were drawn.
type Trial struct {
	Start string
	Time  time.Duration // the sum over the roots of the medians; 0: too long to wait for

	start start
	times [][]time.Duration // by root
	lost  bool              // it took so long that it is not tried any more
}

// Trials are those that decided where searches begin, the chosen one first.
func (s *Searcher) Trials() []Trial { return s.trials }

const (
	candidates = 4  // are searched from, and
	triedRoots = 2  // that reach the most are tried,
	triedRuns  = 5  // so many times each.
	drawn      = 64 // vertices are looked at for one that is not isolated.
	// After so long nothing is repeated.
	triedTime = 100 * time.Millisecond
	// Whoever takes so many times as long as others, and a while, is not waited for.
	givenUp = 4
	while   = 5 * time.Millisecond
	// To share a search must be so much faster than to leave it alone.
	worthSharing = 0.95
)

// begin makes searches begin in some way.
func (s *Searcher) begin(w start) {
	s.policy, s.ask = s.shared, every
	switch {
	case w == hostAlone:
		s.policy, s.ask = level.Plan{hostBurst}, nil
	case s.chooser != nil:
		s.ask, s.chooser.device = s.chooser.ask, w == onDevice
	}
	s.leads = w == onDevice && !s.machine.lent && s.options.Interval <= 1 && drivesItself(s.machine.steps)
	s.machine.host.Watch(s.ask)
}

// tryOut finds the way in which searches are fastest. The ways take turns: what runs
// before leaves its traces in caches and clocks, as it will when there is something
// to do between searches.
func (s *Searcher) tryOut(ctx context.Context) (err error) {
	if s.own, err = s.NewTree(); err != nil {
		return err
	}
	ways := []start{hostAlone, onHost}
	if drivesItself(s.machine.steps) {
		ways = []start{onDevice, hostAlone, onHost}
	}
	s.begin(ways[0])
	until := time.Now().Add(triedTime)
	roots, err := s.draw(ctx, until)
	if err != nil || len(roots) == 0 {
		s.begin(hostAlone)
		return err
	}
	for _, w := range ways {
		s.trials = append(s.trials, Trial{Start: w.String(), start: w, times: make([][]time.Duration, len(roots))})
	}
	for run := 0; run < triedRuns && (run == 0 || time.Now().Before(until)); run++ {
		for i, root := range roots {
			if err := s.tryAll(ctx, i, root); err != nil {
				return err
			}
		}
	}
	s.choose()
	return nil
}

// draw returns roots from which much is reached, of some that are drawn at random: a
// search that ends at once says nothing of others, and matters little.
func (s *Searcher) draw(ctx context.Context, until time.Time) ([]hops.Vertex, error) {
	type drawnRoot struct {
		hops.Vertex
		found int64
	}
	n := s.own.Len()
	r := rand.New(rand.NewPCG(uint64(n), 1))
	var of []drawnRoot
	for looks := 0; looks < drawn && len(of) < candidates && n > 0; looks++ {
		root := hops.Vertex(r.IntN(n))
		if s.machine.host.Isolated(root) {
			continue
		}
		s.own.Reset()
		trace, err := s.Search(ctx, root, s.own)
		if err != nil {
			return nil, err
		}
		if of = append(of, drawnRoot{root, trace.Found()}); time.Now().After(until) {
			break
		}
	}
	slices.SortStableFunc(of, func(a, b drawnRoot) int { return cmp.Compare(b.found, a.found) })
	var roots []hops.Vertex
	for _, d := range of[:min(len(of), triedRoots)] {
		roots = append(roots, d.Vertex)
	}
	return roots, nil
}

// tryAll searches from the i-th root once in every way that is not lost.
func (s *Searcher) tryAll(ctx context.Context, i int, root hops.Vertex) error {
	patience := 24 * time.Hour
	for k := range s.trials {
		t := &s.trials[k]
		if t.lost {
			continue
		}
		s.begin(t.start)
		took, err := s.timed(ctx, root, patience)
		if err != nil {
			return err
		}
		t.lost = took > patience
		t.times[i] = append(t.times[i], took)
		patience = min(patience, givenUp*took+while)
	}
	return nil
}

// timed is what a search takes, or a little more than there is patience for.
func (s *Searcher) timed(ctx context.Context, root hops.Vertex, patience time.Duration) (time.Duration, error) {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	s.own.Reset()
	began := time.Now()
	_, err := s.Search(limited, root, s.own)
	took := time.Since(began)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return max(took, patience+1), nil
	}
	return took, err
}

// choose lets searches begin in the way that was fastest.
func (s *Searcher) choose() {
	worth := func(t Trial) float64 {
		switch {
		case t.lost:
			return math.Inf(1)
		case t.start == onHost:
			return float64(t.Time) / worthSharing
		}
		return float64(t.Time)
	}
	for k := range s.trials {
		t := &s.trials[k]
		for _, times := range t.times {
			if !t.lost {
				t.Time += median(times)
			}
		}
	}
	slices.SortStableFunc(s.trials, func(a, b Trial) int { return cmp.Compare(worth(a), worth(b)) })
	s.begin(s.trials[0].start)
}
