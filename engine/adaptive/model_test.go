package adaptive

import (
	"slices"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

var allSteps = []level.Step{
	{Name: "TC"},
	{Name: "BC", Direction: level.BottomUp},
	{Name: "C"},
	{Name: "TG", Device: "gpu"},
	{Name: "BG", Direction: level.BottomUp, Device: "gpu"},
	{Name: "G", Device: "gpu"},
}

// truth is a host that is quick to start and a device that is quick at work.
func truth() *level.DeviceModel {
	return &level.DeviceModel{
		Steps: level.Model{
			"TC": {Fixed: 5000, PerEntry: 1, Short: &level.Cost{Fixed: 200, PerEntry: 1}}, "BC": {Fixed: 5000, PerEntry: 1},
			"TG": {Fixed: 30_000, PerEntry: 0.01}, "BG": {Fixed: 30_000, PerEntry: 0.01},
			"G.TG": {Fixed: 7000, PerEntry: 0.01}, "G.BG": {Fixed: 7000, PerEntry: 0.01},
		},
		Moves: level.Model{"": {Fixed: 50_000}, "gpu": {Fixed: 20_000, PerByte: 0.02}},
	}
}

const size = 1 << 20

// front has so many row entries to look at, whichever way.
func front(depth int32, device string, entries int64) level.Front {
	return level.Front{
		Depth: depth, Device: device, Size: size, Vertices: 1 + entries/16, Edges: entries, Unvisited: size / 2,
		Remaining: 16 * size, Work: [level.Directions]int64{entries, entries, entries}, Moves: 4 * size,
	}
}

// choosing is a chooser that knows the truth, and for which no time passes.
func choosing() *chooser {
	return &chooser{model: truth(), steps: allSteps, now: func() time.Time { return time.Time{} }}
}

func TestBeginsWhereItIsTold(t *testing.T) {
	for _, tt := range []struct {
		device  bool
		entries int64
		want    string
	}{{false, 10, "C"}, {true, 10, "G"}, {true, 0, "C"}} { // nobody moves an isolated vertex
		c := choosing()
		c.device = tt.device
		if s := c.Next(front(0, "", tt.entries), allSteps); s.Name != tt.want {
			t.Errorf("%+v: begins with %s", tt, s.Name)
		}
	}
}

// On the host small levels stay; one that is dearer than a move leaves.
func TestMovesWhenItPays(t *testing.T) {
	c := choosing()
	c.Next(front(0, "", 0), allSteps)
	for d := int32(1); d < 1000; d++ {
		if s := c.Next(front(d, "", 20), allSteps); s.Name != "C" {
			t.Fatalf("level %d of few edges: %s", d, s.Name)
		}
	}
	if s := c.Next(front(1000, "", 10_000_000), allSteps); s.Name != "G" {
		t.Errorf("ten million edges: %s", s.Name)
	}
}

// A long path on the device costs no more than about a move before it leaves.
func TestLeavesAPath(t *testing.T) {
	c := choosing()
	c.Next(front(0, "", 10), allSteps)
	spent, depth := time.Duration(0), int32(0)
	for range 20 {
		depth += 4
		f := front(depth, "gpu", 2)
		f.Ran = slices.Repeat([]hops.Level{{Time: 7 * time.Microsecond}}, 4)
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

// What a burst took counts, not what was predicted, and nothing is given away but a
// small front: the middle of a grid stays.
func TestStaysWhereBurstsAreFast(t *testing.T) {
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
		c := choosing()
		c.Next(front(0, "", 10), allSteps)
		f := front(100, "gpu", tt.entries)
		f.Ran = slices.Repeat([]hops.Level{{Time: tt.took}}, 100)
		if s := c.Next(f, allSteps); (s.Device != "") != tt.stays {
			t.Errorf("after levels of %d entries in %v each: %s", tt.entries, tt.took, s.Name)
		}
	}
}

// Levels that are a little better elsewhere do not make a search go to and fro.
func TestSmallGainsDoNotMove(t *testing.T) {
	c := choosing()
	c.Next(front(0, "", 0), allSteps)
	for d := int32(1); d < 4; d++ {
		if s := c.Next(front(d, "", 20_000), allSteps); s.Device != "" {
			t.Errorf("level %d: %s", d, s.Name)
		}
	}
}

// A search that takes longer on the host than was predicted leaves, and then has paid
// about twice what the device would have taken.
func TestWhatLevelsTakeCounts(t *testing.T) {
	c, clock := choosing(), time.Time{}
	c.now = func() time.Time { return clock }
	c.Next(front(0, "", 10), allSteps)
	f := front(1, "", 6000) // predicted to be a little faster on the host
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
	m.Steps = level.Model{"TC": m.Steps["TC"], "BC": m.Steps["BC"]}
	c := choosing()
	c.model = m
	for d := range int32(5) {
		if s := c.Next(front(d, "", 1<<30), allSteps); s.Device != "" {
			t.Errorf("level %d: %s", d, s.Name)
		}
	}
}

func TestInterval(t *testing.T) {
	p, w, err := Options{Interval: 3, Policy: Yasui}.policy(allSteps)
	if err != nil || w != onHost {
		t.Fatal(w, err)
	}
	for d := range int32(9) {
		f := front(d, "", 10)
		if d%3 != 0 {
			f.Edges = 1 << 40 // between choices nobody looks
		}
		if s := p.Next(f, allSteps); s.Name != "TC" {
			t.Errorf("level %d: %s", d, s.Name)
		}
	}
	if s := p.Next(level.Front{Depth: 9, Edges: 1 << 40}, allSteps); s.Name != "BC" {
		t.Errorf("level 9: %s", s.Name)
	}
}
