package level

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

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

type policyFunc func(f Front, steps []Step) Step

func (p policyFunc) Next(f Front, steps []Step) Step { return p(f, steps) }
