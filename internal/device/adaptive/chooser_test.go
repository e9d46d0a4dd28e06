package adaptive

import (
	"slices"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/internal/testing/enginetest"
	"github.com/gohops/hops/level"
)

var allSteps = []level.Step{
	{Name: "top-down"},
	{Name: "bottom-up", Direction: level.BottomUp},
	{Name: "levels"},
	{Name: "top-down@gpu", Device: "gpu"},
	{Name: "bottom-up@gpu", Direction: level.BottomUp, Device: "gpu"},
	{Name: "levels@gpu", Device: "gpu"},
}

// truth is a host that is quick to start and a device that is quick at work.
func truth() *learn.DeviceModel {
	return &learn.DeviceModel{
		Steps: learn.Model{
			"top-down": {Fixed: 5000, PerEntry: 1, Short: &learn.Cost{Fixed: 200, PerEntry: 1}}, "bottom-up": {Fixed: 5000, PerEntry: 1},
			"top-down@gpu": {Fixed: 30_000, PerEntry: 0.01}, "bottom-up@gpu": {Fixed: 30_000, PerEntry: 0.01},
			"levels@gpu/top-down@gpu": {Fixed: 7000, PerEntry: 0.01}, "levels@gpu/bottom-up@gpu": {Fixed: 7000, PerEntry: 0.01},
		},
		Moves: learn.Model{"": {Fixed: 50_000}, "gpu": {Fixed: 20_000, PerByte: 0.02}},
	}
}

const size = 1 << 20

// front has so many row entries to look at, whichever way.
func front(depth int32, entries int64) level.Front {
	return level.Front{
		Depth: depth, Size: size, Vertices: 1 + entries/16, Edges: entries, Unvisited: size / 2,
		Remaining: 16 * size, Work: [level.Directions]int64{entries, entries, entries},
	}
}

// fixedLocation is a search that is where the test says.
type fixedLocation struct {
	device string
	ran    []hops.Level
}

func (p *fixedLocation) at() string            { return p.device }
func (p *fixedLocation) moves() int64          { return 4 * size }
func (p *fixedLocation) lastRan() []hops.Level { return p.ran }

// choosing is a chooser that knows the truth about a search on the host, and for which
// no time passes.
func choosing() (*chooser, *fixedLocation) {
	p := &fixedLocation{}
	return &chooser{model: truth(), search: p, steps: allSteps, now: func() time.Time { return time.Time{} }}, p
}

func TestBeginsWhereItIsTold(t *testing.T) {
	for _, tt := range []struct {
		device  bool
		entries int64
		want    string
	}{{false, 10, "levels"}, {true, 10, "levels@gpu"}, {true, 0, "levels"}} { // nobody moves an isolated vertex
		c, _ := choosing()
		c.device = tt.device
		if s := c.Next(front(0, tt.entries), allSteps); s.Name != tt.want {
			t.Errorf("%+v: begins with %s", tt, s.Name)
		}
	}
}

// On the host small levels stay; one that is dearer than a move leaves.
func TestMovesWhenItPays(t *testing.T) {
	c, _ := choosing()
	c.Next(front(0, 0), allSteps)
	for d := int32(1); d < 1000; d++ {
		if s := c.Next(front(d, 20), allSteps); s.Name != "levels" {
			t.Fatalf("level %d of few edges: %s", d, s.Name)
		}
	}
	if s := c.Next(front(1000, 10_000_000), allSteps); s.Name != "levels@gpu" {
		t.Errorf("ten million edges: %s", s.Name)
	}
}

// A long path on the device costs no more than about a move before it leaves.
func TestLeavesAPath(t *testing.T) {
	c, p := choosing()
	c.Next(front(0, 10), allSteps)
	spent, depth := time.Duration(0), int32(0)
	for range 20 {
		depth += 4
		f := front(depth, 2)
		p.device, p.ran = "gpu", slices.Repeat([]hops.Level{{Time: 7 * time.Microsecond}}, 4)
		s := c.Next(f, allSteps)
		if s.Device == "" {
			if spent > 200*time.Microsecond {
				t.Errorf("left after %v", spent)
			}
			return
		}
		spent += 4 * 7 * time.Microsecond
	}
	t.Error("stayed on the device")
}

// What levels took counts, not what was predicted, and nothing is given away but a
// small front: the middle of a grid stays.
func TestStaysWhereTheDeviceIsFast(t *testing.T) {
	for _, tt := range []struct {
		entries int64
		took    time.Duration
		stays   bool
	}{
		{20, 7 * time.Microsecond, false},
		{20, 10 * time.Nanosecond, true},
		{2000, 7 * time.Microsecond, true},
		{2000, time.Millisecond, true},
	} {
		c, p := choosing()
		c.Next(front(0, 10), allSteps)
		f := front(100, tt.entries)
		p.device, p.ran = "gpu", slices.Repeat([]hops.Level{{Time: tt.took}}, 100)
		if s := c.Next(f, allSteps); (s.Device != "") != tt.stays {
			t.Errorf("after levels of %d entries in %v each: %s", tt.entries, tt.took, s.Name)
		}
	}
}

// Levels that are a little better elsewhere do not make a search go to and fro.
func TestSmallGainsDoNotMove(t *testing.T) {
	c, _ := choosing()
	c.Next(front(0, 0), allSteps)
	for d := int32(1); d < 4; d++ {
		if s := c.Next(front(d, 20_000), allSteps); s.Device != "" {
			t.Errorf("level %d: %s", d, s.Name)
		}
	}
}

// A search that takes longer on the host than was predicted leaves, and then has paid
// about twice what the device would have taken.
func TestWhatLevelsTakeCounts(t *testing.T) {
	c, _ := choosing()
	clock := time.Time{}
	c.now = func() time.Time { return clock }
	c.Next(front(0, 10), allSteps)
	f := front(1, 6000) // predicted to be a little faster on the host
	for ; c.Next(f, allSteps).Device == ""; f.Depth++ {
		if f.Depth > 20 {
			t.Fatal("stays on the host")
		}
		clock = clock.Add(200 * time.Microsecond)
	}
	if f.Depth == 1 {
		t.Error("left before anything took long")
	}
}

// A device that nobody knows is not used.
func TestUnknownStepsAreNotTaken(t *testing.T) {
	m := truth()
	m.Steps = learn.Model{"top-down": m.Steps["top-down"], "bottom-up": m.Steps["bottom-up"]}
	c, _ := choosing()
	c.model = m
	for d := range int32(5) {
		if s := c.Next(front(d, 1<<30), allSteps); s.Device != "" {
			t.Errorf("level %d: %s", d, s.Name)
		}
	}
}

func TestInterval(t *testing.T) {
	p, w, err := Options{Interval: 3, Policy: Yasui}.policy(&machine{steps: allSteps})
	if err != nil || w != onHost {
		t.Fatal(w, err)
	}
	p.(level.StatefulPolicy).Begin()
	for d := range int32(9) {
		f := front(d, 10)
		if d%3 != 0 {
			f.Edges = 1 << 40 // between choices nobody looks
		}
		if s := p.Next(f, allSteps); s.Name != "top-down" {
			t.Errorf("level %d: %s", d, s.Name)
		}
	}
	if s := p.Next(level.Front{Depth: 9, Edges: 1 << 40}, allSteps); s.Name != "bottom-up" {
		t.Errorf("level 9: %s", s.Name)
	}
}

func TestPoliciesSayWhetherTheyKeepState(t *testing.T) {
	c, _ := choosing()
	for _, p := range []level.Policy{
		c, &script{plan: level.Plan{"top-down", "bottom-up"}}, &periodic{policy: level.RuleOfThumb, interval: 2},
		paired{level.RuleOfThumb, map[level.Direction]string{level.TopDown: "top-down", level.BottomUp: "bottom-up@gpu"}},
	} {
		enginetest.CheckPolicy(t, p, allSteps)
	}
}
