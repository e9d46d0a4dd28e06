package cpu

import (
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/level"
)

// A model decides: what it thinks dear is not taken.
func TestModelIsFollowed(t *testing.T) {
	for _, cheap := range Steps() {
		t.Run(cheap.Name, func(t *testing.T) {
			m := learn.Model{}
			for _, s := range Steps() {
				m[s.Name] = learn.Cost{Fixed: 1e6}
			}
			m[cheap.Name] = learn.Cost{Fixed: 1}
			for _, l := range levelsOf(t, Options{Threads: 2, Policy: m}) {
				if directionOf(l) != cheap.Name {
					t.Errorf("a level ran %s", l.Step)
				}
			}
		})
	}
}

func TestExploreIsOnTheMachine(t *testing.T) {
	rule := level.RuleOfThumb
	s := buildKronecker(t, Options{Threads: 2, Policy: rule})
	levels, err := s.Explore(t.Context(), connected, 1)
	if err != nil {
		t.Fatal(err)
	}
	trace := levelsOf(t, Options{Threads: 2, Policy: rule})
	if len(levels) != len(trace) {
		t.Fatalf("explored %d levels of %d", len(levels), len(trace))
	}
	for i, l := range levels {
		if got := Steps()[l.Chosen].Name; got != directionOf(trace[i]) || l.Front.Vertices != trace[i].Frontier {
			t.Errorf("level %d: explored %s from %d vertices, the search %s from %d",
				i, got, l.Front.Vertices, trace[i].Step, trace[i].Frontier)
		}
		for j, took := range l.Times {
			if took <= 0 {
				t.Errorf("level %d, %s: %v", i, Steps()[j].Name, took)
			}
		}
	}
}

// directionOf is the step of a level without the form of a top-down one.
func directionOf(l hops.Level) string { return strings.TrimSuffix(l.Step, "-bins") }

// connected is a vertex of the graph that buildKronecker makes.
const connected = 684

func buildKronecker(t *testing.T, opts Options) *Searcher {
	t.Helper()
	src, err := edge.NewKronecker(10, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Build(t.Context(), src, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func levelsOf(t *testing.T, opts Options) []hops.Level {
	t.Helper()
	trace, err := buildKronecker(t, opts).Search(t.Context(), connected, hops.NewTree(1<<10))
	if err != nil {
		t.Fatal(err)
	}
	if len(trace.Levels) < 3 {
		t.Fatalf("%d levels: nothing to see", len(trace.Levels))
	}
	return trace.Levels
}
