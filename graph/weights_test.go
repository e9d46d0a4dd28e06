package graph_test

import (
	"bytes"
	"context"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
)

// weightedGraph is a graph in which all entries have different weights.
func weightedGraph(t *testing.T, directed bool) *graph.Graph {
	t.Helper()
	list, err := edge.NewUniform(256, 8, 5)
	if err != nil {
		t.Fatal(err)
	}
	src := hops.Source(list)
	if directed {
		src = hops.Directed(list)
	}
	weights := make([]float32, list.NumEdges())
	for i := range weights {
		weights[i] = float32(i) / 8
	}
	g, err := csr.BuildWeighted(context.Background(), edge.WithWeights(src, weights), 2)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestFilesKeepWeights(t *testing.T) {
	for _, directed := range []bool{false, true} {
		g := weightedGraph(t, directed)
		file := fileOf(t, g)
		got, err := graph.ReadGraph(bytes.NewReader(file), "stream")
		if err != nil {
			t.Fatal(err)
		}
		for v := range g.NumVertices() { // before all is verified
			row, weights, err := got.OutEdges(v)
			if want := g.Out.Weights[g.Out.Offsets[v]:g.Out.Offsets[v+1]]; err != nil || !slices.Equal(weights, want) || !slices.Equal(row, g.Out.Row(uint32(v))) {
				t.Fatalf("vertex %d: %v %v, want %v", v, err, weights, want)
			}
		}
		if err := got.Verify(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(g, got, same); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestVerifyChecksWeights(t *testing.T) {
	for name, change := range map[string]func(g *graph.Graph){
		"out":       func(g *graph.Graph) { g.Out.Weights[9]++ },
		"in":        func(g *graph.Graph) { g.In.Weights[9] *= 2 },
		"exchanged": func(g *graph.Graph) { w := g.Out.Weights; w[3], w[4] = w[4], w[3] },
		"negative":  func(g *graph.Graph) { g.Out.Weights[3] = -1 },
		"infinite":  func(g *graph.Graph) { g.In.Weights[3] = float32(math.Inf(1)) },
		"missing":   func(g *graph.Graph) { g.Out.Weights = g.Out.Weights[1:] },
	} {
		for _, directed := range []bool{false, true} {
			g := weightedGraph(t, directed)
			change(g)
			if _, err := reopen(t, g); err == nil {
				t.Errorf("%s: a damaged graph (directed %v) is accepted", name, directed)
			}
		}
	}
}
