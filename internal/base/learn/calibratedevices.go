package learn

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/level"
)

// A Rehearser is an Explorer whose steps run on several devices.
type Rehearser interface {
	Explorer
	Rehearse(ctx context.Context, root hops.Vertex, runs int) (Rehearsal, error)
	// Judge compares the search by the model with the best steps in hindsight.
	Judge(ctx context.Context, root hops.Vertex, runs int) (Judgement, error)
}

// BuildMixed makes a Rehearser for a graph, which decides by a model if there is
// one already.
type BuildMixed func(ctx context.Context, src hops.Source, m *DeviceModel) (Rehearser, error)

const (
	// pathLength is the length of the path along which small levels, and the start
	// of a device, are measured. Where the path shows that the device is hopeless, as
	// a processor in the role of a GPU is, nothing else is learned.
	pathLength = 1 << 12
	pathRoots  = 2
)

// CalibrateDevices is Calibrate for a host and a device together. It learns from half
// of the searches. The other half is then run by the model, handovers included, and
// compared with every step on every level.
//
// The calibration of the host alone serves if the device turns out to be useless.
func CalibrateDevices(ctx context.Context, set TrainingSet, build BuildMixed, host *Calibration, advance func(done int64)) (*Calibration, error) {
	start := time.Now()
	graphs, err := set.mixedGraphs()
	if err != nil {
		return nil, err
	}
	e := session{set: set, advance: advance}
	for _, g := range graphs {
		if err := e.rehearse(ctx, g, build); err != nil {
			return nil, fmt.Errorf("learn: %s: %w", g.name, err)
		}
		if e.pointless() {
			break
		}
	}
	c := e.concludeDevices(host)
	for i := range e.graphs {
		if err := e.judge(ctx, &e.graphs[i], build, &c.DeviceModel); err != nil {
			return nil, fmt.Errorf("learn: %s: %w", e.graphs[i].name, err)
		}
	}
	e.judgeDevices(c, host.Regrets)
	c.Learned, c.Took = start, time.Since(start)
	return c, nil
}

// smallScale is the scale of the first Kronecker graph: a useless device shows there,
// before anything takes long.
const smallScale = 12

// mixedGraphs are a path, a small graph, and those of the set.
func (p TrainingSet) mixedGraphs() ([]training, error) {
	graphs, err := p.graphs()
	if err != nil {
		return nil, err
	}
	k, err := edge.NewKronecker(smallScale, 16, 2, 3)
	return append([]training{path(), {fmt.Sprintf("Kronecker, scale %d", smallScale), p.Roots, k, false}}, graphs...), err
}

// MixedSearches is Searches for CalibrateDevices.
func (p TrainingSet) MixedSearches() int { return p.Searches() + pathRoots + p.Roots }

// path is a ring, so that all searches are equally long.
func path() training {
	var edges []hops.Edge
	for v := range hops.Vertex(2 * pathLength) {
		edges = append(edges, hops.Edge{U: v, V: (v + 1) % (2 * pathLength)})
	}
	return training{"ring", pathRoots, edge.List(edges, 2*pathLength), false}
}

// rehearse measures the searches of a graph that are to be learned from.
func (e *session) rehearse(ctx context.Context, g training, build BuildMixed) error {
	s, err := build(ctx, g.Source, nil)
	if err != nil {
		return err
	}
	defer s.Close()
	e.steps = s.Steps()
	x := newExplored(g)
	err = e.search(&x, (g.roots+1)/2, func(root hops.Vertex) (bool, error) {
		levels, err := s.Explore(ctx, root, e.set.Runs)
		if err != nil || !isLarge(levels) {
			return false, err
		}
		r, err := s.Rehearse(ctx, root, e.set.Runs)
		x.learned, e.rehearsals = append(x.learned, levels...), append(e.rehearsals, r)
		return true, err
	})
	e.graphs = append(e.graphs, x)
	return err
}

// judge measures the searches of a graph that were held out.
func (e *session) judge(ctx context.Context, x *explored, build BuildMixed, m *DeviceModel) error {
	if x.roots < 2 {
		return nil
	}
	s, err := build(ctx, x.Source, m)
	if err != nil {
		return err
	}
	defer s.Close()
	return e.search(x, x.roots/2, func(root hops.Vertex) (bool, error) {
		j, err := s.Judge(ctx, root, e.set.Runs)
		if err != nil || !isLarge(j.Levels) {
			return false, err
		}
		x.held = append(x.held, j.Levels...)
		x.judged.add(j)
		return true, nil
	})
}

const (
	// giveUpFactor is how many times as long as the host's best step a device's best
	// step may take, on a level longer than startLimit, before the device is given up.
	giveUpFactor = 20
	// startLimit is longer than any device takes to start.
	startLimit = time.Millisecond
)

// pointless tells whether the last graph has shown that nothing can be gained from
// the device.
func (e *session) pointless() bool {
	for _, l := range e.graphs[len(e.graphs)-1].learned {
		host, device := time.Hour, time.Hour
		for i, t := range l.Times {
			if e.steps[i].Device == "" {
				host = min(host, t)
			} else {
				device = min(device, t)
			}
		}
		if device > startLimit && device > giveUpFactor*host {
			return true
		}
	}
	return false
}

// concludeDevices fits the steps of both devices, and moves. The
// host's own model, which is tuned to decide between the steps of the host at the
// expense of their times, serves where the device was given up.
func (e *session) concludeDevices(host *Calibration) *Calibration {
	var learned []level.Exploration
	for _, g := range e.graphs {
		learned = append(learned, begun(g.learned)...)
	}
	samples := Samples(learned, e.steps)
	for _, r := range e.rehearsals {
		samples = append(samples, r.Levels...)
	}
	c := &Calibration{Alpha: alpha(learned, e.steps), Speeds: fitSpeeds(e.graphs, e.steps)}
	c.Steps, _ = Fit(samples) // nil if the device was hopelessFactor on every level
	if c.GivenUp = e.pointless(); c.GivenUp {
		c.Steps, c.Speeds = host.Steps, host.Speeds
	}
	c.Learn(e.rehearsals)
	return c
}

// begun leaves the first level out, in which a machine also clears the state of the
// search before.
func begun(levels []level.Exploration) []level.Exploration {
	return slices.DeleteFunc(slices.Clone(levels), func(l level.Exploration) bool { return l.Front.Depth == 0 })
}

// judgeDevices adds how good a calibration has proved. Its regret is the mean over
// the graphs, or that of the host where the device was given up.
func (e *session) judgeDevices(c *Calibration, host Regrets) {
	var held []level.Exploration
	e.addGraphs(c, func(g explored) Regrets {
		held = append(held, begun(g.held)...)
		return g.judged.regret()
	})
	if c.GivenUp {
		c.Regrets = host
	}
	c.Agreement = judge(c.Steps, Samples(held, e.steps))
}
