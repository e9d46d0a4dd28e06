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

// plainEccentricities are those within a component by a walk from every vertex of it.
func plainEccentricities(t interface{ Fatal(...any) }, g *graph.Graph, c *query.Components) (all []int32, diameter, radius int) {
	radius = int(g.NumVertices())
	for v, root := range c.Root {
		if root != uint32(c.All[0].Lowest) {
			all = append(all, -1)
			continue
		}
		far := 0
		for u, d := range distances(t, g, hops.Vertex(v)) {
			if c.Root[u] == root {
				far = max(far, d)
			}
		}
		all, diameter, radius = append(all, int32(far)), max(diameter, far), min(radius, far)
	}
	return all, diameter, radius
}

func TestExtent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		defer g.Close()
		opts := query.ExtentOptions{All: rapid.Bool().Draw(t, "all"), Threads: rapid.IntRange(1, 2).Draw(t, "threads")}
		components, err := query.StronglyConnectedComponents(context.Background(), g, 1)
		if err != nil {
			t.Fatal(err)
		}
		want, diameter, radius := plainEccentricities(t, g, components)
		opts.Progress = func(x *query.Extent) { // bounds hold at any time
			if x.Diameter.Least > diameter || x.Diameter.Most < diameter || x.Radius.Least > radius || x.Radius.Most < radius {
				t.Fatalf("%+v: want diameter %d, radius %d", x, diameter, radius)
			}
		}
		x, err := query.FindExtent(context.Background(), g, opts)
		if err != nil || !x.Diameter.Exact() || !x.Radius.Exact() || x.Diameter.Least != diameter || x.Radius.Most != radius {
			t.Fatalf("%+v, %v: want diameter %d, radius %d", x, err, diameter, radius)
		}
		for v := range want {
			if x.Least[v] > want[v] || x.Most[v] < want[v] || opts.All && x.Least[v] != x.Most[v] {
				t.Fatalf("vertex %d: %d to %d, want %d", v, x.Least[v], x.Most[v], want[v])
			}
		}
		if c := components.All[0]; x.First != c.Lowest || x.Vertices != c.Size {
			t.Fatalf("%+v: want component %+v", x, c)
		}
	})
}

// Few searches are enough for a long path, a grid, and a directed ring with a short cut.
func TestExtentTakesFewSearches(t *testing.T) {
	ring := edge.List([]hops.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 2, V: 3}, {U: 3, V: 0}, {U: 0, V: 2}, {U: 3, V: 4}}, 5)
	for _, c := range []struct {
		graph            *graph.Graph
		diameter, radius int
	}{{path(t, 3001), 3000, 1500}, {grid(t, 41), 80, 40}, {build(t, hops.Directed(ring)), 3, 2}} {
		x, err := query.FindExtent(t.Context(), c.graph, query.ExtentOptions{})
		if err != nil || x.Diameter != (query.Bounds{Least: c.diameter, Most: c.diameter}) || x.Radius.Least != c.radius {
			t.Errorf("%+v %+v, %v: want %d and %d", x.Diameter, x.Radius, err, c.diameter, c.radius)
		}
		if x.Searches > 100 {
			t.Errorf("%d searches", x.Searches)
		}
	}
}

// An interrupted measurement returns what it knows.
func TestExtentInterrupted(t *testing.T) {
	g := grid(t, 31)
	ctx, cancel := context.WithCancel(t.Context())
	x, err := query.FindExtent(ctx, g, query.ExtentOptions{All: true, Progress: func(*query.Extent) { cancel() }})
	if !errors.Is(err, context.Canceled) || x == nil || x.Searches != 1 || x.Diameter.Least < 30 || x.Diameter.Most > 120 {
		t.Errorf("%+v, %v", x, err)
	}
	if x != nil && (x.Open == 0 || slices.Max(x.Most) != int32(x.Diameter.Most)) {
		t.Errorf("%d are open, diameter %+v", x.Open, x.Diameter)
	}
	if x, err := query.FindExtent(t.Context(), path(t, 1), query.ExtentOptions{}); err != nil || x.Vertices != 1 || x.Diameter.Most != 0 {
		t.Errorf("one vertex: %+v, %v", x, err)
	}
}
