package adaptive

import (
	"math"
	"strings"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/learn"
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
	withinRest     = deviceLevels + "/bottom-up-leftover@gpu"
)

// paper has the names that Zhang et al. give to steps, and short names in their manner
// for the others.
var paper = map[string]string{
	"TC": "top-down", "BC": "bottom-up", "SC": "split", "C": hostLevels,
	paperTogether: together.Name,
	"TG":          "top-down@gpu", "BG": "bottom-up@gpu", "BGC": "bottom-up-hot@gpu", "G": deviceLevels,
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

// A chooser decides by a model. Where a search begins was found by trials; after that
// the chooser predicts each level on host and device. The search stays where it is until
// the time lost by staying, the next level included, exceeds the cost of a handover. So a
// wrong place costs at most about twice the time of a better one, however long the search
// (the rule of the ski rental). The time lost is measured on the side where the search is,
// and predicted on the other.
//
// The host asks only about levels for which the device could be faster: a search
// without such a level takes one decision. A device that needs no host between levels
// hands a search over only when its front is small, as along a path: on other levels the
// host is not reliably faster.
type chooser struct {
	model  *learn.DeviceModel
	search location
	steps  []level.Step
	device bool // searches begin on the device, unless at a vertex without edges
	now    func() time.Time

	depth int32         // of the last choice
	lost  time.Duration // by staying, until the last choice
	asked time.Time     // of the last choice
	there time.Duration // predicted for the last level on the other side

	size  int64         // of the graph that floor is for
	floor time.Duration // the least time of a level of the device
}

// A location tells which device holds a search, and what the last step ran.
type location interface {
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
	ran, more := time.Duration(f.Depth-c.depth), here.time-there.time
	switch {
	case device != "" && len(ranLevels) > 0: // levels like this one, and as many to come
		more = ran * (mean(ranLevels) - there.time)
		c.lost += more
	case c.there > 0:
		c.lost += c.now().Sub(c.asked) - ran*c.there
	}
	c.lost, c.depth = max(0, c.lost), f.Depth
	if c.lost+more > c.move(there.step.Device) {
		c.lost, c.there = 0, 0 // the time of the handover is not the next level's
		return there.step
	}
	c.asked, c.there = c.now(), there.time
	return here.step
}

// mean is the mean time of levels that a step ran together, the handover excluded.
func mean(ran []hops.Level) (sum time.Duration) {
	if len(ran) == 0 {
		return 0
	}
	for _, l := range ran {
		sum += l.Time - l.Handover
	}
	return sum / time.Duration(len(ran))
}

func (c *chooser) Begin() { c.depth, c.lost, c.there = 0, 0, 0 }

// first is the choice for the first level.
func (c *chooser) first(f level.Front, steps []level.Step) level.Step {
	if g, ok := named(steps, deviceLevels); ok && c.device && f.Edges > 0 {
		return g
	}
	return c.best(f, steps, !c.device || f.Edges == 0).step
}

// least is the least time of a level of the device in a graph of that size.
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

// ask tells whether the device could be faster for the next level than the host.
func (c *chooser) ask(f level.Front) bool {
	if f.Size != c.size {
		c.size, c.floor = f.Size, c.least(f.Size)
	}
	top, known := c.model.Steps[paper["TC"]]
	return !known || top.Of(f, level.TopDown) > c.floor
}

// move is the predicted time of a handover to a device.
func (c *chooser) move(device string) time.Duration {
	return c.model.Moves[device].Time(learn.MoveTerms(c.search.moves()))
}

// A guess is a step and the time it is expected to take.
type guess struct {
	step  level.Step
	time  time.Duration
	known bool
}

// best is the fastest step on the side where the search is, or on the other side; of
// equally fast steps the last, which runs several levels. A step that the model does not
// know is taken only if it knows none.
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

// predict is the predicted time of a step for one level, and whether it is known.
func predict(m *learn.DeviceModel, f level.Front, s level.Step) (time.Duration, bool) {
	switch s.Name {
	case hostLevels:
		return predictHost(m, f)
	case deviceLevels:
		return predictDevice(m, f)
	}
	cost, ok := m.Steps[s.Name]
	return cost.Of(f, s.Direction), ok
}

// hostSteps are those that the host chooses among when it runs several levels.
var hostSteps = []level.Step{{Name: "top-down"}, {Name: "bottom-up", Direction: level.BottomUp}, {Name: "split", Direction: level.Split}}

// predictHost is the predicted time of a level within the host's step "levels", if the
// host chooses well.
func predictHost(m *learn.DeviceModel, f level.Front) (least time.Duration, known bool) {
	least = math.MaxInt64
	for _, s := range hostSteps {
		if cost, ok := m.Steps[s.Name]; ok {
			least, known = min(least, cost.Of(f, s.Direction)), true
		}
	}
	return least, known
}

// predictDevice is the predicted time of a level within the step "levels@gpu", which
// takes the better direction.
func predictDevice(m *learn.DeviceModel, f level.Front) (time.Duration, bool) {
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
