package sssp

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/testing/enginetest"
	"github.com/gohops/hops/level"
)

// someEdges draws a graph with long rows: a few vertices have most of the edges.
func someEdges(r *rand.Rand, n hops.Vertex, m int, draw func(*rand.Rand) float32) (edges []hops.Edge, weights []float32) {
	for range m {
		u := hops.Vertex(r.Float64() * r.Float64() * r.Float64() * float64(n))
		edges, weights = append(edges, hops.Edge{U: u, V: hops.Vertex(r.IntN(int(n)))}), append(weights, draw(r))
	}
	return edges, weights
}

// Ranks find the distances of Dijkstra's algorithm on any graph, in any direction.
func TestRanksOnAnyGraph(t *testing.T) {
	names := slices.Sorted(maps.Keys(enginetest.PathWeights))
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		n := hops.Vertex(rapid.IntRange(1, 600).Draw(t, "n"))
		draw := enginetest.PathWeights[rapid.SampledFrom(names).Draw(t, "weights")]
		edges, weights := someEdges(r, n, rapid.IntRange(0, 3000).Draw(t, "m"), draw)
		src := hops.Source(edge.List(edges, n))
		if rapid.Bool().Draw(t, "directed") {
			src = hops.Directed(src)
		}
		tuples := edge.WithWeights(src, weights)
		g := weightedGraph(t, tuples)
		defer g.Close()
		opts := Options{Threads: rapid.IntRange(1, 2).Draw(t, "threads"), Hosts: rapid.IntRange(1, 3).Draw(t, "hosts")}
		if rapid.Bool().Draw(t, "any direction") {
			opts.Policy = anyDirection{r.Uint64()}
		}
		s, err := Build(context.Background(), tuples, opts.Hosts*rapid.IntRange(1, 3).Draw(t, "ranks of each host"), opts)
		if err != nil {
			t.Fatalf("%v", err)
		}
		width := anyWidth(t)
		for _, r := range s.searcher.Ranks {
			r.Machine.(*ranked).slots.Degree /= width
		}
		defer s.Close()
		for range 2 {
			searchBothWidths(t, g, s, hops.Vertex(r.IntN(int(n))))
		}
	})
}

// Ranks refuse weights that have no state in an order of lengths, and take -0 for 0.
func TestWeightsOnRanks(t *testing.T) {
	edges := edge.List([]hops.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 0, V: 2}}, 3)
	for _, w := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, -math.SmallestNonzeroFloat32} {
		s, err := Build(t.Context(), edge.WithWeights(edges, []float32{1, float32(w), 1}), 2, Options{})
		if err == nil {
			_ = s.Close()
			t.Errorf("an edge of weight %v was accepted", w)
		}
	}
	s, err := Build(t.Context(), edge.WithWeights(edges, []float32{math.SmallestNonzeroFloat32, float32(math.Copysign(0, -1)), math.MaxFloat32}), 2, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	p := hops.NewSinglePaths(3)
	if _, err := s.Search(t.Context(), 0, p); err != nil || !slices.Equal(p.Single, []float32{0, math.SmallestNonzeroFloat32, math.SmallestNonzeroFloat32}) {
		t.Errorf("distances %v, %v", p.Single, err)
	}
}

// The first and the last vertex of every rank can be the root.
func TestRootsAtTheEndsOfRanks(t *testing.T) {
	const n = 600
	edges, weights := someEdges(rand.New(rand.NewPCG(5, 1)), n, 3000, enginetest.PathWeights["quarters"])
	tuples := edge.WithWeights(edge.List(edges, n), weights)
	g := weightedGraph(t, tuples)
	defer g.Close()
	s, err := Build(context.Background(), tuples, 4, Options{Threads: 1, Hosts: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ends := map[hops.Vertex]bool{}
	for _, r := range s.searcher.Ranks {
		if part := r.Machine.(*ranked).group; part.count > 0 {
			ends[hops.Vertex(part.first)], ends[hops.Vertex(part.first+part.count-1)] = true, true
		}
	}
	if len(ends) < 6 {
		t.Fatalf("ranks end at %v", ends)
	}
	for root := range ends {
		searchBothWidths(t, g, s, root)
	}
}

// Before the first pulls, vertices near the root push the rest of their rows. What arrives at
// another rank by that may be below the bound, and a pull may still undercut it.
func TestPullsUndercutWhatWasPushedBefore(t *testing.T) {
	const n = 259
	for seed, roots := range map[uint64][]hops.Vertex{0: {89}, 1: {240}, 12: {47, 136}} {
		edges, weights := someEdges(rand.New(rand.NewPCG(seed, 1)), n, 2233, enginetest.PathWeights["uniform"])
		tuples := edge.WithWeights(edge.List(edges, n), weights)
		g := weightedGraph(t, tuples)
		s, err := Build(context.Background(), tuples, 2, Options{Threads: 1, Hosts: 2})
		if err != nil {
			t.Fatal(err)
		}
		for _, root := range roots {
			p := hops.NewSinglePaths(n)
			if _, err := s.Search(context.Background(), root, p); err != nil {
				t.Fatal(err)
			}
			checkPaths(t, g, root, p)
		}
		_ = s.Close()
		_ = g.Close()
	}
}

// Both directions run on a Kronecker graph that has hubs, and messages and questions where there
// are several hosts. Ranks of one host send each other nothing but sums.
func TestRanksOnKronecker(t *testing.T) {
	src, err := edge.NewKronecker(12, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	g := weightedGraph(t, src)
	for _, hosts := range []int{1, 2, 4} {
		for _, policy := range []level.Policy{nil, level.Fixed{Direction: level.TopDown}, level.Fixed{Direction: level.BottomUp}} {
			s, err := Build(context.Background(), src, 4, Options{Threads: 1, Policy: policy, Hosts: hosts})
			if err != nil {
				t.Fatal(err)
			}
			if hubs := len(s.searcher.Ranks[0].Machine.(*ranked).group.hubs.labels); hubs == 0 {
				t.Error("there are no hubs")
			}
			ran, most := map[string]bool{}, int64(0)
			for _, root := range []hops.Vertex{1834, 858, 7, 4000} {
				p := hops.NewSinglePaths(g.NumVertices())
				trace, err := s.Search(context.Background(), root, p)
				if err != nil {
					t.Fatal(err)
				}
				for _, l := range trace.Levels {
					ran[l.Step] = true
					most = max(most, l.Bytes)
				}
				checkPaths(t, g, root, p)
			}
			if policy == nil && len(ran) != 2 {
				t.Errorf("ran %v", ran)
			}
			if few := most < 2048; few != (hosts == 1) {
				t.Errorf("%d hosts: a bucket sent %d bytes", hosts, most)
			}
			_ = s.Close()
		}
	}
}

// Hubs on several hosts do not make pulls look expensive: the search does not turn top-down
// again for the last vertices.
func TestRanksOnManyHostsEndBottomUp(t *testing.T) {
	src, err := edge.NewKronecker(14, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Build(context.Background(), src, 12, Options{Threads: 1, Hosts: 12})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	trace, err := s.Search(context.Background(), 7337, hops.NewSinglePaths(src.NumVertices()))
	if err != nil {
		t.Fatal(err)
	}
	checkEndsBottomUp(t, trace)
}

// checkEndsBottomUp fails if a search turned top-down again.
func checkEndsBottomUp(t *testing.T, trace hops.Trace) {
	t.Helper()
	up := false
	for i, l := range trace.Levels {
		if up && l.Step == level.TopDown.String() {
			t.Fatalf("bucket %d of %d is %s", i, len(trace.Levels), l.Step)
		}
		up = up || l.Step == level.BottomUp.String()
	}
}
