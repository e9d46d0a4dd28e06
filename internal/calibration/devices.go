package calibration

import (
	"context"
	"slices"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/level"
)

// A Rehearser is an Explorer whose steps run on several devices.
type Rehearser interface {
	Explorer
	Rehearse(ctx context.Context, root hops.Vertex, runs int) (level.Rehearsal, error)
}

const (
	// pathLength is that of the path along which small levels are measured, and
	// how long a device takes to start. Where it shows that it is not worth more
	// of our time, as a processor that plays the GPU does, nothing else is learned.
	pathLength = 1 << 12
	pathRoots  = 2
)

// LearnDevices is Learn for machines of a host and a device. The model of the host
// alone and its regret are for a device that turns out to be useless.
func LearnDevices(ctx context.Context, p Plan, build Build, host level.Model, regret Regret, advance func(done int64)) (*Calibration, error) {
	start := time.Now()
	graphs, err := p.graphs()
	if err != nil {
		return nil, err
	}
	e := exploration{plan: p, advance: advance}
	if err := e.exploreAll(ctx, append([]training{path()}, graphs...), build); err != nil {
		return nil, err
	}
	c := e.concludeDevices(host, regret)
	c.Learned, c.Took = start, time.Since(start)
	return c, nil
}

// path is a ring, so that all searches are equally long.
func path() training {
	var edges []hops.Edge
	for v := range hops.Vertex(2 * pathLength) {
		edges = append(edges, hops.Edge{U: v, V: (v + 1) % (2 * pathLength)})
	}
	return training{"ring", pathRoots, edge.List(edges, 2*pathLength), true}
}

// rehearse measures what several devices have beyond single levels.
func (e *exploration) rehearse(ctx context.Context, s Explorer, root hops.Vertex, probe bool) error {
	r, ok := s.(Rehearser)
	if !ok {
		return nil
	}
	of, err := r.Rehearse(ctx, root, e.plan.Runs)
	if probe {
		of.Whole = nil
	}
	e.rehearsals = append(e.rehearsals, of)
	return err
}

const (
	// A device is given up if its best step takes so many times as long as the
	// host's on a level that is longer than any start of a device.
	givenUp   = 20
	longLevel = time.Millisecond
)

// pointless tells whether the last graph has shown that nothing can be gained from
// the device.
func (e *exploration) pointless() bool {
	if len(e.rehearsals) == 0 {
		return false
	}
	g := e.graphs[len(e.graphs)-1]
	for _, l := range slices.Concat(g.learned, g.held) {
		host, device := time.Hour, time.Hour
		for i, t := range l.Times {
			if e.steps[i].Device == "" {
				host = min(host, t)
			} else {
				device = min(device, t)
			}
		}
		if device > longLevel && device > givenUp*host {
			return true
		}
	}
	return false
}

// concludeDevices fits the steps of both devices, moves and whole searches. The
// host's own model, which is tuned to decide between the steps of the host at the
// expense of their times, serves where the device was given up.
func (e *exploration) concludeDevices(host level.Model, regret Regret) *Calibration {
	var learned, held []level.Exploration
	for _, g := range e.graphs {
		learned, held = append(learned, begun(g.learned)...), append(held, begun(g.held)...)
	}
	samples := level.Samples(learned, e.steps)
	for _, r := range e.rehearsals {
		samples = append(samples, r.Levels...)
	}
	c := &Calibration{Alpha: alpha(learned, e.steps), Regret: regret}
	m, _ := level.Fit(samples) // nil if the device was hopeless on every level
	if c.GivenUp = e.pointless(); c.GivenUp {
		m = host
	} else {
		c.Regret = e.judgeDevices(m)
	}
	c.Steps = m
	c.Learn(e.rehearsals)
	c.Fit = judge(m, level.Samples(held, e.steps))
	for _, g := range e.graphs {
		c.Graphs = append(c.Graphs, Graph{g.name, len(g.learned) + len(g.held), e.regret(g.held, m)})
	}
	return c
}

// begun leaves the first level out, in which a machine also clears the state of the
// search before: that is part of whole searches.
func begun(levels []level.Exploration) []level.Exploration {
	return slices.DeleteFunc(slices.Clone(levels), func(l level.Exploration) bool { return l.Front.Depth == 0 })
}

// judgeDevices is the mean regret over the graphs that are no probes.
func (e *exploration) judgeDevices(m level.Model) (mean Regret) {
	n := 0.0
	for _, g := range e.graphs {
		if !g.probe {
			r := e.regret(g.held, m)
			mean.Without, mean.With, n = mean.Without+r.Without, mean.With+r.With, n+1
		}
	}
	return Regret{mean.Without / max(n, 1), mean.With / max(n, 1)}
}
