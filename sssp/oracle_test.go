package sssp

import (
	"context"
	"math"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/testing/oracle"
)

// dijkstra is the oracle with sums of one width.
func dijkstra[D distance](g *graph.Graph, root hops.Vertex) []D {
	far, _ := oracle.Dijkstra(int(g.NumVertices()), oracle.Arcs[D](func(v uint32) ([]uint32, []float32) {
		row, weights, _ := g.OutEdges(hops.Vertex(v))
		return row, weights
	}), uint32(root))
	return far
}

// checkPaths compares distances with Dijkstra's in every bit, and parents with edges.
func checkPaths(t fataler, g *graph.Graph, root hops.Vertex, p *hops.Paths) {
	t.Helper()
	single, double := []float32(nil), []float64(nil)
	if p.Double == nil {
		single = dijkstra[float32](g, root)
	} else {
		double = dijkstra[float64](g, root)
	}
	for v := range g.NumVertices() {
		var want float64
		if single != nil {
			want = float64(single[v])
		} else {
			want = double[v]
		}
		if got := p.Distance(v); got != want {
			t.Fatalf("root %d: vertex %d is %v away, want %v", root, v, got, want)
		}
		if p.Has(v) != !math.IsInf(want, 1) || v != root && p.Has(v) && !tight(g, p, v) {
			t.Fatalf("root %d: vertex %d, %v away, has parent %d", root, v, want, p.Parent(v))
		}
		if p.Has(v) && p.Level(v) < 0 {
			t.Fatalf("root %d: the parents of %d do not lead to the root", root, v)
		}
	}
}

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// tight tells whether the edge from the parent of v makes its distance.
func tight(g *graph.Graph, p *hops.Paths, v hops.Vertex) bool {
	row, weights, _ := g.InEdges(v)
	for i, u := range row {
		if hops.Vertex(u) != p.Parent(v) {
			continue
		}
		if p.Double == nil {
			return p.Single[u]+weights[i] == p.Single[v]
		}
		return p.Double[u]+float64(weights[i]) == p.Double[v]
	}
	return false
}

func weightedGraph(t fataler, src hops.WeightedSource) *graph.Graph {
	t.Helper()
	g, err := csr.BuildWeighted(context.Background(), src, 2)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return g
}

func kronecker(t fataler, scale int) *graph.Graph {
	t.Helper()
	src, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return weightedGraph(t, src)
}

func newSearcher(t *testing.T, g *graph.Graph, opts Options) *Searcher {
	t.Helper()
	s, err := New(g, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}
