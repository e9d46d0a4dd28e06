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
// as fast as the device in a star, and slower in all others that were measured, by three
// in a grid. Costs fitted to the sizes of graphs were wrong by as much. So it is tried,
// when the engine is composed: a few searches in every way, of which the fastest stays,
// as long as searches take what they took then.

// A start is a way to begin.
type start uint8

const (
	onHost    start = iota // and wherever the model says from then on
	onDevice               // with a burst, if it can run them
	hostAlone              // with the host's own search: nobody is asked
	toBeTried
)

func (w start) String() string { return [...]string{"host and device", "device", "host alone"}[w] }

// A Trial is what it takes to search in one way.
type Trial struct {
	Start string
	Time  time.Duration // the median of the searches; 0: too long to wait for
}

// A way is a start with what searches take that begin so.
type way struct {
	start
	times   []time.Duration // while it is tried
	median  time.Duration
	strikes int // how often it took so long that nobody waited
}

// Trials are what decided where searches begin, the chosen way first.
func (s *Searcher) Trials() (all []Trial) {
	for _, w := range s.ways {
		t := Trial{Start: w.start.String()}
		if !w.lost() {
			t.Time = w.median
		}
		all = append(all, t)
	}
	return all
}

const (
	candidates = 4  // are searched from, and
	triedRoots = 2  // that reach the most are tried,
	triedRuns  = 5  // so many times each.
	drawn      = 64 // vertices are looked at for one that is not isolated.
	// After so long nothing is repeated.
	triedTime = 100 * time.Millisecond
	// Whoever takes so many times as long as others, and a while, is not waited for,
	// and after the second time, or a long one, not tried again.
	givenUp = 4
	while   = 5 * time.Millisecond
	long    = 25 * time.Millisecond
	// So many slow searches in a row are no chance.
	noChance = 3
	// To share a search must be so much faster than to leave it alone.
	worthSharing = 0.95
)

// begin makes searches begin in some way.
func (s *Searcher) begin(w start) {
	s.policy, s.ask = s.shared, every
	switch {
	case w == hostAlone:
		s.policy, s.ask = level.Plan{hostLevels}, nil
	case s.chooser != nil:
		s.ask, s.chooser.device = s.chooser.ask, w == onDevice
	}
	s.leads = w == onDevice && !s.machine.shares && s.options.Interval <= 1 && drivesItself(s.machine.steps)
	s.machine.host.Watch(s.ask)
}

// tryOut finds the way in which searches are fastest. The ways take turns: what runs
// before leaves its traces in caches and clocks, as it will when there is something
// to do between searches.
func (s *Searcher) tryOut(ctx context.Context) (err error) {
	if s.own, err = s.NewTree(); err != nil {
		return err
	}
	starts := []start{hostAlone, onHost}
	if drivesItself(s.machine.steps) {
		starts = []start{onDevice, hostAlone, onHost}
	}
	s.begin(starts[0])
	until := time.Now().Add(triedTime)
	roots, err := s.draw(ctx, until)
	if err != nil || len(roots) == 0 {
		s.begin(hostAlone)
		return err
	}
	var ways []*way
	for _, w := range starts {
		ways = append(ways, &way{start: w})
	}
	for run := 0; run < triedRuns && (run == 0 || time.Now().Before(until)); run++ {
		for _, root := range roots {
			if err := s.tryAll(ctx, ways, root); err != nil {
				return err
			}
		}
	}
	for _, w := range ways {
		if !w.lost() {
			w.median = median(w.times)
		}
	}
	s.ways = ways
	s.choose()
	return nil
}

// draw returns roots from which much is reached, of some that are drawn at random: a
// search that ends at once says nothing of others, and matters little. What counts as
// much from then on is half of that.
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
		roots, s.much = append(roots, d.Vertex), d.found/2
	}
	return roots, nil
}

// tryAll searches from a root once in every way that is not lost.
func (s *Searcher) tryAll(ctx context.Context, ways []*way, root hops.Vertex) error {
	patience := 24 * time.Hour
	for _, w := range ways {
		if w.lost() {
			continue
		}
		s.begin(w.start)
		took, err := s.timed(ctx, root, patience)
		if err != nil {
			return err
		}
		w.times = append(w.times, took)
		if took > patience {
			w.strikes++
		}
		if took > patience && took > long {
			w.strikes++
		}
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

// choose lets searches begin in the way that is fastest, as long as they take less than
// in the next one.
func (s *Searcher) choose() {
	slices.SortStableFunc(s.ways, func(a, b *way) int { return cmp.Compare(a.worth(), b.worth()) })
	best, next := s.ways[0], s.ways[1]
	s.limit, s.slow = math.MaxInt64, 0
	if !next.lost() {
		s.limit = time.Duration(next.worth() * float64(best.median) / best.worth())
	}
	s.begin(best.start)
}

// observe is told how long a search took. If some in a row take longer than others did
// that were begun otherwise, the others have their turn. Of a search as it should be
// nothing is looked at: it would have to come into the caches first.
func (s *Searcher) observe(trace hops.Trace, took time.Duration) {
	if took <= s.limit {
		s.slow = 0
		return
	}
	if trace.Found() < s.much {
		return
	}
	if s.slow++; s.slow == noChance {
		s.ways[0].median = took
		s.choose()
	}
}

func (w *way) lost() bool { return w.strikes > 1 }

// worth is what ways are compared by.
func (w *way) worth() float64 {
	switch {
	case w.lost():
		return math.Inf(1)
	case w.start == onHost:
		return float64(w.median) / worthSharing
	}
	return float64(w.median)
}
