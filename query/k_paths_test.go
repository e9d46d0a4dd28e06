package query_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/testing/checktest"
	"github.com/gohops/hops/query"
)

// simplePaths are the lengths of all paths that visit no vertex twice.
func simplePaths(g *graph.Graph, path []hops.Vertex, to hops.Vertex, length float64, weighted bool) (all []float64) {
	last := path[len(path)-1]
	if last == to {
		return []float64{length}
	}
	row, weights, _ := g.OutEdges(last)
	for i, u := range row {
		if slices.Contains(path, hops.Vertex(u)) {
			continue
		}
		step := 1.0
		if weighted {
			step = float64(weights[i])
		}
		all = append(all, simplePaths(g, append(path, hops.Vertex(u)), to, length+step, weighted)...)
	}
	return all
}

// drawWeighted draws a small graph with weights that are integers, so that sums are exact.
func drawWeighted(t *rapid.T) *graph.Graph {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	n := hops.Vertex(rapid.IntRange(1, 9).Draw(t, "n"))
	edges := checktest.Random(r.Uint64(), 0, n, rapid.IntRange(0, 22).Draw(t, "m"))
	weights := make([]float32, len(edges))
	for i := range weights {
		weights[i] = float32(r.IntN(9))
	}
	src := hops.Source(edge.List(edges, n))
	if rapid.Bool().Draw(t, "directed") {
		src = hops.Directed(src)
	}
	g, err := csr.BuildWeighted(context.Background(), edge.WithWeights(src, weights), 1)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The paths are as long as the shortest of all, exist edge by edge, and differ.
func TestKShortestPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawWeighted(t)
		defer g.Close()
		vertex := rapid.Uint64Range(0, uint64(g.NumVertices())-1)
		from, to := hops.Vertex(vertex.Draw(t, "from")), hops.Vertex(vertex.Draw(t, "to"))
		weighted := rapid.Bool().Draw(t, "weighted")
		k := rapid.IntRange(1, 40).Draw(t, "k")
		got, err := query.KShortestPaths(context.Background(), g, from, to, k, weighted, rapid.IntRange(1, 3).Draw(t, "workers"))
		if err != nil {
			t.Fatal(err)
		}
		want := simplePaths(g, []hops.Vertex{from}, to, 0, weighted)
		slices.Sort(want)
		want = want[:min(k, len(want))]
		seen := map[string]bool{}
		lengths := []float64{}
		for _, p := range got {
			lengths = append(lengths, p.Length)
			seen[string(nameOf(p.Vertices))] = true
			if length, ok := lengthOf(g, p.Vertices, weighted); !ok || length != p.Length || p.Vertices[0] != from || p.Vertices[len(p.Vertices)-1] != to {
				t.Fatalf("%+v is no path from %d to %d of that length", p, from, to)
			}
		}
		if !slices.Equal(lengths, want) || len(seen) != len(got) {
			t.Fatalf("from %d to %d: %+v, want lengths %v", from, to, got, want)
		}
	})
}

func nameOf(path []hops.Vertex) (name []byte) {
	for _, v := range path {
		name = append(name, byte(v))
	}
	return name
}

// lengthOf sums up a path that visits no vertex twice, if it exists.
func lengthOf(g *graph.Graph, path []hops.Vertex, weighted bool) (length float64, ok bool) {
	for i := 1; i < len(path); i++ {
		row, weights, _ := g.OutEdges(path[i-1])
		at := slices.Index(row, uint32(path[i]))
		if at < 0 || slices.Contains(path[:i], path[i]) {
			return 0, false
		}
		if !weighted {
			length++
		} else {
			length += float64(weights[at])
		}
	}
	return length, true
}

// From corner to corner of a grid of 3 × 3 squares there are 20 paths of 6 hops. The next
// ones have 8.
func TestKShortestPathsOfAGrid(t *testing.T) {
	got, err := query.KShortestPaths(t.Context(), grid(t, 4), 0, 15, 22, false, 2)
	if err != nil || len(got) != 22 {
		t.Fatalf("%d paths, %v", len(got), err)
	}
	for i, p := range got {
		if want := []float64{6, 8}[i/20]; p.Length != want {
			t.Errorf("path %d has %v hops, want %v", i, p.Length, want)
		}
	}
	if !slices.IsSortedFunc(got[:20], func(a, b query.KPath) int { return slices.Compare(a.Vertices, b.Vertices) }) {
		t.Errorf("%v: equal paths are not in order", got[:20])
	}
}

func TestKShortestPathsEnds(t *testing.T) {
	g := path(t, 9)
	dead, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := query.KShortestPaths(dead, g, 0, 8, 3, false, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := query.KShortestPaths(t.Context(), g, 0, 99, 3, false, 1); err == nil {
		t.Error("a vertex beyond the last was accepted")
	}
	if _, err := query.KShortestPaths(t.Context(), g, 0, 8, 3, true, 1); !errors.Is(err, query.ErrNoWeights) {
		t.Errorf("without weights: %v", err)
	}
	if p, err := query.KShortestPaths(t.Context(), g, 0, 9, 3, false, 1); err != nil || p != nil {
		t.Errorf("to a vertex apart: %v, %v", p, err)
	}
}
