package csr

import (
	"context"
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

// Rows are the same whether they are made in place, or in several rounds because a bucket is too large for that, and
// take no more memory than promised.
func TestRoundsMakeTheSameRows(t *testing.T) {
	defer func(n int) { sortedUpTo = n }(sortedUpTo)
	even, hub := list{n: 1 << 14}, skewed(1<<14, 1<<20)
	r := rand.New(rand.NewPCG(3, 4))
	for range 3 << 19 {
		even.edges = append(even.edges, hops.Edge{U: hops.Vertex(r.IntN(1 << 14)), V: hops.Vertex(r.IntN(1 << 14))})
	}
	for _, c := range []struct {
		name    string
		list    list
		inPlace []int // bounds of the buckets that are sorted in a cache, of rows that are made in place
		rounds  []int // … and in several rounds
	}{
		{"even rows", even, []int{1 << 20, 100}, nil},
		{"a long row", hub, []int{1 << 20}, []int{100}},
	} {
		for _, directed := range []bool{false, true} {
			l := withWeights(c.list, directed)
			reference := buildCounted(t, l, c.inPlace[0], 1)
			for _, sortedUpTo := range c.inPlace[1:] {
				sameRows(t, c.name, reference, buildCounted(t, l, sortedUpTo, 1))
			}
			for _, sortedUpTo := range c.rounds {
				sameRows(t, c.name, reference, buildCounted(t, l, sortedUpTo, rounds))
			}
		}
	}
}

// buildCounted builds a graph with a bound of the buckets that are sorted in a cache, and counts the rounds and the memory.
func buildCounted(t *testing.T, l weighted, bound int, rounds int64) *graph.Graph {
	t.Helper()
	sortedUpTo = bound
	c := &countedReads{weighted: l}
	g, err := BuildWeighted(context.Background(), c, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	reads, m := int64(1), l.NumEdges()
	if l.directed {
		reads = 3 // for both sides together, and for each
		rounds *= 2
	}
	if got := c.edges.Load() / m; got != reads+rounds {
		t.Errorf("directed %v, bound %d: edges were read %d times, want %d", l.directed, bound, got, reads+rounds)
	}
	if _, peak := g.Memory(); peak > NeedWeighted(l.NumVertices(), m) {
		t.Errorf("directed %v, bound %d: %d bytes, at most %d were to be used", l.directed, bound, peak, NeedWeighted(l.NumVertices(), m))
	}
	return g
}

func sameRows(t *testing.T, name string, a, b *graph.Graph) {
	t.Helper()
	for _, side := range [][2]graph.Rows{{a.Out, b.Out}, {a.In, b.In}} {
		if x, y := side[0], side[1]; !slices.Equal(x.Offsets, y.Offsets) || !slices.Equal(x.Neighbors, y.Neighbors) || !slices.Equal(x.Weights, y.Weights) {
			t.Errorf("%s, directed %v: other rows", name, a.Directed)
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
