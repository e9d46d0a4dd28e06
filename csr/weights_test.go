package csr

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
)

// weighted is a list with weights.
type weighted struct {
	list
	weights  []float32
	directed bool
}

func (w weighted) Directed() bool { return w.directed }

func (w weighted) WeightsAt(dst []float32, off int64) (int, error) {
	return copy(dst, w.weights[off:]), nil
}

func withWeights(l list, directed bool) weighted {
	r := rand.New(rand.NewPCG(7, 8))
	w := weighted{list: l, directed: directed}
	for range l.edges {
		w.weights = append(w.weights, r.Float32())
	}
	return w
}

// checkWeights compares the weights of rows with the least of parallel edges.
func checkWeights(t *testing.T, g *graph.Graph, l weighted) {
	t.Helper()
	least := map[hops.Edge]float32{}
	for i, e := range l.edges {
		for range 2 {
			if w, ok := least[e]; !ok || l.weights[i] < w {
				least[e] = l.weights[i]
			}
			if !l.directed {
				e.U, e.V = e.V, e.U
			}
		}
	}
	for v := range uint32(g.NumVertices()) {
		for i, u := range g.Out.Row(v) {
			if got, want := g.Out.Weights[g.Out.Offsets[v]+int64(i)], least[hops.Edge{U: hops.Vertex(v), V: hops.Vertex(u)}]; got != want {
				t.Fatalf("entry %d of row %d weighs %v, want %v", u, v, got, want)
			}
		}
		for i, u := range g.In.Row(v) {
			if got, want := g.In.Weights[g.In.Offsets[v]+int64(i)], least[hops.Edge{U: hops.Vertex(u), V: hops.Vertex(v)}]; got != want {
				t.Fatalf("entry %d of row %d weighs %v, want %v, by the rows in", u, v, got, want)
			}
		}
	}
}

func TestWeightsFollowTheirEdges(t *testing.T) {
	defer func(n int) { sortedUpTo = n }(sortedUpTo)
	for _, sortedUpTo = range []int{1 << 20, 3000, 0} {
		for _, directed := range []bool{false, true} {
			l := withWeights(skewed(3000, 40_000), directed)
			g, err := BuildWeighted(context.Background(), l, 3)
			if err != nil {
				t.Fatal(err)
			}
			checkWeights(t, g, l)
			if directed {
				checkDirected(t, g, l.list)
			} else {
				checkAgainstRows(t, g, rows(l.list))
			}
			_ = g.Close()
		}
	}
}

// Where memory is short, rows are made in several rounds, and are the same.
func TestRoundsMakeTheSameRows(t *testing.T) {
	for _, directed := range []bool{false, true} {
		l := withWeights(skewed(1<<14, 1<<20), directed)
		n, m := l.NumVertices(), l.NumEdges()
		reads, peaks, graphs := [2]int64{}, [2]int64{}, [2]*graph.Graph{}
		for i, limit := range []int64{needAtOnce(n, m), NeedWeighted(n, m)} {
			c := &countedReads{weighted: l}
			g, err := buildWithin(context.Background(), c, c, 2, func(need int64) error {
				if need > limit {
					return errors.New("there is less")
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			defer g.Close()
			reads[i], graphs[i] = c.edges.Load()/m, g
			if _, peaks[i] = g.Memory(); peaks[i] > limit {
				t.Errorf("%d bytes, at most %d were to be used", peaks[i], limit)
			}
		}
		if want := [2]int64{2, 1 + rounds}; !directed && reads != want || directed && (reads[0] >= reads[1] || reads[0] > 5) {
			t.Errorf("directed %v: edges were read %d times", directed, reads)
		}
		a, b := graphs[0], graphs[1]
		for _, side := range [][2]graph.Rows{{a.Out, b.Out}, {a.In, b.In}} {
			if x, y := side[0], side[1]; !slices.Equal(x.Offsets, y.Offsets) || !slices.Equal(x.Neighbors, y.Neighbors) || !slices.Equal(x.Weights, y.Weights) {
				t.Errorf("directed %v: other rows", directed)
			}
		}
	}
}

// countedReads counts the edges that were read.
type countedReads struct {
	weighted
	edges atomic.Int64
}

func (c *countedReads) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	c.edges.Add(int64(len(dst)))
	return c.weighted.EdgesAt(dst, off)
}

func TestRefusesBadWeights(t *testing.T) {
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		l := withWeights(skewed(100, 500), false)
		l.weights[321] = float32(bad)
		if _, err := BuildWeighted(context.Background(), l, 2); err == nil || !strings.Contains(err.Error(), "edge 321, from") {
			t.Errorf("weight %v: error %v", bad, err)
		}
	}
	zero := withWeights(list{n: 2, edges: []hops.Edge{{U: 0, V: 1}}}, false)
	zero.weights[0] = float32(math.Copysign(0, -1))
	if g, err := BuildWeighted(context.Background(), zero, 1); err != nil || math.Float32bits(g.Out.Weights[0]) != 0 {
		t.Errorf("-0: %v", err)
	}
}
