package calibration

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// An Explorer is a searcher that can time every step on every level of a search.
// It takes the levels in the way of the policy that knows no machine.
type Explorer interface {
	Steps() []level.Step
	Explore(ctx context.Context, root hops.Vertex, runs int) ([]level.Exploration, error)
	Close() error
}

// Build makes an Explorer for a graph.
type Build func(ctx context.Context, src hops.Source) (Explorer, error)

// Learn explores the graphs of a plan and fits a model to half of the searches;
// the other half tells how good it is. advance hears how many searches are done.
func Learn(ctx context.Context, p Plan, build Build, advance func(done int64)) (*Calibration, error) {
	start := time.Now()
	graphs, err := p.graphs()
	if err != nil {
		return nil, err
	}
	e := exploration{plan: p, advance: advance}
	if err := e.exploreAll(ctx, graphs, build); err != nil {
		return nil, err
	}
	c, err := e.conclude()
	if err != nil {
		return nil, err
	}
	c.Learned, c.Took = start, time.Since(start)
	return c, nil
}

// An exploration collects the levels of all graphs.
type exploration struct {
	plan       Plan
	advance    func(done int64)
	done       int64
	steps      []level.Step
	graphs     []explored
	rehearsals []level.Rehearsal // of several devices
}

// exploreAll stops early where a device has nothing to offer.
func (e *exploration) exploreAll(ctx context.Context, graphs []training, build Build) error {
	for _, g := range graphs {
		if err := e.explore(ctx, g, build); err != nil {
			return fmt.Errorf("calibration: %s: %w", g.name, err)
		}
		if e.pointless() {
			break
		}
	}
	return nil
}

// explored are the levels of one graph.
type explored struct {
	name          string
	probe         bool
	learned, held []level.Exploration
}

const (
	// fewLevels is what a search from an isolated vertex, or into a handful of
	// others, does not exceed: there is nothing to decide in it.
	fewLevels = 2
	// attempts for every root wanted, before a graph is taken to have no more:
	// half of the vertices of a Kronecker graph are isolated.
	attempts = 64
)

func (e *exploration) explore(ctx context.Context, g training, build Build) error {
	s, err := build(ctx, g.Source)
	if err != nil {
		return err
	}
	defer s.Close()
	e.steps = s.Steps()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // not while levels are timed
	out := explored{name: g.name, probe: g.probe}
	r := rand.New(rand.NewPCG(uint64(g.NumVertices()), uint64(g.NumEdges())))
	taken := 0
	for range attempts * g.roots {
		root := hops.Vertex(r.Uint64N(uint64(g.NumVertices())))
		levels, err := s.Explore(ctx, root, e.plan.Runs)
		if err != nil {
			return err
		}
		if len(levels) <= fewLevels {
			continue
		}
		if err := e.rehearse(ctx, s, root, g.probe); err != nil {
			return err
		}
		if taken%2 == 0 {
			out.learned = append(out.learned, levels...)
		} else {
			out.held = append(out.held, levels...)
		}
		taken++
		e.done++
		e.advance(e.done)
		if taken == g.roots {
			break
		}
	}
	e.graphs = append(e.graphs, out)
	return nil
}

// conclude fits the model and judges it.
func (e *exploration) conclude() (*Calibration, error) {
	var learned, weighed, held []level.Exploration
	for _, g := range e.graphs {
		learned, held = append(learned, g.learned...), append(held, g.held...)
		weighed = append(weighed, alike(g.learned)...)
	}
	m, err := level.Fit(level.Samples(learned, e.steps))
	if err != nil {
		return nil, fmt.Errorf("calibration: %w", err)
	}
	m = m.Tune(weighed, e.steps)
	c := &Calibration{DeviceModel: level.DeviceModel{Steps: m}, Alpha: alpha(learned, e.steps), Fit: judge(m, level.Samples(held, e.steps))}
	for _, g := range e.graphs {
		r := e.regret(g.held, m)
		c.Graphs = append(c.Graphs, Graph{g.name, len(g.learned) + len(g.held), r})
		c.Regret.Without += r.Without / float64(len(e.graphs))
		c.Regret.With += r.With / float64(len(e.graphs))
	}
	return c, nil
}

// alike returns the levels of a graph with times in parts of what the best steps
// take for all of them, so that tuning cares for small graphs as for large ones.
func alike(levels []level.Exploration) []level.Exploration {
	const whole = float64(time.Hour)
	var best time.Duration
	for _, l := range levels {
		best += slices.Min(l.Times)
	}
	weighed := slices.Clone(levels)
	for i := range weighed {
		weighed[i].Times = slices.Clone(weighed[i].Times)
		for j, t := range weighed[i].Times {
			weighed[i].Times[j] = time.Duration(whole * float64(t) / float64(max(best, 1)))
		}
	}
	return weighed
}

func (e *exploration) regret(levels []level.Exploration, m level.Model) Regret {
	return Regret{
		Without: 100 * level.Regret(levels),
		With:    100 * level.Regret(level.Choose(levels, m, e.steps)),
	}
}

// alpha is the share of the remaining row entries that bottom-up levels look at
// where they are the best choice.
func alpha(levels []level.Exploration, steps []level.Step) float64 {
	var looked, remaining float64
	for _, l := range levels {
		if best := slices.Index(l.Times, slices.Min(l.Times)); steps[best].Direction == level.BottomUp {
			looked += float64(l.Front.Work[level.BottomUp])
			remaining += float64(l.Front.Remaining)
		}
	}
	return looked / max(remaining, 1)
}
