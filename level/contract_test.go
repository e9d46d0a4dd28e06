package level_test

import (
	"testing"

	"github.com/gohops/hops/internal/testing/enginetest"
	"github.com/gohops/hops/internal/testing/leveltest"
	"github.com/gohops/hops/level"
)

func TestPoliciesKeepNoState(t *testing.T) {
	for _, p := range []level.Policy{
		level.RuleOfThumb, level.Beamer, level.Checconi{}, level.Fixed{Direction: level.BottomUp}, level.Plan{"top-down", "split", "bottom-up"}, level.Plan{},
	} {
		enginetest.CheckPolicy(t, p, leveltest.Steps)
	}
}

// A level goes bottom-up if more edges are reachable than vertices are still to be visited,
// whatever the direction before it was.
func TestChecconi(t *testing.T) {
	for _, x := range []struct {
		edges, unvisited int64
		want             level.Direction
	}{{1, 100, level.TopDown}, {50, 50, level.TopDown}, {51, 50, level.BottomUp}, {3, 2, level.BottomUp}, {2, 3, level.TopDown}} {
		for _, last := range []level.Direction{level.TopDown, level.BottomUp} {
			f := level.Front{Vertices: 1, Edges: x.edges, Unvisited: x.unvisited, Remaining: 1000, Last: last}
			if got := (level.Checconi{}).Next(f, leveltest.Steps).Direction; got != x.want {
				t.Errorf("%d edges and %d vertices, after %v: %v, want %v", x.edges, x.unvisited, last, got, x.want)
			}
		}
	}
}

// Beamer's rule as published goes back top-down when the frontier has less than 1/24 of all
// vertices, and stays there when fewer are left.
func TestBeamer(t *testing.T) {
	for _, x := range []struct {
		vertices, edges, unvisited int64
		last, want                 level.Direction
	}{
		{10, 200, 2000, level.TopDown, level.BottomUp},
		{10, 50, 2000, level.TopDown, level.TopDown},
		{10, 200, 99, level.TopDown, level.TopDown},
		{100, 200, 50, level.BottomUp, level.BottomUp},
		{99, 200, 50, level.BottomUp, level.TopDown},
	} {
		f := level.Front{Size: 2400, Vertices: x.vertices, Edges: x.edges, Unvisited: x.unvisited, Remaining: 1400, Last: x.last}
		if got := level.Beamer.Next(f, leveltest.Steps).Direction; got != x.want {
			t.Errorf("%+v: %v, want %v", x, got, x.want)
		}
	}
}
