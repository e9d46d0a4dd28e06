package cpu

import (
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/level"
)

// A curious policy decides as another, and keeps what it was shown.
type curious struct {
	level.Policy
	fronts []level.Front
}

func (c *curious) Next(f level.Front, steps []level.Step) level.Step {
	c.fronts = append(c.fronts, f)
	return c.Policy.Next(f, steps)
}

// Work is predicted for a policy that may look at it, and for a rule that does not it
// makes no difference.
func TestWorkIsPredictedWhereItIsAskedFor(t *testing.T) {
	src, err := edge.NewKronecker(12, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range []level.Policy{level.RuleOfThumb, level.Fixed{Direction: level.TopDown}} {
		asks := &curious{Policy: rule}
		var plans [][]string
		for _, p := range []level.Policy{rule, asks} {
			s, err := Build(t.Context(), src, Options{Threads: 2, Policy: p})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			trace, err := s.Search(t.Context(), connected, hops.NewTree(src.NumVertices()))
			if err != nil {
				t.Fatal(err)
			}
			var plan []string
			for _, l := range trace.Levels {
				plan = append(plan, directionOf(l))
			}
			plans = append(plans, plan)
			if s.m.unasked {
				t.Error("the next search may have another policy")
			}
		}
		if !slices.Equal(plans[0], plans[1]) {
			t.Errorf("%v: steps %v, and %v with predictions", rule, plans[0], plans[1])
		}
		if !slices.ContainsFunc(asks.fronts, func(f level.Front) bool { return f.Work[level.BottomUp] > f.Unvisited }) {
			t.Errorf("%v: no level bottom-up was expected to take more than a look at each vertex", rule)
		}
	}
}

// Without a question, no row is probed: the frontier of a small level stays a list.
func TestNoRowIsProbedForNobody(t *testing.T) {
	src, err := edge.NewKronecker(12, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Build(t.Context(), src, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	seen := 0
	for root := range src.NumVertices() {
		for _, unasked := range []bool{true, false} {
			s.m.parents, s.m.unasked = hops.NewTree(src.NumVertices()).Narrow, unasked
			if _, err := s.m.Seed(root); err != nil {
				t.Fatal(err)
			}
			f, _, err := s.m.Run(steps[level.TopDown])
			if err != nil {
				t.Fatal(err)
			}
			if f.Vertices == 0 || clearlySmall(f.Edges, &f) || f.Edges > f.Remaining/largeShare {
				continue // the direction is clear
			}
			seen++
			if s.m.hasFront == unasked || f.Work[level.TopDown] != f.Edges || f.Work[level.BottomUp] < f.Unvisited {
				t.Errorf("root %d, unasked %v: the frontier is a bitmap: %v, front %+v", root, unasked, s.m.hasFront, f)
			}
		}
		if seen > 20 {
			return
		}
	}
	t.Errorf("%d frontiers for which the direction is not clear", seen)
}
