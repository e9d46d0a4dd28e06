package adaptive

import (
	"math"
	"strings"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/learn"
	"github.com/gohops/hops/level"
)

// The steps that run many levels: hostLevels on the host, by the host's own policy, and
// deviceLevels on the device, by the device's. A cost model knows the levels within a
// step by both names.
const (
	hostLevels   = "levels"
	deviceLevels = "levels@gpu"

	withinTopDown  = deviceLevels + "/top-down@gpu"
	withinBottomUp = deviceLevels + "/bottom-up@gpu"
	withinRest     = deviceLevels + "/bottom-up-rest@gpu"
)

// paper has the names that Zhang et al. give to steps, and short names in their manner
// for the others.
var paper = map[string]string{
	"TC": "top-down", "BC": "bottom-up", "SC": "split", "C": hostLevels,
	"TG": "top-down@gpu", "BG": "bottom-up@gpu", "BGC": "bottom-up-hot@gpu", "G": deviceLevels,
}

// PaperName is the name that Zhang et al. give to a step, or one in their manner.
func PaperName(step string) string {
	for short, name := range paper {
		if name == step {
			return short
		}
	}
	return step
}

// A chooser decides by a model. Where a search begins was tried; after that each level
// is predicted on both sides. The search stays where it is until what that has cost,
// with what is coming, exceeds what a move costs: so a wrong place never costs more
// than about twice what a better one would, however long the search. What levels have
// cost here is what they took, not what was predicted.
//
// The host asks only about levels for which the device could be faster: a search
// that has none takes one decision. And a device that drives itself gives a search
// away only when its front is small, as along a path. Of other levels the host's are
// no faster there, or not by so much that it could be relied on.
type chooser struct {
	model  *learn.DeviceModel
	search place
	steps  []level.Step
	device bool // where searches begin, unless at a vertex without edges
	now    func() time.Time

	depth int32         // of the last choice
	owed  time.Duration // what staying had cost by then
	asked time.Time     // when it was
	there time.Duration // what the level since then would have taken elsewhere

	size  int64         // of the graph, and
	floor time.Duration // what a level of the device takes in it at least
}

// A place tells where a search is, and what the last step left.
type place interface {
	at() string            // the device that holds it
	moves() int64          // bytes to be moved before another device could go on
	lastRan() []hops.Level // by the last step, if that ran several levels
}

// knowsDevice tells whether the model knows what a level of the device costs.
func knowsDevice(m *learn.DeviceModel, steps []level.Step) bool {
	for _, s := range steps {
		if _, known := predict(m, level.Front{}, s); known && s.Device != "" {
			return true
		}
	}
	return false
}

// Next implements level.Policy. It is to be asked about every level of a search,
// from the root on, but for those of bursts.
func (c *chooser) Next(f level.Front, steps []level.Step) level.Step {
	if f.Depth == 0 {
		return c.first(f, steps)
	}
	device, ranLevels := c.search.at(), c.search.lastRan()
	here, there := c.best(f, steps, true), c.best(f, steps, false)
	stays := device != "" && !f.Small() && drivesItself(steps)
	if stays || !here.known || !there.known {
		return here.step
	}
	ran, lost := time.Duration(f.Depth-c.depth), here.time-there.time
	switch {
	case device != "" && len(ranLevels) > 0: // levels like this one, and as many to come
		lost = ran * (mean(ranLevels) - there.time)
		c.owed += lost
	case c.there > 0:
		c.owed += c.now().Sub(c.asked) - ran*c.there
	}
	c.owed, c.depth = max(0, c.owed), f.Depth
	if c.owed+lost > c.move(there.step.Device) {
		c.owed, c.there = 0, 0 // what the move takes is not the next level's
		return there.step
	}
	c.asked, c.there = c.now(), there.time
	return here.step
}

// mean is what a level of a burst took, without the move before it.
func mean(ran []hops.Level) (sum time.Duration) {
	if len(ran) == 0 {
		return 0
	}
	for _, l := range ran {
		sum += l.Time - l.Handover
	}
	return sum / time.Duration(len(ran))
}

// Begin implements level.StatefulPolicy.
func (c *chooser) Begin() { c.depth, c.owed, c.there = 0, 0, 0 }

// first is the choice for the first level.
func (c *chooser) first(f level.Front, steps []level.Step) level.Step {
	if g, ok := named(steps, deviceLevels); ok && c.device && f.Edges > 0 {
		return g
	}
	return c.best(f, steps, !c.device || f.Edges == 0).step
}

// least is what any level of the device takes in a graph of that size.
func (c *chooser) least(size int64) time.Duration {
	least := time.Duration(math.MaxInt64)
	for name, cost := range c.model.Steps {
		first, _, _ := strings.Cut(name, "/")
		if s, ok := named(c.steps, first); ok && s.Device != "" {
			least = min(least, cost.Of(level.Front{Size: size}, s.Direction))
		}
	}
	return least
}

// ask tells whether the device could be faster for a level that the host is about
// to run.
func (c *chooser) ask(f level.Front) bool {
	if f.Size != c.size {
		c.size, c.floor = f.Size, c.least(f.Size)
	}
	top, known := c.model.Steps[paper["TC"]]
	return !known || top.Of(f, level.TopDown) > c.floor
}

// move is what it takes to bring the search to a device.
func (c *chooser) move(device string) time.Duration {
	return c.model.Moves[device].Time(learn.MoveTerms(c.search.moves()))
}

// A guess is a step and the time it is expected to take.
type guess struct {
	step  level.Step
	time  time.Duration
	known bool
}

// best is the fastest step where the search is, or where it is not, and of equally
// fast ones the last, which is the burst. A step that the model does not know is
// taken only where it knows none.
func (c *chooser) best(f level.Front, steps []level.Step, here bool) (g guess) {
	at := c.search.at()
	for _, s := range steps {
		if (s.Device == at) != here {
			continue
		}
		t, known := predict(c.model, f, s)
		if g.step.Name == "" || known && (!g.known || t <= g.time) {
			g = guess{s, t, known}
		}
	}
	return g
}

// predict is what a step takes for one level, and whether that is known.
func predict(m *learn.DeviceModel, f level.Front, s level.Step) (time.Duration, bool) {
	switch s.Name {
	case hostLevels:
		return predictHost(m, f)
	case deviceLevels:
		return predictBurst(m, f)
	}
	cost, ok := m.Steps[s.Name]
	return cost.Of(f, s.Direction), ok
}

// hostSteps are those that the host chooses among in a burst.
var hostSteps = []level.Step{{Name: "top-down"}, {Name: "bottom-up", Direction: level.BottomUp}, {Name: "split", Direction: level.Split}}

// predictHost is what a level takes within a burst of the host, if that chooses
// well.
func predictHost(m *learn.DeviceModel, f level.Front) (least time.Duration, known bool) {
	least = math.MaxInt64
	for _, s := range hostSteps {
		if cost, ok := m.Steps[s.Name]; ok {
			least, known = min(least, cost.Of(f, s.Direction)), true
		}
	}
	return least, known
}

// predictBurst is what a level takes within a burst of the device, which goes the
// better way.
func predictBurst(m *learn.DeviceModel, f level.Front) (time.Duration, bool) {
	down, ok := m.Steps[withinTopDown]
	t := down.Of(f, level.TopDown)
	if up, ok := m.Steps[withinBottomUp]; ok {
		t = min(t, up.Of(f, level.BottomUp))
	}
	if rest, ok := m.Steps[withinRest]; ok && f.Unvisited <= f.Size/16 {
		t = min(t, rest.Of(f, level.BottomUp))
	}
	return t, ok
}
