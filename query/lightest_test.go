package query_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/testing/oracle"
	"github.com/gohops/hops/query"
)

// lightest fills p with the distances of the oracle.
func lightest(g *graph.Graph, root hops.Vertex, p *hops.Paths) {
	far, _ := oracle.Dijkstra(int(g.NumVertices()), oracle.Arcs[float64](func(v uint32) ([]uint32, []float32) {
		row, weights, _ := g.OutEdges(hops.Vertex(v))
		return row, weights
	}), uint32(root))
	p.Root = root
	copy(p.Double, far)
}

// landmarkCase is a graph of one kind of weights, with what a search for landmarks does.
func landmarkCase(t *rapid.T) (g *graph.Graph, asked *int, search query.DistanceSearch) {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 4))
	n := rapid.IntRange(2, 40).Draw(t, "n")
	draw := map[string]func() float32{
		"integers": func() float32 { return float32(r.IntN(5)) },
		"floats":   r.Float32,
		"octaves":  func() float32 { return float32(math.Ldexp(r.Float64(), r.IntN(60)-30)) },
		"zero":     func() float32 { return 0 },
	}[rapid.SampledFrom([]string{"integers", "floats", "octaves", "zero"}).Draw(t, "weights")]
	var edges []hops.Edge
	var weights []float32
	for range rapid.IntRange(1, 3*n).Draw(t, "m") {
		edges, weights = append(edges, hops.Edge{U: hops.Vertex(r.IntN(n)), V: hops.Vertex(r.IntN(n))}), append(weights, draw())
	}
	src := hops.Source(edge.List(edges, hops.Vertex(n)))
	if rapid.Bool().Draw(t, "directed") {
		src = hops.Directed(src)
	}
	g, err := csr.BuildWeighted(context.Background(), edge.WithWeights(src, weights), 1)
	if err != nil {
		t.Fatal(err)
	}
	asked = new(int)
	return g, asked, func(_ context.Context, root hops.Vertex, p *hops.Paths) (hops.Trace, error) {
		*asked++
		lightest(g, root, p)
		return hops.Trace{}, nil
	}
}

// Question after question has the answers of the textbook's algorithm, in every bit when landmarks
// are known, and they are made where edges lead both ways and questions have read enough.
func TestLightestPathsOneAfterAnother(t *testing.T) {
	learned := 0
	rapid.Check(t, func(t *rapid.T) {
		g, asked, search := landmarkCase(t)
		defer g.Close()
		l, err := query.NewLightestPaths(g, search)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			for from := range g.NumVertices() {
				want := hops.NewPaths(g.NumVertices())
				lightest(g, from, want)
				for to := range g.NumVertices() {
					path, far, err := l.Find(context.Background(), from, to)
					near := math.Abs(far-want.Double[to]) <= 1e-12*far
					if err != nil || far != want.Double[to] && (*asked > 0 || !near) || (path == nil) != math.IsInf(far, 1) {
						t.Fatalf("from %d to %d: %v, %v, %v, want %v; landmarks: %v", from, to, path, far, err, want.Double[to], *asked > 0)
					}
					if path != nil && (path[0] != from || path[len(path)-1] != to) {
						t.Fatalf("path %v from %d to %d", path, from, to)
					}
				}
			}
		}
		if g.Directed && *asked > 0 {
			t.Fatal("landmarks of a directed graph")
		}
		learned += *asked
	})
	if learned == 0 {
		t.Error("landmarks were never made")
	}
}

// Questions that read little make no landmarks, and where these cannot be made, questions are answered
// from both ends.
func TestWhenLandmarksAreMade(t *testing.T) {
	var edges []hops.Edge
	for v := range hops.Vertex(999) {
		edges = append(edges, hops.Edge{U: v, V: v + 1})
	}
	g, err := csr.BuildWeighted(context.Background(), edge.WithWeights(edge.List(edges, 1000), make([]float32, 999)), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	asked := 0
	l, err := query.NewLightestPaths(g, func(context.Context, hops.Vertex, *hops.Paths) (hops.Trace, error) {
		asked++
		return hops.Trace{}, errors.New("no memory")
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 60 {
		if path, _, err := l.Find(context.Background(), 0, 999); err != nil || len(path) != 1000 {
			t.Fatalf("question %d: %d vertices, %v", i, len(path), err)
		}
		if i == 10 && asked > 0 {
			t.Error("landmarks after ten questions")
		}
	}
	if asked != 1 {
		t.Errorf("landmarks were tried %d times", asked)
	}
	if _, _, err := l.Find(context.Background(), 0, 1000); err == nil {
		t.Error("a vertex that is not there: no error")
	}
}
