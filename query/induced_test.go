package query_test

import (
	"context"
	"errors"
	"maps"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/query"
)

// namedEdges are the edges out of every vertex with their weights, by names.
func namedEdges(t interface{ Fatal(...any) }, g *graph.Graph, keep func(v hops.Vertex) bool) map[[2]string]float32 {
	all := map[[2]string]float32{}
	for v := range g.NumVertices() {
		row, weights, err := g.OutEdges(v)
		if err != nil {
			t.Fatal(err)
		}
		for i, u := range row {
			if keep(v) && keep(hops.Vertex(u)) {
				all[[2]string{g.Name(v), g.Name(hops.Vertex(u))}] = -1
				if weights != nil {
					all[[2]string{g.Name(v), g.Name(hops.Vertex(u))}] = weights[i]
				}
			}
		}
	}
	return all
}

func TestInduced(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		if rapid.Bool().Draw(t, "weighted") {
			_ = g.Close()
			g = drawWeighted(t)
		}
		defer g.Close()
		if rapid.Bool().Draw(t, "text") {
			var text []byte
			var ends []uint64
			for v := range g.NumVertices() {
				text = append(text, "vertex"+g.Name(v)...)
				ends = append(ends, uint64(len(text)))
			}
			names, err := graph.TextNames(text, ends)
			if err != nil {
				t.Fatal(err)
			}
			g.Names = names
		}
		kept := map[hops.Vertex]bool{}
		for v := range g.NumVertices() {
			if rapid.Bool().Draw(t, "keep") {
				kept[v] = true
			}
		}
		part, err := query.Induced(context.Background(), g, func(v hops.Vertex) bool { return kept[v] }, 1)
		if len(kept) == 0 {
			if !errors.Is(err, query.ErrNoVertices) {
				t.Fatal(err)
			}
			return
		}
		if err != nil || part.NumVertices() != hops.Vertex(len(kept)) || part.Directed != g.Directed || part.Loops != 0 {
			t.Fatalf("%+v, %v", part, err)
		}
		defer part.Close()
		all := func(hops.Vertex) bool { return true }
		if got, want := namedEdges(t, part, all), namedEdges(t, g, func(v hops.Vertex) bool { return kept[v] }); !maps.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
		for v := range part.NumVertices() {
			if old, ok := g.Lookup(part.Name(v)); !ok || !kept[old] {
				t.Fatalf("vertex %d is called %s", v, part.Name(v))
			}
			if found, ok := part.Lookup(part.Name(v)); !ok || found != v {
				t.Fatalf("%s is vertex %d, found %d", part.Name(v), v, found)
			}
		}
	})
}

func TestInducedCancelled(t *testing.T) {
	dead, cancel := context.WithCancel(t.Context())
	cancel()
	g := build(t, edge.List([]hops.Edge{{U: 0, V: 1}}, 2))
	if _, err := query.Induced(dead, g, func(hops.Vertex) bool { return true }, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
