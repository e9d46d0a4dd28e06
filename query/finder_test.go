package query_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/query"
)

// One finder answers all pairs of a graph one after another, each as a walk does.
func TestPathFinder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64Range(1, 90).Draw(t, "n")
		vertex := rapid.Map(rapid.Uint64Range(0, n-1), func(v uint64) hops.Vertex { return hops.Vertex(v) })
		var edges []hops.Edge
		for range rapid.IntRange(0, 150).Draw(t, "m") {
			edges = append(edges, hops.Edge{U: vertex.Draw(t, "u"), V: vertex.Draw(t, "v")})
		}
		var src hops.Source = edge.List(edges, hops.Vertex(n))
		if rapid.Bool().Draw(t, "directed") {
			src = hops.Directed(src)
		}
		g := build(t, src)
		defer g.Close()
		finder, from := query.NewPathFinder(g), vertex.Draw(t, "from")
		distances := make([]int, n)
		for v := range distances {
			distances[v] = -1
		}
		err := graph.Walk(g, from, func(v hops.Vertex, depth int) bool { distances[v] = depth; return true })
		if err != nil {
			t.Fatal(err)
		}
		for to, distance := range distances {
			path, err := finder.Find(context.Background(), nil, from, hops.Vertex(to))
			if err != nil || len(path) != distance+1 {
				t.Fatalf("%d to %d: %v, %v: want %d hops", from, to, path, err, distance)
			}
			if distance < 0 {
				continue
			}
			if path[0] != from || path[distance] != hops.Vertex(to) {
				t.Fatalf("%v does not lead from %d to %d", path, from, to)
			}
			for i := range distance {
				if !slices.Contains(slices.Collect(g.Neighbors(path[i])), path[i+1]) {
					t.Fatalf("%v: there is no edge from %d to %d", path, path[i], path[i+1])
				}
			}
		}
	})
}

func kronecker(t testing.TB, scale int) *graph.Graph {
	src, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	return build(t, src)
}

func TestPathFinderAllocatesNothing(t *testing.T) {
	g := kronecker(t, 12)
	defer g.Close()
	finder, path, i := query.NewPathFinder(g), make([]hops.Vertex, 0, 64), hops.Vertex(0)
	find := func() {
		i = (i*5 + 1) % g.NumVertices()
		if _, err := finder.Find(t.Context(), path, i, g.NumVertices()-1-i); err != nil {
			t.Fatal(err)
		}
	}
	for range 4096 { // every pair once
		find()
	}
	if n := testing.AllocsPerRun(4096, find); n != 0 {
		t.Errorf("a path takes %v allocations", n)
	}
}

func TestPathFinderRefusals(t *testing.T) {
	g := build(t, edge.List([]hops.Edge{{U: 0, V: 1}}, 3))
	defer g.Close()
	finder := query.NewPathFinder(g)
	if _, err := finder.Find(t.Context(), nil, 0, 3); err == nil {
		t.Error("a vertex beyond the last was accepted")
	}
	dead, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := finder.Find(dead, nil, 0, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if path, err := finder.Find(t.Context(), nil, 0, 1); err != nil || len(path) != 2 {
		t.Errorf("after it was cancelled: %v, %v", path, err)
	}
}

func BenchmarkPathFinder(b *testing.B) {
	g := kronecker(b, 16)
	defer g.Close()
	finder, path, i := query.NewPathFinder(g), make([]hops.Vertex, 0, 64), hops.Vertex(0)
	for b.Loop() {
		i = (i*5 + 1) % g.NumVertices()
		if _, err := finder.Find(context.Background(), path, i, g.NumVertices()-1-i); err != nil {
			b.Fatal(err)
		}
	}
}
