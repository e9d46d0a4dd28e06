package projection

import (
	"context"
	"fmt"
	"slices"

	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/papers/bench"
	"github.com/gohops/hops/stats"
)

// A Training says what a Model is learned from: searches on twins, whose counts and model
// times are the same on every host.
type Training struct {
	Scales []int // of the benchmark's graph, ascending
	Roots  int   // searches of each

	// Open opens an engine by its name and options.
	Open func(engine string) (graph500.Engine, error)

	// Real are ranks that really run, which the twin of a host is compared with at one scale.
	Real      []Ranks
	RealScale int

	// Phase and Advance follow the work.
	Phase   func(name string, total int64, unit string)
	Advance func(done int64)
}

// learnedRanks is the number of ranks whose traffic is learned. checkedRanks are
// compared with what the model expects of them.
const learnedRanks = 4

var checkedRanks = []int{2, 8}

// Learn runs searches on twins and fits a model to them. The checks compare the model
// with the largest scale, fitted without it, and with other numbers of ranks.
func (t Training) Learn(ctx context.Context) (*Model, []Check, error) {
	t.Phase("measure", int64(len(t.Scales)), "scales")
	engine, err := t.Open(NodeEngine)
	if err != nil {
		return nil, nil, err
	}
	searches, err := Measure(ctx, engine, t.Scales, t.Roots, func(n int) { t.Advance(int64(n)) })
	if err != nil {
		return nil, nil, err
	}
	checks, err := HeldOut(searches, t.Scales[len(t.Scales)-1])
	if err != nil {
		return nil, nil, err
	}
	m, err := Fit(searches)
	if err != nil {
		return nil, nil, err
	}
	more, err := t.learnTraffic(ctx, m)
	if err == nil {
		err = t.learnImbalance(ctx, m)
	}
	if err != nil {
		return nil, nil, err
	}
	twins, err := t.checkTwin(ctx)
	return m, slices.Concat(checks, more, twins), err
}

// learnTraffic learns what some ranks send each other, and checks that against others.
func (t Training) learnTraffic(ctx context.Context, m *Model) (checks []Check, err error) {
	t.Phase("ranks", int64(1+len(checkedRanks)), "numbers of ranks")
	scale := t.Scales[len(t.Scales)-2]
	for i, ranks := range append([]int{learnedRanks}, checkedRanks...) {
		searches, err := t.onTwin(ctx, TwinRun{ranks, scale})
		if err != nil {
			return nil, err
		}
		if i == 0 {
			m.LearnTraffic(scale, ranks, searches)
		} else {
			checks = append(checks, m.OtherRanks(scale, ranks, searches)...)
		}
		t.Advance(int64(i) + 1)
	}
	return checks, nil
}

// learnImbalance learns how far the nodes of twins differ.
func (t Training) learnImbalance(ctx context.Context, m *Model) error {
	runs := TwinRuns(t.Scales[len(t.Scales)-2])
	t.Phase("twins", int64(len(runs)), "sizes")
	searches := make([][]graph500.Search, len(runs))
	for i, run := range runs {
		var err error
		if searches[i], err = t.onTwin(ctx, run); err != nil {
			return err
		}
		t.Advance(int64(i) + 1)
	}
	m.LearnImbalance(runs, searches)
	return nil
}

// Ranks that really run, which the twin of a host is compared with.
type Ranks struct {
	Kind string // "ranks in one process"
	Most int    // that have a processor each
	Open func(engine string) (graph500.Engine, error)
}

// exchanges are the ways to exchange that the twin of a host is checked with.
var exchanges = []string{"allgather", "probe"}

// checkTwin compares the twin of a host with ranks that really run, from one to the most.
func (t Training) checkTwin(ctx context.Context) (checks []Check, err error) {
	for _, real := range t.Real {
		for ranks := 1; ranks <= real.Most; ranks *= 2 {
			more, err := t.checkRanks(ctx, real, ranks)
			if err != nil {
				return nil, err
			}
			checks = append(checks, more...)
		}
	}
	return checks, nil
}

func (t Training) checkRanks(ctx context.Context, real Ranks, ranks int) (checks []Check, err error) {
	var engines []graph500.Engine
	for _, exchange := range exchanges {
		twin, err := t.Open(fmt.Sprintf("cluster:twin=host,pernode=%d,exchange=%s", ranks, exchange))
		if err != nil {
			return nil, err
		}
		there, err := real.Open(fmt.Sprintf("cluster:ranks=%d,threads=1,exchange=%s", ranks, exchange))
		if err != nil {
			return nil, err
		}
		engines = append(engines, twin, there)
	}
	took, err := t.medians(ctx, engines)
	for i, exchange := range exchanges {
		what := fmt.Sprintf("time of a search at scale %d, exchange=%s, by the twin of a host; %s: %d", t.RealScale, exchange, real.Kind, ranks)
		checks = append(checks, Check{what, "s", took[2*i], took[2*i+1], "measured here, median"})
	}
	return checks, err
}

// medians returns the median time of a search of each engine, in seconds.
func (t Training) medians(ctx context.Context, engines []graph500.Engine) ([]float64, error) {
	took, medians := make([][]float64, len(engines)), make([]float64, len(engines))
	src, err := edge.NewKronecker(t.RealScale, graph500.DefaultEdgeFactor, graph500.DefaultSeeds[0], graph500.DefaultSeeds[1])
	if err != nil {
		return medians, err
	}
	roots, err := bench.Roots(ctx, src, t.Roots)
	if err != nil {
		return medians, err
	}
	c, err := bench.Compare(ctx, src, engines, bench.Options{Roots: roots, Rounds: 3})
	if err != nil {
		return medians, err
	}
	for _, s := range c.Searches {
		took[s.Entrant] = append(took[s.Entrant], s.Time.Seconds())
	}
	for i := range took {
		medians[i] = stats.Summarize(took[i]).Median
	}
	return medians, nil
}

// twinRoots is the number of searches on a twin, at most: their times do not vary.
const twinRoots = 4

func (t Training) onTwin(ctx context.Context, run TwinRun) ([]graph500.Search, error) {
	return t.search(ctx, run.Scale, run.Engine())
}

func (t Training) search(ctx context.Context, scale int, spec string) ([]graph500.Search, error) {
	engine, err := t.Open(spec)
	if err != nil {
		return nil, err
	}
	res, err := graph500.Run(ctx, graph500.Config{Scale: scale, Roots: min(t.Roots, twinRoots)}, engine, nil)
	if err != nil {
		return nil, err
	}
	return res.Searches, nil
}

// Measure runs the benchmark at every scale, with so many validated searches each,
// and returns them.
func Measure(ctx context.Context, engine graph500.Engine, scales []int, roots int, done func(n int)) ([]Observation, error) {
	var all []Observation
	for i, scale := range scales {
		res, err := graph500.Run(ctx, graph500.Config{Scale: scale, Roots: roots}, engine, nil)
		if err != nil {
			return nil, fmt.Errorf("projection: scale %d: %w", scale, err)
		}
		for _, s := range res.Searches {
			all = append(all, Observation{scale, s})
		}
		done(i + 1)
	}
	return all, nil
}
