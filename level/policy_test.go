package level

import "testing"

func TestAlphaBeta(t *testing.T) {
	p := AlphaBeta{Alpha: 10, Beta: 20}
	for _, tt := range []struct {
		name string
		f    Front
		want Step
	}{
		{"few edges stay top-down", Front{Edges: 100, Remaining: 1000}, down},
		{"more than 1/alpha of the edges turn", Front{Edges: 101, Remaining: 1000}, up},
		{"enough vertices stay bottom-up", Front{Last: BottomUp, Vertices: 50, Unvisited: 1000}, up},
		{"fewer than 1/beta of the vertices turn back", Front{Last: BottomUp, Vertices: 49, Unvisited: 1000}, down},
		{"bottom-up does not look at edges", Front{Last: BottomUp, Vertices: 50, Unvisited: 1000, Remaining: 1 << 40}, up},
		{"a split level counts as bottom-up", Front{Last: Split, Vertices: 49, Unvisited: 1000, Edges: 1 << 40}, down},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := p.Next(tt.f, allSteps); got != tt.want {
				t.Errorf("%s, want %s", got.Name, tt.want.Name)
			}
		})
	}
}

func TestFixed(t *testing.T) {
	for _, s := range allSteps {
		for _, f := range []Front{{}, {Last: BottomUp, Edges: 1 << 40}} {
			if got := (Fixed{s.Direction}).Next(f, allSteps); got != s {
				t.Errorf("%v takes %s", s.Direction, got.Name)
			}
		}
	}
	if got := (Fixed{Split}).Next(Front{}, []Step{up, down}); got != up {
		t.Errorf("a direction that the machine has not is %s, want its first step", got.Name)
	}
}

func TestPlan(t *testing.T) {
	p := Plan{"split", "bottom-up", "sideways", "bottom-up"}
	for depth, want := range []Step{split, up, down, up, up, up} {
		if got := p.Next(Front{Depth: int32(depth)}, allSteps); got != want {
			t.Errorf("level %d: %s, want %s", depth, got.Name, want.Name)
		}
	}
	if got := (Plan{}).Next(Front{}, allSteps); got != down {
		t.Errorf("an empty plan takes %s, want the first step", got.Name)
	}
}
