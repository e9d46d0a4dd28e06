package query_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/query"
)

func build(t interface{ Fatal(...any) }, src hops.Source) *graph.Graph {
	g, err := csr.Build(context.Background(), src, 2)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The path exists edge by edge and is as long as a walk says it must be.
func TestShortestPath(t *testing.T) {
	found, none := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64Range(1, 60).Draw(t, "n")
		vertex := rapid.Map(rapid.Uint64Range(0, n-1), func(v uint64) hops.Vertex { return hops.Vertex(v) })
		var edges []hops.Edge
		for range rapid.IntRange(0, 90).Draw(t, "m") {
			edges = append(edges, hops.Edge{U: vertex.Draw(t, "u"), V: vertex.Draw(t, "v")})
		}
		var src hops.Source = edge.List(edges, hops.Vertex(n))
		if rapid.Bool().Draw(t, "directed") {
			src = hops.Directed(src)
		}
		g := build(t, src)
		defer g.Close()
		from, to := vertex.Draw(t, "from"), vertex.Draw(t, "to")
		distance := -1
		if err := graph.Walk(g, from, func(v hops.Vertex, depth int) bool {
			if v == to {
				distance = depth
			}
			return v != to
		}); err != nil {
			t.Fatal(err)
		}
		got, err := query.ShortestPath(context.Background(), g, from, to)
		if err != nil || len(got) != distance+1 {
			t.Fatalf("%v, %v: want %d hops", got, err, distance)
		}
		if distance < 0 {
			none++
			return
		}
		found++
		if got[0] != from || got[distance] != to {
			t.Fatalf("%v does not lead from %d to %d", got, from, to)
		}
		for i := range distance {
			there, back := hops.Edge{U: got[i], V: got[i+1]}, hops.Edge{U: got[i+1], V: got[i]}
			if !slices.Contains(edges, there) && (g.Directed || !slices.Contains(edges, back)) {
				t.Fatalf("%v: there is no edge from %d to %d", got, got[i], got[i+1])
			}
		}
	})
	if !testing.Short() && (found == 0 || none == 0) { // a short run draws few
		t.Errorf("%d paths and %d times none: one of them never", found, none)
	}
}

func TestPathRefusals(t *testing.T) {
	g := build(t, edge.List([]hops.Edge{{U: 0, V: 1}}, 3))
	if _, err := query.ShortestPath(t.Context(), g, 0, 3); err == nil {
		t.Error("a vertex beyond the last was accepted")
	}
	dead, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := query.ShortestPath(dead, g, 0, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A question about a graph of a million edges, for comparison with a whole search.
func BenchmarkShortestPath(b *testing.B) {
	src, err := edge.NewKronecker(16, 16, 2, 3)
	if err != nil {
		b.Fatal(err)
	}
	g := build(b, src)
	defer g.Close()
	var ends []hops.Vertex
	for v := range g.NumVertices() {
		if g.Degree(v) > 0 && len(ends) < 64 {
			ends = append(ends, v)
		}
	}
	i := 0
	for b.Loop() {
		i++
		if _, err := query.ShortestPath(context.Background(), g, ends[i%64], ends[(i+32)%64]); err != nil {
			b.Fatal(err)
		}
	}
}
