package query_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/query"
)

func componentsOf(t interface{ Fatal(...any) }, src hops.Source, threads int) *query.Components {
	g := build(t, src)
	defer g.Close()
	c, err := query.ConnectedComponents(context.Background(), g, threads)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// lowest spreads the lowest number of each component along all edges until
// nothing changes.
func lowest(edges []hops.Edge, n hops.Vertex) []uint32 {
	root := make([]uint32, n)
	for v := range root {
		root[v] = uint32(v)
	}
	for changed := true; changed; {
		changed = false
		for _, e := range edges {
			if low := min(root[e.U], root[e.V]); root[e.U] != low || root[e.V] != low {
				root[e.U], root[e.V] = low, low
				changed = true
			}
		}
	}
	return root
}

func checkComponents(t interface{ Fatalf(string, ...any) }, c *query.Components, want []uint32) {
	if !slices.Equal(c.Root, want) {
		t.Fatalf("roots %v, want %v", c.Root, want)
	}
	sizes := map[hops.Vertex]int64{}
	for _, r := range want {
		sizes[hops.Vertex(r)]++
	}
	for i, x := range c.All {
		if sizes[x.Lowest] != x.Size || i > 0 && c.All[i-1].Size < x.Size {
			t.Fatalf("component %d is %+v after %+v, want size %d", i, x, c.All[:i], sizes[x.Lowest])
		}
	}
	if len(c.All) != len(sizes) {
		t.Fatalf("%d components, want %d", len(c.All), len(sizes))
	}
}

func TestComponentsOfSmallGraphs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64Range(1, 60).Draw(t, "n")
		vertex := rapid.Map(rapid.Uint64Range(0, n-1), func(v uint64) hops.Vertex { return hops.Vertex(v) })
		var edges []hops.Edge
		for range rapid.IntRange(0, 60).Draw(t, "m") {
			edges = append(edges, hops.Edge{U: vertex.Draw(t, "u"), V: vertex.Draw(t, "v")})
		}
		var src hops.Source = edge.List(edges, hops.Vertex(n))
		if rapid.Bool().Draw(t, "directed") {
			src = hops.Directed(src)
		}
		checkComponents(t, componentsOf(t, src, rapid.IntRange(1, 3).Draw(t, "workers")), lowest(edges, hops.Vertex(n)))
	})
}

// Large enough for several workers to meet: sparse, so that there are many
// components, and with a long path.
func TestComponentsOfLargeGraphs(t *testing.T) {
	const n = 60_000
	r := rand.New(rand.NewPCG(1, 2))
	var edges []hops.Edge
	for range n * 6 / 10 {
		edges = append(edges, hops.Edge{U: hops.Vertex(r.IntN(n)), V: hops.Vertex(r.IntN(n))})
	}
	for v := range hops.Vertex(n / 10) { // a path among the others
		edges = append(edges, hops.Edge{U: v * 3, V: v*3 + 3})
	}
	want := lowest(edges, n)
	checkComponents(t, componentsOf(t, edge.List(edges, n), 4), want)
	checkComponents(t, componentsOf(t, hops.Directed(edge.List(edges, n)), 4), want)
}

func TestComponentsCancelled(t *testing.T) {
	g := build(t, edge.List(nil, 5))
	dead, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := query.ConnectedComponents(dead, g, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func BenchmarkConnectedComponents(b *testing.B) {
	src, err := edge.NewKronecker(18, 16, 2, 3)
	if err != nil {
		b.Fatal(err)
	}
	g := build(b, src)
	defer g.Close()
	for b.Loop() {
		if _, err := query.ConnectedComponents(b.Context(), g, 0); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*float64(g.NumEdges())/b.Elapsed().Seconds()/1e6, "Medges/s")
}
