package level_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/testing/leveltest"
	"github.com/gohops/hops/level"
	"pgregory.net/rapid"
)

const tick = time.Millisecond

var errBroken = errors.New("broken")

func TestSearchTracesEveryLevel(t *testing.T) {
	m := &leveltest.Fake{Sizes: []int64{3, 50, 7}}
	var trace hops.Trace
	if err := level.Search(t.Context(), m, level.Plan{"top-down", "split", "bottom-up"}, 0, &trace); err != nil {
		t.Fatal(err)
	}
	if got, want := trace.Found(), int64(60); got != want {
		t.Errorf("found %d, want %d", got, want)
	}
	if got, want := trace.Examined(), int64(600); got != want {
		t.Errorf("examined %d, want %d", got, want)
	}
	var steps []string
	frontier := int64(1)
	for i, l := range trace.Levels {
		steps = append(steps, l.Step)
		if l.Frontier != frontier {
			t.Errorf("level %d: frontier %d, want the %d found before", i, l.Frontier, frontier)
		}
		if l.Messages != 2*l.Found || l.Bytes != 8*l.Found || l.Time < 0 {
			t.Errorf("level %d: %+v", i, l)
		}
		frontier = l.Found
	}
	// The last level finds that there is no more.
	if want := []string{"top-down", "split", "bottom-up", "bottom-up"}; !slices.Equal(steps, want) || !slices.Equal(m.Ran, want) {
		t.Errorf("steps %v, ran %v, want %v", steps, m.Ran, want)
	}
}

// A policy is told how deep the frontier is and how it was made.
func TestSearchTellsThePolicyWhatWas(t *testing.T) {
	var seen []level.Front
	p := policyFunc(func(f level.Front, steps []level.Step) level.Step {
		seen = append(seen, f)
		return steps[(f.Depth+1)%level.Directions]
	})
	if err := level.Search(t.Context(), &leveltest.Fake{Sizes: []int64{3, 50, 7}}, p, 0, new(hops.Trace)); err != nil {
		t.Fatal(err)
	}
	last := level.TopDown
	for i, f := range seen {
		if int(f.Depth) != i || f.Last != last {
			t.Errorf("level %d: depth %d, last %v, want %v", i, f.Depth, f.Last, last)
		}
		last = leveltest.Steps[(i+1)%level.Directions].Direction
	}
}

func TestSearchStopsBetweenLevels(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := &leveltest.Fake{Sizes: []int64{3, 50, 7}, After: func(depth int) error {
		if depth == 1 {
			cancel()
		}
		return nil
	}}
	var trace hops.Trace
	err := level.Search(ctx, m, level.Fixed{Direction: level.TopDown}, 0, &trace)
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "level 2") {
		t.Errorf("error %v", err)
	}
	if len(m.Ran) != 2 || len(trace.Levels) != 2 {
		t.Errorf("ran %d levels and traced %d, want 2: those before", len(m.Ran), len(trace.Levels))
	}
}

func TestSearchNamesTheLevelThatFails(t *testing.T) {
	m := &leveltest.Fake{Sizes: []int64{3, 50}, After: func(depth int) error {
		if depth == 1 {
			return errBroken
		}
		return nil
	}}
	err := level.Search(t.Context(), m, level.Fixed{Direction: level.BottomUp}, 0, new(hops.Trace))
	if !errors.Is(err, errBroken) || !strings.Contains(err.Error(), "level 1: bottom-up") {
		t.Errorf("error %v", err)
	}
}

// Levels have the time they took, but small ones in a row, which share theirs.
func TestSmallLevelsShareTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &leveltest.Fake{Sizes: []int64{1, 1, 100, 200, 1, 1}, Cost: func(depth int, _ level.Step) time.Duration { return time.Duration(1+depth) * tick }}
		var trace hops.Trace
		if err := level.Search(t.Context(), m, level.Fixed{Direction: level.TopDown}, 0, &trace); err != nil {
			t.Fatal(err)
		}
		// Levels 0 to 2 have one vertex, 3 and 4 many, 5 and 6 one again.
		for depth, want := range []time.Duration{2 * tick, 2 * tick, 2 * tick, 4 * tick, 5 * tick, 13 * tick / 2, 13 * tick / 2} {
			if got := trace.Levels[depth].Time; got != want {
				t.Errorf("level %d took %v, want %v", depth, got, want)
			}
		}
	})
}

// A search can be interrupted at a frontier and go on from there.
func TestContinueStopsWhereItIsTold(t *testing.T) {
	m := &leveltest.Fake{Sizes: []int64{3, 50, 7}}
	var trace hops.Trace
	f, _ := m.Seed(0)
	for _, want := range []int64{50, 0} {
		var err error
		f, err = level.Continue(t.Context(), m, level.Fixed{Direction: level.TopDown}, f, func(f level.Front) bool { return f.Vertices == want }, &trace)
		if err != nil || f.Vertices != want {
			t.Fatalf("stopped at %d vertices, want %d; error %v", f.Vertices, want, err)
		}
	}
	if len(trace.Levels) != 4 || f.Depth != 4 || trace.Found() != 60 {
		t.Errorf("depth %d, %d found, levels %+v", f.Depth, trace.Found(), trace.Levels)
	}
}

type policyFunc func(f level.Front, steps []level.Step) level.Step

func (p policyFunc) Next(f level.Front, steps []level.Step) level.Step { return p(f, steps) }

// What is expected lies between one entry for each open vertex and all there are.
func TestExpectIsPossible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := level.Front{Unvisited: rapid.Int64Range(1, 1<<40).Draw(t, "unvisited"), Edges: rapid.Int64Range(1, 1<<40).Draw(t, "edges")}
		f.Remaining = f.Unvisited * rapid.Int64Range(1, 1000).Draw(t, "degree")
		w := level.Expect(f)
		if w[level.TopDown] != f.Edges || float64(w[level.BottomUp]) < 0.999*float64(f.Unvisited)-1 || w[level.BottomUp] > f.Remaining {
			t.Errorf("%+v: %v", f, w)
		}
	})
	if w := level.Expect(level.Front{}); w != ([level.Directions]int64{}) {
		t.Errorf("nothing left: %v", w)
	}
}

// leaping runs its first two levels at once.
type leaping struct{ leveltest.Fake }

func (m *leaping) Run(s level.Step) (level.Front, level.Outcome, error) {
	if m.Depth > 0 {
		return m.Fake.Run(s)
	}
	first, _, err := m.Fake.Run(s)
	second, done, _ := m.Fake.Run(s)
	done.Ran = []hops.Level{
		{Step: "a", Within: "leap", Frontier: 1, Found: first.Vertices, Time: tick},
		{Step: "b", Within: "leap", Frontier: first.Vertices, Found: second.Vertices, Time: tick},
	}
	return second, done, err
}

// A step that runs several levels brings their entries along.
func TestSearchTakesManyLevelsAtOnce(t *testing.T) {
	var asked []int32
	p := policyFunc(func(f level.Front, steps []level.Step) level.Step {
		asked = append(asked, f.Depth)
		return steps[0]
	})
	var trace hops.Trace
	if err := level.Search(t.Context(), &leaping{leveltest.Fake{Sizes: []int64{3, 50, 7}}}, p, 0, &trace); err != nil {
		t.Fatal(err)
	}
	if len(trace.Levels) != 4 || trace.Levels[1].Step != "b" || trace.Plan() != "leap+top-down" {
		t.Errorf("%s: %+v", trace.Plan(), trace.Levels)
	}
	if want := []int32{0, 2, 3}; !slices.Equal(asked, want) {
		t.Errorf("asked at depths %v, want %v", asked, want)
	}
}
