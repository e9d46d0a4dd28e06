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
	"github.com/gohops/hops/internal/testing/checktest"
	"github.com/gohops/hops/query"
)

// Weights are integers, so that sums are exact, and zero now and then.
func TestWeightedQuestions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		n := hops.Vertex(rapid.IntRange(1, 60).Draw(t, "n"))
		edges := checktest.Random(r.Uint64(), 0, n, rapid.IntRange(0, 150).Draw(t, "m"))
		weights := make([]float32, len(edges))
		for i := range weights {
			weights[i] = float32(r.IntN(9))
		}
		directed := rapid.Bool().Draw(t, "directed")
		src := hops.Source(edge.List(edges, n))
		if directed {
			src = hops.Directed(src)
		}
		g, err := csr.BuildWeighted(context.Background(), edge.WithWeights(src, weights), 1)
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		from := hops.Vertex(r.IntN(int(n)))
		want := checktest.Shortest(n, edges, weights, from, directed)
		for to := range n {
			path, far, err := query.LightestPath(context.Background(), g, from, to)
			if err != nil || far != want.Distance(to) || (path == nil) != math.IsInf(far, 1) {
				t.Fatalf("from %d to %d: %v, %v, %v, want %v", from, to, path, far, err, want.Distance(to))
			}
			sum := 0.0
			for i := 1; i < len(path); i++ {
				row, weights, _ := g.OutEdges(path[i-1])
				step := math.Inf(1)
				for k, u := range row {
					if hops.Vertex(u) == path[i] {
						step = float64(weights[k])
					}
				}
				sum += step
			}
			if path != nil && (sum != far || path[0] != from || path[len(path)-1] != to) {
				t.Fatalf("path %v weighs %v, not %v", path, sum, far)
			}
		}
		last, seen := 0.0, 0
		radius := float64(r.IntN(20))
		if r.IntN(5) == 0 {
			radius = math.Inf(1)
		}
		err = query.WithinDistance(context.Background(), g, from, radius, func(v hops.Vertex, far float64) error {
			if far < last || far > radius || far != want.Distance(v) {
				t.Fatalf("vertex %d at %v after %v, want %v", v, far, last, want.Distance(v))
			}
			last, seen = far, seen+1
			return nil
		})
		for v := range n {
			if far := want.Distance(v); far <= radius && !math.IsInf(far, 1) {
				seen--
			}
		}
		if err != nil || seen != 0 {
			t.Fatalf("%d vertices too many: %v", seen, err)
		}
	})
}

func TestWeightedQuestionsNeedWeights(t *testing.T) {
	g, err := csr.Build(context.Background(), edge.List([]hops.Edge{{U: 0, V: 1}}, 2), 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := query.LightestPath(context.Background(), g, 0, 1); !errors.Is(err, query.ErrNoWeights) {
		t.Errorf("error %v", err)
	}
}
