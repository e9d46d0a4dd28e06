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

// firstScale is that of the graph on which a device may show that it is not worth
// more of our time, as a processor that plays the GPU does.
const firstScale = 12

// LearnDevices is Learn for machines of a host and a device. The model of the host
// alone and its regret are for a device that turns out to be useless.
func LearnDevices(ctx context.Context, p Plan, build Build, host level.Model, regret Regret, advance func(done int64)) (*Calibration, error) {
	start := time.Now()
	graphs, err := p.graphs()
	if err != nil {
		return nil, err
	}
	first, err := edge.NewKronecker(min(firstScale, p.MinScale), 16, 2, 3)
	if err != nil {
		return nil, err
	}
	graphs = append([]training{{"Kronecker, first", p.Roots, first}}, graphs...)
	e := exploration{plan: p, advance: advance}
	if err := e.exploreAll(ctx, graphs, build); err != nil {
		return nil, err
	}
	c := e.concludeDevices(host, regret)
	c.Learned, c.Took = start, time.Since(start)
	return c, nil
}

// rehearse measures what several devices have beyond single levels.
func (e *exploration) rehearse(ctx context.Context, s Explorer, root hops.Vertex) error {
	r, ok := s.(Rehearser)
	if !ok {
		return nil
	}
	of, err := r.Rehearse(ctx, root, e.plan.Runs)
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
// host's own model is of no use here but where the device was given up: it is tuned
// to decide between the steps of the host, at the expense of their times. The first
// graph is too small to judge by.
func (e *exploration) concludeDevices(host level.Model, regret Regret) *Calibration {
	var learned, held []level.Exploration
	for _, g := range e.graphs {
		learned, held = append(learned, g.learned...), append(held, g.held...)
	}
	samples := level.Samples(learned, e.steps)
	for _, r := range e.rehearsals {
		samples = append(samples, r.Levels...)
	}
	c := &Calibration{Alpha: alpha(learned, e.steps)}
	m, err := level.Fit(samples)
	if len(e.graphs) == 1 || err != nil {
		m = host
	}
	c.Steps = m
	c.Learn(e.rehearsals)
	c.Fit = judge(m, level.Samples(held, e.steps))
	for i, g := range e.graphs {
		r := e.regret(g.held, m)
		c.Graphs = append(c.Graphs, Graph{g.name, len(g.learned) + len(g.held), r})
		if i > 0 {
			c.Regret.Without += r.Without / float64(len(e.graphs)-1)
			c.Regret.With += r.With / float64(len(e.graphs)-1)
		}
	}
	if len(e.graphs) == 1 {
		c.Regret = regret
	}
	return c
}
