package projection

import (
	"context"
	"fmt"
	"slices"

	"github.com/gohops/hops/graph500"
)

// A Training says what a Model is learned from: searches on twins, whose counts and model
// times are the same on every host.
type Training struct {
	Scales []int // of the benchmark's graph, ascending
	Roots  int   // searches of each

	// Open opens an engine by its name and options.
	Open func(engine string) (graph500.Engine, error)

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

// checkTwin compares the twin of a host like this one with ranks that really run, as many
// as the host has processors for.
func (t Training) checkTwin(ctx context.Context) (checks []Check, err error) {
	scale := t.Scales[len(t.Scales)-1]
	for _, ranks := range []int{1, 2} {
		var took [2]float64
		for i, spec := range []string{"twin=host,pernode=%d", "threads=1,ranks=%d"} {
			searches, err := t.search(ctx, scale, fmt.Sprintf("cluster:exchange=allgather,"+spec, ranks))
			if err != nil {
				return nil, err
			}
			for _, s := range searches {
				took[i] += s.Time.Seconds() / float64(len(searches))
			}
		}
		unit := "ranks"
		if ranks == 1 {
			unit = "rank"
		}
		what := fmt.Sprintf("time of a search on %d %s of one host at scale %d, by its twin", ranks, unit, scale)
		checks = append(checks, Check{what, "s", took[0], took[1], "measured here, mean"})
	}
	return checks, nil
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
