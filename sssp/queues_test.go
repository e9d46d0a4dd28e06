package sssp

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/testing/enginetest"
	"github.com/gohops/hops/level"
)

// A shape adds the edges of a graph of n vertices.
var shapes = map[string]func(r *rand.Rand, n int, add func(u, v int)){
	"grid": func(_ *rand.Rand, n int, add func(u, v int)) {
		const side = 11
		for v := range n {
			if v%side > 0 {
				add(v-1, v)
			}
			if v >= side {
				add(v-side, v)
			}
		}
	},
	"chains": func(r *rand.Rand, n int, add func(u, v int)) { // closed ones and such that end, too
		for v := 1; v < n; v++ {
			if r.IntN(8) > 0 {
				add(v-1, v)
			}
			if r.IntN(8) == 0 {
				add(v, r.IntN(n))
			}
		}
	},
	"random": func(r *rand.Rand, n int, add func(u, v int)) { // with rows of more than four entries, and of none
		for range 2 * n {
			add(int(r.Float64()*r.Float64()*float64(n)), r.IntN(n))
		}
	},
}

// Queues find the distances of Dijkstra's algorithm: one by one and by vectors, alone and by parts
// that offer each other distances, on rows with links, along chains, however slots are numbered.
func TestQueuesOnAnyGraph(t *testing.T) {
	weightNames, shapeNames := slices.Sorted(maps.Keys(enginetest.PathWeights)), slices.Sorted(maps.Keys(shapes))
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		n := rapid.IntRange(1, 400).Draw(t, "n")
		draw := enginetest.PathWeights[rapid.SampledFrom(weightNames).Draw(t, "weights")]
		labels := r.Perm(n)
		var edges []hops.Edge
		var weights []float32
		shapes[rapid.SampledFrom(shapeNames).Draw(t, "shape")](r, n, func(u, v int) {
			edges, weights = append(edges, hops.Edge{U: hops.Vertex(labels[u]), V: hops.Vertex(labels[v])}), append(weights, draw(r))
		})
		src := hops.Source(edge.List(edges, hops.Vertex(n)))
		if rapid.Bool().Draw(t, "directed") {
			src = hops.Directed(src)
		}
		g := weightedGraph(t, edge.WithWeights(src, weights))
		defer g.Close()
		s := openQueues(t, g, rapid.IntRange(1, 3).Draw(t, "threads"))
		defer s.Close()
		solo, vectors := int64(rapid.SampledFrom([]int{0, 4, soloBin}).Draw(t, "solo")), rapid.Bool().Draw(t, "vectors")
		single, double := s.single.(*queues[float32]), s.double.(*queues[float64])
		single.solo, double.solo, single.vectors = solo, solo, single.vectors && vectors
		s.widen(anyWidth(t))
		for range 3 {
			searchBothWidths(t, g, s, hops.Vertex(r.IntN(n)))
		}
	})
}

// openQueues returns a searcher by queues that has its machines already.
func openQueues(t fataler, g *graph.Graph, threads int) *Searcher {
	t.Helper()
	s, err := open(g, Options{Threads: threads}, true)
	if err != nil {
		t.Fatalf("%v", err)
	}
	for _, p := range []*hops.Paths{hops.NewSinglePaths(g.NumVertices()), hops.NewPaths(g.NumVertices())} {
		if _, err := s.Search(context.Background(), 0, p); err != nil {
			t.Fatalf("%v", err)
		}
	}
	return s
}

// Frontiers of some hundred vertices are divided among workers, whose parts offer each other distances, bins
// are dealt out anew, and rows are read about once.
func TestQueuesOnGridsAndRoads(t *testing.T) {
	for name, src := range map[string]hops.WeightedSource{"grid": grid(150), "roads": roads(60), "halves of roads": halves(roads(60))} {
		g := weightedGraph(t, src)
		for threads := 1; threads <= 3; threads++ {
			s, err := New(g, Options{Threads: threads})
			if err != nil {
				t.Fatal(err)
			}
			for _, root := range rootsOf(g)[:4] {
				searchBothWidths(t, g, s, root)
				p := hops.NewSinglePaths(g.NumVertices())
				trace, err := s.Search(context.Background(), root, p)
				if err != nil {
					t.Fatal(err)
				}
				if most := 3 * src.NumEdges(); trace.Examined() > most {
					t.Errorf("%s, root %d: %d entries were read of %d", name, root, trace.Examined(), 2*src.NumEdges())
				}
				checkSteps(t, name, &trace)
			}
			m := s.single.(*queues[float32])
			if name == "grid" && threads > 1 && (len(m.sample) == 0 || m.first == 0 || cap(m.workers[0].offers)+cap(m.workers[1].offers) == 0) {
				t.Errorf("%d threads: no bin was divided, dealt out anew, or led across a border", threads)
			}
			_ = s.Close()
		}
		_ = g.Close()
	}
}

// checkSteps checks that a search ran by queues, and by chains at last if the graph is made of chains with
// weights that are integers.
func checkSteps(t *testing.T, name string, trace *hops.Trace) {
	t.Helper()
	for i, l := range trace.Levels {
		want := "top-down-queues"
		if name == "roads" && i == len(trace.Levels)-1 {
			want = "top-down-chains"
		}
		if l.Step != want {
			t.Fatalf("%s: level %d ran %s", name, i, l.Step)
		}
	}
}

// halves are the edges of a graph with half of their weights.
func halves(src hops.WeightedSource) hops.WeightedSource {
	edges, weights := make([]hops.Edge, src.NumEdges()), make([]float32, src.NumEdges())
	_, _ = src.EdgesAt(edges, 0)
	_, _ = src.WeightsAt(weights, 0)
	for i := range weights {
		weights[i] /= 2
	}
	return edge.WithWeights(edge.List(edges, src.NumVertices()), weights)
}

// Graphs with hubs, and searches with a policy, have buckets in two directions.
func TestWhatIsSearchedByQueues(t *testing.T) {
	for _, c := range []struct {
		name   string
		graph  *graph.Graph
		policy level.Policy
		queues bool
	}{
		{"grid", weightedGraph(t, grid(20)), nil, true},
		{"roads", weightedGraph(t, roads(20)), nil, true},
		{"grid with a policy", weightedGraph(t, grid(20)), level.Fixed{Direction: level.TopDown}, false},
		{"Kronecker", kronecker(t, 10), nil, false},
		{"uniform", weightedGraph(t, uniform(t, 10)), nil, false},
		{"few entries and few levels", weightedGraph(t, sparse(t, 13)), nil, false},
		{"star", weightedGraph(t, edge.WithWeights(edge.List([]hops.Edge{{U: 0, V: 1}, {U: 0, V: 2}, {U: 0, V: 3}}, 4), []float32{1, 2, 3})), nil, false},
		{"no edges", weightedGraph(t, edge.WithWeights(edge.List(nil, 4), nil)), nil, false},
	} {
		s := newSearcher(t, c.graph, Options{Threads: 1, Policy: c.policy})
		if byQueues := s.short != nil; byQueues != c.queues || byQueues == (s.slots != nil) {
			t.Errorf("%s: by queues %v", c.name, byQueues)
		}
	}
}

// See TestSearchDoesNotAllocate.
func TestQueuesDoNotAllocate(t *testing.T) {
	g := weightedGraph(t, grid(100))
	s := newSearcher(t, g, Options{Threads: 2})
	p := hops.NewSinglePaths(g.NumVertices())
	search := func() {
		p.Reset()
		if _, err := s.Search(context.Background(), 5050, p); err != nil {
			t.Fatal(err)
		}
	}
	for range 20 {
		search()
	}
	if n := testing.AllocsPerRun(20, search); n != 0 {
		t.Errorf("a search allocates %v times", n)
	}
}

// Every vertex with edges has one slot, and where labels are far apart, the slots of neighbours
// are near each other.
func TestSlotsOfNeighborsAreNear(t *testing.T) {
	for name, c := range map[string]struct {
		src     hops.WeightedSource
		inOrder bool
	}{"grid": {grid(300), true}, "roads": {halves(roads(110)), false}} {
		g := weightedGraph(t, c.src)
		s := newSearcher(t, g, Options{Threads: 1})
		r, far, all := s.short, 0, 0
		if inOrder := slices.IsSorted(r.label[:r.slots()]); inOrder != c.inOrder {
			t.Errorf("%s: slots in the order of labels: %v", name, inOrder)
		}
		for v := range uint32(g.NumVertices()) {
			row := g.Out.Row(v)
			if slot := r.slot[v]; len(row) > 0 && r.label[slot] != v || len(row) == 0 && int(slot) != r.slots() {
				t.Fatalf("%s: vertex %d has slot %d", name, v, slot)
			}
			for _, u := range row {
				all++
				if d := int(r.slot[v]) - int(r.slot[u]); max(d, -d) > 2*regionSize {
					far++
				}
			}
		}
		if 20*far > all {
			t.Errorf("%s: %d of %d entries lead far away", name, far, all)
		}
	}
}

// sparse is a random graph with four entries a row.
func sparse(t fataler, scale int) hops.WeightedSource {
	src, err := edge.NewUniform(1<<scale, 4, 5)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return edge.WithWeights(src, slices.Repeat([]float32{1}, int(src.NumEdges())))
}
