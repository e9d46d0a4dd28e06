package cluster

import "testing"

// Every step is timed on every level, whatever the policy took.
func TestExplore(t *testing.T) {
	s := mustBuild(t, kronecker(t, 10), Options{Ranks: 3, Threads: 1})
	levels, err := s.Explore(t.Context(), 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(levels) < 3 {
		t.Fatalf("%d levels", len(levels))
	}
	for depth, l := range levels {
		if len(l.Times) != len(s.Steps()) {
			t.Fatalf("level %d: %d times for %d steps", depth, len(l.Times), len(s.Steps()))
		}
		for i, took := range l.Times {
			if took <= 0 {
				t.Errorf("level %d: %s took %v", depth, s.Steps()[i].Name, took)
			}
		}
	}
}
