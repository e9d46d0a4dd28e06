package cpu

import (
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/testing/enginetest"
)

// TestPlain searches a graph that is not remapped.
func TestPlain(t *testing.T) {
	for _, direction := range []string{"", stepSplit, stepBottomUp} {
		t.Run(direction, func(t *testing.T) {
			e := engine(Options{Layout: Plain, Direction: direction, Threads: 2})
			e.MaxPath, e.MaxScale, e.Roots = 30, 10, 1
			enginetest.Run(t, e)
		})
	}
}

// Without remapping, every bottom-up level looks for the vertices without an edge as well:
// once for each, beside what it does in the same rows without them.
func TestPlainLooksForIsolatedVertices(t *testing.T) {
	const isolated = 1000
	src := edge.List([]hops.Edge{{U: 0, V: 1}, {U: 0, V: 2}, {U: 1, V: 3}}, 4+isolated) // by degree as by label
	var examined [2][]int64
	for i, layout := range []string{"", Plain} {
		s, err := Build(t.Context(), src, Options{Layout: layout, Direction: stepBottomUp, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		trace, err := s.Search(t.Context(), 2, hops.NewTree(src.NumVertices()))
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range trace.Levels {
			examined[i] = append(examined[i], l.Examined)
		}
	}
	for d, n := range examined[0][:3] {
		if more := examined[1][d] - n; more != isolated {
			t.Errorf("level %d: %d entries more than the %d of a remapped graph, want %d", d, more, n, isolated)
		}
	}
	if _, err := Build(t.Context(), src, Options{Layout: "spiral"}); err == nil {
		t.Error("an unknown layout was accepted")
	}
}
