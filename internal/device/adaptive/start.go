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
// decides, and how evenly they are filled: in a star of a million vertices the host is as
// fast as the device; in all other graphs of that size that were measured it is slower,
// in a grid three times. Predictions from the sizes of graphs were wrong by as much. So the
// engine tries it on each graph when it is composed: a few searches from every start. The
// fastest start stays, as long as searches take about the time of the trials.

// A start is where searches begin, and who decides from then on.
type start uint8

const (
	onHost    start = iota // on the host, by the model
	onDevice               // on the device, by its own rule while it needs no host
	hostAlone              // on the host, by the host's own policy to the end
	toBeTried
)

func (w start) String() string { return [...]string{"host and device", "device", "host alone"}[w] }

// A Trial is the time of searches from one start.
type Trial struct {
	Start string
	Time  time.Duration // the median; 0 if trials were stopped because they took too long
}

// A candidate is a start on trial.
type candidate struct {
	start
	times    []time.Duration // of the trials
	median   time.Duration
	timeouts int // trials that were stopped
}

// Trials are the times that decided where searches begin, the chosen start first.
func (s *Searcher) Trials() (all []Trial) {
	for _, c := range s.starts {
		t := Trial{Start: c.start.String()}
		if !c.givenUp() {
			t.Time = c.median
		}
		all = append(all, t)
	}
	return all
}

const (
	drawnRoots  = 4  // roots drawn at random
	timedRoots  = 2  // how many of them, those that reach the most vertices, are timed
	timedRuns   = 5  // searches from each timed root and start
	maxDraws    = 64 // vertices drawn at most to find roots that are not isolated
	trialBudget = 100 * time.Millisecond

	// A trial is stopped when it has taken timeoutFactor times as long as the fastest
	// start and timeoutSlack more. A start is given up after two such trials, or after
	// one that took longer than timeoutLong.
	timeoutFactor = 4
	timeoutSlack  = 5 * time.Millisecond
	timeoutLong   = 25 * time.Millisecond

	// slowInRow is the number of consecutive slow searches after which the next best
	// start is taken.
	slowInRow = 3
	// sharingGain is the ratio of times below which a search shared by host and device
	// is preferred to one by either alone.
	sharingGain = 0.95
)

// begin makes searches begin at a start.
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

// tryOut finds the start from which searches are fastest. Starts alternate from search to
// search, so that each finds caches and clocks as other work leaves them.
func (s *Searcher) tryOut(ctx context.Context) (err error) {
	if s.own, err = s.NewTree(); err != nil {
		return err
	}
	starts := []start{hostAlone, onHost}
	if drivesItself(s.machine.steps) {
		starts = []start{onDevice, hostAlone, onHost}
	}
	s.begin(starts[0])
	until := time.Now().Add(trialBudget)
	roots, err := s.draw(ctx, until)
	if err != nil || len(roots) == 0 {
		s.begin(hostAlone)
		return err
	}
	var all []*candidate
	for _, w := range starts {
		all = append(all, &candidate{start: w})
	}
	for run := 0; run < timedRuns && (run == 0 || time.Now().Before(until)); run++ {
		for _, root := range roots {
			if err := s.tryAll(ctx, all, root); err != nil {
				return err
			}
		}
	}
	for _, c := range all {
		if !c.givenUp() {
			c.median = median(c.times)
		}
	}
	s.starts = all
	s.choose()
	return nil
}

// draw returns the farthest-reaching of some roots drawn at random: a search that ends at
// once says nothing of others, and matters little. Half of what they reach is minFound.
func (s *Searcher) draw(ctx context.Context, until time.Time) ([]hops.Vertex, error) {
	type drawnRoot struct {
		hops.Vertex
		found int64
	}
	n := s.own.Len()
	r := rand.New(rand.NewPCG(uint64(n), 1))
	var of []drawnRoot
	for looks := 0; looks < maxDraws && len(of) < drawnRoots && n > 0; looks++ {
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
	for _, d := range of[:min(len(of), timedRoots)] {
		roots, s.minFound = append(roots, d.Vertex), d.found/2
	}
	return roots, nil
}

// tryAll searches from a root once at every start that is not given up.
func (s *Searcher) tryAll(ctx context.Context, all []*candidate, root hops.Vertex) error {
	timeout := 24 * time.Hour
	for _, c := range all {
		if c.givenUp() {
			continue
		}
		s.begin(c.start)
		took, err := s.timed(ctx, root, timeout)
		if err != nil {
			return err
		}
		c.times = append(c.times, took)
		if took > timeout {
			c.timeouts++
		}
		if took > timeout && took > timeoutLong {
			c.timeouts++
		}
		timeout = min(timeout, timeoutFactor*took+timeoutSlack)
	}
	return nil
}

// timed is the time of a search, or a little more than timeout if that stopped it.
func (s *Searcher) timed(ctx context.Context, root hops.Vertex, timeout time.Duration) (time.Duration, error) {
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	s.own.Reset()
	began := time.Now()
	_, err := s.Search(limited, root, s.own)
	took := time.Since(began)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return max(took, timeout+1), nil
	}
	return took, err
}

// choose takes the fastest start. It stays until searches take longer than from the
// next best one.
func (s *Searcher) choose() {
	slices.SortStableFunc(s.starts, func(a, b *candidate) int { return cmp.Compare(a.rating(), b.rating()) })
	best, next := s.starts[0], s.starts[1]
	s.limit, s.slow = math.MaxInt64, 0
	if !next.givenUp() {
		s.limit = time.Duration(next.rating() * float64(best.median) / best.rating())
	}
	s.begin(best.start)
}

// observe is told how long a search took. After slowInRow searches in a row that took
// longer than the next best start would, that start is taken. Of a search within the
// limit it looks at nothing: bringing more into the caches would cost microseconds.
func (s *Searcher) observe(trace hops.Trace, took time.Duration) {
	if took <= s.limit {
		s.slow = 0
		return
	}
	if trace.Found() < s.minFound {
		return
	}
	if s.slow++; s.slow == slowInRow {
		s.starts[0].median = took
		s.choose()
	}
}

func (c *candidate) givenUp() bool { return c.timeouts > 1 }

// rating is the time that starts are compared by.
func (c *candidate) rating() float64 {
	switch {
	case c.givenUp():
		return math.Inf(1)
	case c.start == onHost:
		return float64(c.median) / sharingGain
	}
	return float64(c.median)
}
