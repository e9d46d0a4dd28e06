package level

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohops/hops"
)

func TestSearchTracesEveryLevel(t *testing.T) {
	m := &fake{sizes: []int64{3, 50, 7}}
	var trace hops.Trace
	if err := Search(t.Context(), m, Plan{"top-down", "split", "bottom-up"}, 0, &trace); err != nil {
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
	if want := []string{"top-down", "split", "bottom-up", "bottom-up"}; !slices.Equal(steps, want) || !slices.Equal(m.ran, want) {
		t.Errorf("steps %v, ran %v, want %v", steps, m.ran, want)
	}
}

// A policy is told how deep the frontier is and how it was made.
func TestSearchTellsThePolicyWhatWas(t *testing.T) {
	var seen []Front
	p := policyFunc(func(f Front, steps []Step) Step {
		seen = append(seen, f)
		return steps[(f.Depth+1)%Directions]
	})
	if err := Search(t.Context(), &fake{sizes: []int64{3, 50, 7}}, p, 0, new(hops.Trace)); err != nil {
		t.Fatal(err)
	}
	last := TopDown
	for i, f := range seen {
		if int(f.Depth) != i || f.Last != last {
			t.Errorf("level %d: depth %d, last %v, want %v", i, f.Depth, f.Last, last)
		}
		last = allSteps[(i+1)%Directions].Direction
	}
}

func TestSearchStopsBetweenLevels(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := &fake{sizes: []int64{3, 50, 7}, after: func(depth int) error {
		if depth == 1 {
			cancel()
		}
		return nil
	}}
	var trace hops.Trace
	err := Search(ctx, m, Fixed{TopDown}, 0, &trace)
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "level 2") {
		t.Errorf("error %v", err)
	}
	if len(m.ran) != 2 || len(trace.Levels) != 2 {
		t.Errorf("ran %d levels and traced %d, want 2: those before", len(m.ran), len(trace.Levels))
	}
}

func TestSearchNamesTheLevelThatFails(t *testing.T) {
	m := &fake{sizes: []int64{3, 50}, after: func(depth int) error {
		if depth == 1 {
			return errBroken
		}
		return nil
	}}
	err := Search(t.Context(), m, Fixed{BottomUp}, 0, new(hops.Trace))
	if !errors.Is(err, errBroken) || !strings.Contains(err.Error(), "level 1: bottom-up") {
		t.Errorf("error %v", err)
	}
}

// Levels have the time they took, but small ones in a row, which share theirs.
func TestSmallLevelsShareTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &fake{sizes: []int64{1, 1, 100, 200, 1, 1}, cost: func(depth int, _ Step) time.Duration { return time.Duration(1+depth) * tick }}
		var trace hops.Trace
		if err := Search(t.Context(), m, Fixed{TopDown}, 0, &trace); err != nil {
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
	m := &fake{sizes: []int64{3, 50, 7}}
	var trace hops.Trace
	f, _ := m.Seed(0)
	for _, want := range []int64{50, 0} {
		var err error
		f, err = Continue(t.Context(), m, Fixed{TopDown}, f, func(f Front) bool { return f.Vertices == want }, &trace)
		if err != nil || f.Vertices != want {
			t.Fatalf("stopped at %d vertices, want %d; error %v", f.Vertices, want, err)
		}
	}
	if len(trace.Levels) != 4 || f.Depth != 4 || trace.Found() != 60 {
		t.Errorf("depth %d, %d found, levels %+v", f.Depth, trace.Found(), trace.Levels)
	}
}

type policyFunc func(f Front, steps []Step) Step

func (p policyFunc) Next(f Front, steps []Step) Step { return p(f, steps) }
