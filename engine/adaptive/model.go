package adaptive

import (
	"time"

	"github.com/gohops/hops/level"
)

// A burst is a step that runs many levels: hostBurst small ones on the host, burst
// any on the device. Those that it ran are in traces, and in a model, by the names
// of its parts.
const (
	hostBurst     = "C"
	burstSmall    = "C.TC"
	burst         = "G"
	burstTopDown  = "G.TG"
	burstBottomUp = "G.BG"
	burstRest     = "G.rest"
)

// A chooser decides by a model. Where a search begins is decided by what a whole
// search takes, since nothing is known of its levels. After that each level is
// predicted on both sides. The search stays where it is until what that has cost,
// with the coming level, exceeds what a move costs: so a wrong place never costs
// more than about twice what a better one would, however long the search. Small
// levels are the host's, wherever it has the search.
type chooser struct {
	model *level.DeviceModel
	owed  time.Duration // what staying has cost so far
	depth int32         // of the last choice
	small level.Step    // the burst of the host, if it has one
}

// Next implements level.Policy. It is to be asked about every level of a search,
// from the root on.
func (c *chooser) Next(f level.Front, steps []level.Step) level.Step {
	if f.Depth == 0 {
		return c.begin(f, steps)
	}
	levels := time.Duration(1)
	if f.Device != "" { // a burst there may have run many levels like this one
		levels = time.Duration(f.Depth - c.depth)
	}
	c.depth = f.Depth
	if f.Device == "" && f.Small() && c.small.Name != "" {
		c.owed = 0
		return c.small
	}
	here, there := c.best(f, steps, true), c.best(f, steps, false)
	if !here.known || !there.known {
		return here.step
	}
	c.owed = max(0, c.owed+levels*(here.time-there.time))
	if c.owed > 0 && c.owed > c.move(there.step.Device, f) {
		c.owed = 0
		return there.step
	}
	return here.step
}

// begin chooses where to begin, by the least time of a whole search.
func (c *chooser) begin(f level.Front, steps []level.Step) level.Step {
	c.owed, c.depth = 0, 0
	c.small, _ = named(steps, hostBurst)
	here, there := c.best(f, steps, true), c.best(f, steps, false)
	host, knowsHost := c.model.Whole[""]
	device, knowsDevice := c.model.Whole[there.step.Device]
	if there.known && knowsHost && knowsDevice && f.Edges > 0 && device.Time(level.WholeLoad(f)) < host.Time(level.WholeLoad(f)) {
		return there.step
	}
	if f.Small() && c.small.Name != "" {
		return c.small
	}
	return here.step
}

// move is what it takes to bring the search to a device.
func (c *chooser) move(device string, f level.Front) time.Duration {
	return c.model.Moves[device].Time(level.MoveLoad(f.Moves))
}

// A guess is a step and the time it is expected to take.
type guess struct {
	step  level.Step
	time  time.Duration
	known bool
}

// best is the fastest step where the search is, or where it is not. A step that
// the model does not know is taken only where it knows none.
func (c *chooser) best(f level.Front, steps []level.Step, here bool) (g guess) {
	for _, s := range steps {
		if (s.Device == f.Device) != here {
			continue
		}
		t, known := predict(c.model, f, s)
		if g.step.Name == "" || known && (!g.known || t < g.time) {
			g = guess{s, t, known}
		}
	}
	return g
}

// predict is what a step takes for one level, and whether that is known.
func predict(m *level.DeviceModel, f level.Front, s level.Step) (time.Duration, bool) {
	switch s.Name {
	case hostBurst:
		cost, ok := m.Steps[burstSmall]
		return cost.Of(f, s.Direction), ok && f.Small()
	case burst:
		return predictBurst(m, f)
	}
	cost, ok := m.Steps[s.Name]
	return cost.Of(f, s.Direction), ok
}

// predictBurst is what a level takes within a burst of the device, which goes the
// better way.
func predictBurst(m *level.DeviceModel, f level.Front) (time.Duration, bool) {
	down, ok := m.Steps[burstTopDown]
	t := down.Of(f, level.TopDown)
	if up, ok := m.Steps[burstBottomUp]; ok {
		t = min(t, up.Of(f, level.BottomUp))
	}
	if rest, ok := m.Steps[burstRest]; ok && f.Unvisited <= f.Size/16 {
		t = min(t, rest.Of(f, level.BottomUp))
	}
	return t, ok
}
