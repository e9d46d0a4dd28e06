package level

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

const tick = time.Millisecond

// Bottom-up is the best step of level 1 and top-down of all others; split is
// never good.
func cheapest(depth int, s Step) time.Duration {
	switch {
	case s == split:
		return 4 * tick
	case s == up == (depth == 1):
		return tick
	}
	return 2 * tick
}

func TestExploreTimesEveryStepOfEveryLevel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // where sleeping takes exactly as long as asked
		m := &fake{sizes: []int64{3, 50, 7}, cost: cheapest}
		resets := 0
		levels, err := Explore(t.Context(), m, Fixed{TopDown}, 0, 3, 32, func() { resets++ })
		if err != nil {
			t.Fatal(err)
		}
		if len(levels) != 4 {
			t.Fatalf("%d levels, want 4", len(levels))
		}
		if want := 1 + 4*Directions*3; m.seeds != want || resets != want {
			t.Errorf("%d searches after %d resets, want %d", m.seeds, resets, want)
		}
		for depth, l := range levels {
			if int(l.Front.Depth) != depth || l.Chosen != 0 {
				t.Errorf("level %d: %+v", depth, l)
			}
			for s, took := range l.Times {
				if want := cheapest(depth, allSteps[s]); took != want {
					t.Errorf("level %d, %s: %v, but it takes %v", depth, allSteps[s].Name, took, want)
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
		m := &fake{sizes: []int64{3}}
		m.cost = func(int, Step) time.Duration {
			if m.seeds%3 != 0 {
				return 3 * tick
			}
			return tick
		}
		levels, err := Explore(t.Context(), m, Fixed{TopDown}, 0, 3, 32, func() {})
		if err != nil {
			t.Fatal(err)
		}
		for depth, l := range levels {
			for s, took := range l.Times {
				if took != tick {
					t.Errorf("level %d, %s: %v, want %v", depth, allSteps[s].Name, took, tick)
				}
			}
		}
	})
}

func TestExploreStaysOnThePathOfThePolicy(t *testing.T) {
	m := &fake{sizes: []int64{3, 50, 7}}
	plan := Plan{"top-down", "bottom-up", "split"}
	levels, err := Explore(t.Context(), m, plan, 0, 1, 3, func() {})
	if err != nil {
		t.Fatal(err)
	}
	for depth, l := range levels {
		if allSteps[l.Chosen].Name != plan[depth] {
			t.Errorf("level %d: chose %s, want %s", depth, allSteps[l.Chosen].Name, plan[depth])
		}
	}
	if len(levels) != 3 {
		t.Errorf("%d levels, want the 3 asked for", len(levels))
	}
	if last := m.ran[:2]; last[0] != "top-down" || last[1] != "bottom-up" {
		t.Errorf("the levels before were repeated as %v", last)
	}
}

func TestExploreStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := &fake{sizes: []int64{3, 50, 7}}
	_, err := Explore(ctx, m, Fixed{TopDown}, 0, 3, 32, func() {
		if m.seeds == 5 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || m.seeds > 6 {
		t.Errorf("error %v after %d searches", err, m.seeds)
	}
	m.after = func(int) error { return errBroken }
	if _, err := Explore(t.Context(), m, Fixed{TopDown}, 0, 3, 32, func() {}); !errors.Is(err, errBroken) {
		t.Errorf("error %v, want that of the machine", err)
	}
}

func TestRegret(t *testing.T) {
	levels := []Exploration{
		{Chosen: 0, Times: []time.Duration{10, 20, 30}},
		{Chosen: 0, Times: []time.Duration{50, 40, 45}},
	}
	if got := Regret(levels); got != 10.0/50 {
		t.Errorf("regret %v, want 10 of 50", got)
	}
	if got := Regret(Choose(levels, Fixed{BottomUp}, allSteps)); got != 10.0/50 {
		t.Errorf("regret of bottom-up %v, want 10 of 50", got)
	}
	if got := Regret(Choose(levels, Fixed{Split}, allSteps)); got != 25.0/50 {
		t.Errorf("regret of split %v, want 25 of 50", got)
	}
	if levels[0].Chosen != 0 {
		t.Error("Choose changed what it was given")
	}
	if got := Regret(nil); got != 0 {
		t.Errorf("regret of nothing %v", got)
	}
}
