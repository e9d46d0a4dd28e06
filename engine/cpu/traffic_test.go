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
// a probe for each entry examined, a bit for each vertex bottom-up, and for each parent that is
// written top-down a line, or at least its bytes.
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
		trace, traffic, err := s.Traffic(context.Background(), largestHub(s.graph), tree)
		if err != nil {
			t.Fatal(err)
		}
		if len(traffic) != len(trace.Levels) {
			t.Fatalf("%s: %d levels have traffic, of %d", direction, len(traffic), len(trace.Levels))
		}
		for i := range trace.Levels {
			l, got := &trace.Levels[i], traffic[i]
			switch {
			case got.Probes != l.Examined,
				direction != "top-down" && got.Streamed < (1<<12)/8,
				direction == "top-down" && (got.Lines < linesOfRow*l.Frontier || got.Streamed < 4*l.Examined ||
					got.Lines*lineBytes+got.Streamed < 4*(l.Examined+l.Found)):
				t.Errorf("%s level %+v: %+v", direction, *l, got)
			}
		}
		if s.m.counted != nil || s.m.counting {
			t.Error("searches go on counting")
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// What a hub finds does not go through bins: with two workers, not when its row is divided
// among them nor when both read all of it; with many, the pieces of rows that are not divided do.
func TestCountsOfHubs(t *testing.T) {
	const leaves = 20_000 // entries: enough for several workers
	var star, divided []hops.Edge
	for v := hops.Vertex(1); v <= leaves; v++ {
		star = append(star, hops.Edge{U: 0, V: v})
		for i := range hops.Vertex(20) { // room for a copy of the hub's row
			divided = append(divided, hops.Edge{U: v, V: 1 + (v+1+i)%leaves})
		}
	}
	divided = append(divided, star...)
	for _, c := range []struct {
		edges   []hops.Edge
		threads int
		want    counts
	}{
		{star, 2, counts{maps: mapsDown, again: leaves}},
		{star, fewWorkers + 1, counts{maps: mapsDown, binned: leaves}},
		{divided, 2, counts{maps: mapsDown, ordered: leaves}},
	} {
		s, err := Build(context.Background(), edge.List(c.edges, leaves+1), Options{Threads: c.threads, Direction: "top-down"})
		if err != nil {
			t.Fatal(err)
		}
		var got []counts
		trace, err := s.search(context.Background(), 0, hops.NewTree(leaves+1), &got)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(trace.Levels) || got[0] != c.want {
			t.Errorf("%d threads: %+v, want %+v", c.threads, got, c.want)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A level by list passes over one bitmap, and over another to make the list.
func TestCountsOfBottomUpLevels(t *testing.T) {
	src, err := edge.NewKronecker(12, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Build(context.Background(), src, Options{Threads: 2, Direction: "bottom-up"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var got []counts
	trace, err := s.search(context.Background(), largestHub(s.graph), hops.NewTree(src.NumVertices()), &got)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range got {
		if !c.listed && c.maps < mapsUp || c.listed && c.maps > 3 || c.binned+c.again+c.ordered > 0 {
			t.Errorf("level %d of %d: %+v", i, len(trace.Levels), c)
		}
	}
	if first := got[0].tails; first.Streamed == 0 || first.Lines == 0 {
		t.Errorf("a level in which most heads miss touched %+v of tails", first)
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
