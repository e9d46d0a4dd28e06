package level_test

import (
	"testing"

	"github.com/gohops/hops/internal/testing/leveltest"
	"github.com/gohops/hops/level"
)

func TestAlphaBeta(t *testing.T) {
	p := level.AlphaBeta{Alpha: 10, Beta: 20}
	for _, tt := range []struct {
		name string
		f    level.Front
		want level.Step
	}{
		{"few edges stay top-down", level.Front{Edges: 100, Remaining: 1000}, leveltest.Down},
		{"more than 1/alpha of the edges turn", level.Front{Edges: 101, Remaining: 1000}, leveltest.Up},
		{"enough vertices stay bottom-up", level.Front{Last: level.BottomUp, Vertices: 50, Unvisited: 1000}, leveltest.Up},
		{"fewer than 1/beta of the vertices turn back", level.Front{Last: level.BottomUp, Vertices: 49, Unvisited: 1000}, leveltest.Down},
		{"bottom-up does not look at edges", level.Front{Last: level.BottomUp, Vertices: 50, Unvisited: 1000, Remaining: 1 << 40}, leveltest.Up},
		{"a split level counts as bottom-up", level.Front{Last: level.Split, Vertices: 49, Unvisited: 1000, Edges: 1 << 40}, leveltest.Down},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := p.Next(tt.f, leveltest.Steps); got != tt.want {
				t.Errorf("%s, want %s", got.Name, tt.want.Name)
			}
		})
	}
}

func TestFixed(t *testing.T) {
	for _, s := range leveltest.Steps {
		for _, f := range []level.Front{{}, {Last: level.BottomUp, Edges: 1 << 40}} {
			if got := (level.Fixed{s.Direction}).Next(f, leveltest.Steps); got != s {
				t.Errorf("%v takes %s", s.Direction, got.Name)
			}
		}
	}
	if got := (level.Fixed{Direction: level.Split}).Next(level.Front{}, []level.Step{leveltest.Up, leveltest.Down}); got != leveltest.Up {
		t.Errorf("a direction that the machine has not is %s, want its first step", got.Name)
	}
}

func TestPlan(t *testing.T) {
	p := level.Plan{"split", "bottom-up", "sideways", "bottom-up"}
	for depth, want := range []level.Step{leveltest.Split, leveltest.Up, leveltest.Down, leveltest.Up, leveltest.Up, leveltest.Up} {
		if got := p.Next(level.Front{Depth: int32(depth)}, leveltest.Steps); got != want {
			t.Errorf("level %d: %s, want %s", depth, got.Name, want.Name)
		}
	}
	if got := (level.Plan{}).Next(level.Front{}, leveltest.Steps); got != leveltest.Down {
		t.Errorf("an empty plan takes %s, want the first step", got.Name)
	}
}
