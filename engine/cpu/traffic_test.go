package cpu

import (
	"context"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
)

func TestLinesTouched(t *testing.T) {
	const n = 1 << 20
	if all, none := linesTouched(n, n), linesTouched(n, 0); all != n/perLine || none != 0 {
		t.Errorf("all vertices touch %d lines, none %d; there are %d", all, none, n/perLine)
	}
	for k := int64(1); k <= n; k *= 4 {
		if got := linesTouched(n, k); got > k || got > n/perLine || got < min(k, n/perLine)/2 {
			t.Errorf("%d vertices touch %d lines", k, got)
		}
	}
}

// TestTraffic holds the traffic of every level against what no level can do without:
// a probe for each entry examined, a bit for each vertex bottom-up and a line for each
// parent that is written top-down.
func TestTraffic(t *testing.T) {
	src, err := edge.NewKronecker(12, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, direction := range []string{"top-down", "bottom-up", "split"} {
		s, err := Build(context.Background(), src, Options{Threads: 2, Direction: direction})
		if err != nil {
			t.Fatal(err)
		}
		tree := hops.NewTree(src.NumVertices())
		trace, err := s.Search(context.Background(), largestHub(s.graph), tree)
		if err != nil {
			t.Fatal(err)
		}
		open := s.Footprint().Vertices - 1
		for i := range trace.Levels {
			l := &trace.Levels[i]
			got := s.Traffic(l, open)
			open -= l.Found
			switch {
			case got.Probes != l.Examined,
				direction != "top-down" && got.Streamed < (1<<12)/8,
				direction == "top-down" && (got.Lines < l.Found+l.Frontier || got.Streamed < 4*l.Examined):
				t.Errorf("%s level %+v: %+v", direction, *l, got)
			}
		}
		if open < 0 || open > s.Footprint().Vertices/8 {
			t.Errorf("%s: %d vertices left open", direction, open)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// largestHub returns the vertex with the most neighbours.
func largestHub(g *graph.Graph) (v hops.Vertex) {
	for u := range g.NumVertices() {
		if g.Out.Degree(uint32(u)) > g.Out.Degree(uint32(v)) {
			v = u
		}
	}
	return v
}
