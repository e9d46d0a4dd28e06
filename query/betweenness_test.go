package query_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/query"
)

// plainBetweenness sums up, for every ordered pair and every vertex between, the share of
// shortest paths that go by it: the paths to it times those from it.
func plainBetweenness(t interface{ Fatal(...any) }, g *graph.Graph, sources []hops.Vertex) []float64 {
	n := int(g.NumVertices())
	far, paths := make([][]int, n), make([][]float64, n)
	for s := range n {
		far[s], paths[s] = make([]int, n), make([]float64, n)
		for v := range n {
			far[s][v] = -1
		}
		for v, d := range distances(t, g, hops.Vertex(s)) {
			far[s][v] = d
		}
		paths[s][s] = 1
		for level := 1; level < n; level++ {
			for v := range n {
				if far[s][v] == level {
					for u := range g.InNeighbors(hops.Vertex(v)) {
						if far[s][u] == level-1 {
							paths[s][v] += paths[s][u]
						}
					}
				}
			}
		}
	}
	sums := make([]float64, n)
	for _, s := range sources {
		for to := range n {
			for v := range n {
				if d := far[s][to]; d > 0 && v != int(s) && v != to && far[s][v] >= 0 && far[v][to] >= 0 && far[s][v]+far[v][to] == d {
					sums[v] += paths[s][v] * paths[v][to] / paths[s][to]
				}
			}
		}
	}
	return sums
}

func TestBetweenness(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawDense(t)
		defer g.Close()
		n := int(g.NumVertices())
		opts := query.BetweennessOptions{Raw: rapid.Bool().Draw(t, "raw"), Threads: rapid.IntRange(1, 3).Draw(t, "threads"), Seed: rapid.Uint64().Draw(t, "seed")}
		opts.Samples = rapid.IntRange(0, n+1).Draw(t, "samples")
		all := query.Sample(g, n, 0)
		sources := all
		if opts.Samples > 0 {
			sources = query.Sample(g, opts.Samples, opts.Seed)
		}
		got, err := query.Betweenness(context.Background(), g, opts)
		if err != nil || got.Sources != len(sources) || got.Exact != (len(sources) == len(all)) {
			t.Fatalf("%+v, %v: want %d sources", got, err, len(sources))
		}
		scale := float64(len(all)) / max(1, float64(len(sources)))
		if !opts.Raw {
			scale /= max(1, float64((n-1)*(n-2)))
		} else if !g.Directed {
			scale /= 2
		}
		for v, want := range plainBetweenness(t, g, sources) {
			if math.Abs(got.Of[v]-want*scale) > 1e-9*max(1, want*scale) {
				t.Fatalf("vertex %d: %g, want %g", v, got.Of[v], want*scale)
			}
		}
	})
}

// The result is the same to the last bit for any number of workers, on a graph with more
// sources than one search takes.
func TestBetweennessIsReproducible(t *testing.T) {
	src, err := edge.NewKronecker(9, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	g := build(t, src)
	var first query.BetweennessResult
	calls := 0
	for _, threads := range []int{1, 2, 5} {
		got, err := query.Betweenness(t.Context(), g, query.BetweennessOptions{Threads: threads, Samples: 100, Seed: 7, Progress: func(done, total int) {
			if calls++; total != 100 || done > total {
				t.Errorf("%d of %d", done, total)
			}
		}})
		if err != nil || got.Sources != 100 || got.Exact {
			t.Fatalf("%d sources, %v", got.Sources, err)
		}
		if first.Of == nil {
			first = got
		}
		if !slices.Equal(got.Of, first.Of) {
			t.Errorf("%d workers find something else than one", threads)
		}
	}
	if calls != 3*14 {
		t.Errorf("progress was told %d times", calls)
	}
}

func TestBetweennessEnds(t *testing.T) {
	dead, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := query.Betweenness(dead, path(t, 9), query.BetweennessOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	// A chain of diamonds doubles the number of paths 1,100 times.
	var edges []hops.Edge
	for i := range hops.Vertex(1100) {
		a := 3 * i
		edges = append(edges, hops.Edge{U: a, V: a + 1}, hops.Edge{U: a, V: a + 2}, hops.Edge{U: a + 1, V: a + 3}, hops.Edge{U: a + 2, V: a + 3})
	}
	g := build(t, edge.List(edges, 3301))
	if _, err := query.Betweenness(t.Context(), g, query.BetweennessOptions{Samples: 1}); err != nil && !errors.Is(err, query.ErrTooManyPaths) {
		t.Error(err)
	}
	if _, err := query.Betweenness(t.Context(), g, query.BetweennessOptions{}); !errors.Is(err, query.ErrTooManyPaths) {
		t.Errorf("2^1100 paths: %v", err)
	}
	if b, err := query.Betweenness(t.Context(), build(t, edge.List(nil, 3)), query.BetweennessOptions{}); err != nil || len(b.Of) != 3 {
		t.Errorf("no edges: %+v, %v", b, err)
	}
}

func BenchmarkBetweenness(b *testing.B) {
	src, err := edge.NewKronecker(16, 16, 2, 3)
	if err != nil {
		b.Fatal(err)
	}
	g := build(b, src)
	defer g.Close()
	for b.Loop() {
		if _, err := query.Betweenness(b.Context(), g, query.BetweennessOptions{Samples: 64}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*64*float64(g.NumEdges())/b.Elapsed().Seconds()/1e6, "Medges/s")
}
