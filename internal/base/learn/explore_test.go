package learn

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohops/hops/internal/testing/leveltest"
	"github.com/gohops/hops/level"
)

const tick = time.Millisecond

var errBroken = errors.New("broken")

// Bottom-leveltest.Up is the best step of level 1 and top-down of all others; leveltest.Split is
// never good.
func cheapest(depth int, s level.Step) time.Duration {
	switch {
	case s == leveltest.Split:
		return 4 * tick
	case s == leveltest.Up == (depth == 1):
		return tick
	}
	return 2 * tick
}

func TestExploreTimesEveryStepOfEveryLevel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // where sleeping takes exactly as long as asked
		m := &leveltest.Fake{Sizes: []int64{3, 50, 7}, Cost: cheapest}
		resets := 0
		levels, err := Explore(t.Context(), m, level.Fixed{Direction: level.TopDown}, 0, 3, func() { resets++ })
		if err != nil {
			t.Fatal(err)
		}
		if len(levels) != 4 {
			t.Fatalf("%d levels, want 4", len(levels))
		}
		if want := 1 + 4*level.Directions*3; m.Seeds != want || resets != want {
			t.Errorf("%d searches after %d resets, want %d", m.Seeds, resets, want)
		}
		for depth, l := range levels {
			if int(l.Front.Depth) != depth || l.Chosen != 0 {
				t.Errorf("level %d: %+v", depth, l)
			}
			for s, took := range l.Times {
				if want := cheapest(depth, leveltest.Steps[s]); took != want {
					t.Errorf("level %d, %s: %v, but it takes %v", depth, leveltest.Steps[s].Name, took, want)
				}
			}
			if want := map[int]time.Duration{1: tick}[depth]; l.Regret() != want {
				t.Errorf("level %d: regret %v, want %v", depth, l.Regret(), want)
			}
		}
	})
}

// Two runs in three are disturbed; the least does not show it.
func TestExploreTakesTheLeast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &leveltest.Fake{Sizes: []int64{3}}
		m.Cost = func(int, level.Step) time.Duration {
			if m.Seeds%3 != 0 {
				return 3 * tick
			}
			return tick
		}
		levels, err := Explore(t.Context(), m, level.Fixed{Direction: level.TopDown}, 0, 3, func() {})
		if err != nil {
			t.Fatal(err)
		}
		for depth, l := range levels {
			for s, took := range l.Times {
				if took != tick {
					t.Errorf("level %d, %s: %v, want %v", depth, leveltest.Steps[s].Name, took, tick)
				}
			}
		}
	})
}

func TestExploreStaysOnThePathOfThePolicy(t *testing.T) {
	m := &leveltest.Fake{Sizes: []int64{3, 50}}
	plan := level.Plan{"top-down", "bottom-up", "split"}
	levels, err := Explore(t.Context(), m, plan, 0, 1, func() {})
	if err != nil {
		t.Fatal(err)
	}
	for depth, l := range levels {
		if leveltest.Steps[l.Chosen].Name != plan[depth] {
			t.Errorf("level %d: chose %s, want %s", depth, leveltest.Steps[l.Chosen].Name, plan[depth])
		}
	}
	if len(levels) != 3 {
		t.Errorf("%d levels, want 3", len(levels))
	}
	if last := m.Ran[:2]; last[0] != "top-down" || last[1] != "bottom-up" {
		t.Errorf("the levels before were repeated as %v", last)
	}
}

func TestExploreStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := &leveltest.Fake{Sizes: []int64{3, 50, 7}}
	_, err := Explore(ctx, m, level.Fixed{Direction: level.TopDown}, 0, 3, func() {
		if m.Seeds == 5 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || m.Seeds > 6 {
		t.Errorf("error %v after %d searches", err, m.Seeds)
	}
	m.After = func(int) error { return errBroken }
	if _, err := Explore(t.Context(), m, level.Fixed{Direction: level.TopDown}, 0, 3, func() {}); !errors.Is(err, errBroken) {
		t.Errorf("error %v, want that of the machine", err)
	}
}

func TestRegret(t *testing.T) {
	levels := []level.Exploration{
		{Chosen: 0, Times: []time.Duration{10, 20, 30}},
		{Chosen: 0, Times: []time.Duration{50, 40, 45}},
	}
	if got := Regret(levels); got != 10.0/50 {
		t.Errorf("regret %v, want 10 of 50", got)
	}
	if got := Regret(Choose(levels, level.Fixed{Direction: level.BottomUp}, leveltest.Steps)); got != 10.0/50 {
		t.Errorf("regret of bottom-up %v, want 10 of 50", got)
	}
	if got := Regret(Choose(levels, level.Fixed{Direction: level.Split}, leveltest.Steps)); got != 25.0/50 {
		t.Errorf("regret of leveltest.Split %v, want 25 of 50", got)
	}
	if levels[0].Chosen != 0 {
		t.Error("Choose changed what it was given")
	}
	if got := Regret(nil); got != 0 {
		t.Errorf("regret of nothing %v", got)
	}
}
