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

// Two vertices are in one component if each is reached from the other.
func TestStrongComponents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		defer g.Close()
		got, err := query.StronglyConnectedComponents(context.Background(), g, 1)
		if err != nil {
			t.Fatal(err)
		}
		reached := make([]map[hops.Vertex]int, g.NumVertices())
		for v := range reached {
			reached[v] = distances(t, g, hops.Vertex(v))
		}
		want := make([]uint32, len(reached))
		for v := range want {
			want[v] = uint32(v)
			for u := range v {
				_, there := reached[v][hops.Vertex(u)]
				_, back := reached[u][hops.Vertex(v)]
				if there && back {
					want[v] = want[u]
					break
				}
			}
		}
		checkComponents(t, got, want)
	})
}

// Deep searches: a ring with vertices that lead to it and away from it, in a random order.
func TestStrongComponentsOfALongRing(t *testing.T) {
	const n, ring = 300_000, 200_000
	names := rand.New(rand.NewPCG(4, 5)).Perm(n)
	var edges []hops.Edge
	for v := range n - 1 { // leads through the ring and beyond
		edges = append(edges, hops.Edge{U: hops.Vertex(names[v]), V: hops.Vertex(names[v+1])})
	}
	start := 50_000
	edges = append(edges, hops.Edge{U: hops.Vertex(names[start+ring-1]), V: hops.Vertex(names[start])})
	g := build(t, hops.Directed(edge.List(edges, n)))
	got, err := query.StronglyConnectedComponents(t.Context(), g, 1)
	if err != nil {
		t.Fatal(err)
	}
	lowest := uint32(slices.Min(names[start : start+ring]))
	want := make([]uint32, n)
	for i, v := range names {
		if want[v] = uint32(v); i >= start && i < start+ring {
			want[v] = lowest
		}
	}
	checkComponents(t, got, want)
	dead, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := query.StronglyConnectedComponents(dead, g, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
