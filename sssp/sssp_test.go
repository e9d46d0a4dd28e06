package sssp

import (
	"context"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/testing/enginetest"
	"github.com/gohops/hops/level"
)

// The reference's distances on its own graphs, seeds 2 and 3: how many vertices are
// reached, the sum of distances, the farthest, and the sum of their bits.
func TestReferenceVectors(t *testing.T) {
	var s *Searcher
	for _, c := range []struct {
		scale    int
		root     hops.Vertex
		reached  int
		sum      float64
		farthest float32
		bits     uint64
	}{
		{8, 53, 241, 264.546599746, 2.01752043, 255826078357},
		{8, 55, 241, 55.196173495, 1.13782299, 249762529521},
		{10, 458, 897, 258.188860334, 1.12857687, 937972542541},
		{10, 214, 897, 618.717427105, 1.52952754, 949719226340},
		{12, 1834, 3351, 799.901183913, 1.19382954, 3492466462621},
		{12, 858, 3351, 754.778729692, 1.17769742, 3487059929535},
		{14, 7337, 12550, 2735.983880979, 1.73922634, 13036031959283},
		{20, 469580, 645643, 146758.467400700, 2.00983453, 669391040269600},
		{20, 989678, 645643, 388373.949458212, 2.38385868, 682949554723680},
	} {
		if testing.Short() && c.scale > 16 {
			continue
		}
		if s == nil || s.graph.NumVertices() != 1<<c.scale {
			s = newSearcher(t, kronecker(t, c.scale), Options{Threads: 2})
		}
		p := hops.NewSinglePaths(s.graph.NumVertices())
		if _, err := s.Search(context.Background(), c.root, p); err != nil {
			t.Fatal(err)
		}
		reached, sum, farthest, bits := 0, 0.0, float32(0), uint64(0)
		for v := range s.graph.NumVertices() {
			if p.Has(v) {
				reached++
				sum += float64(p.Single[v])
				farthest = max(farthest, p.Single[v])
				bits += uint64(math.Float32bits(p.Single[v]))
			}
		}
		if reached != c.reached || math.Abs(sum-c.sum) > 1e-8 || farthest != c.farthest || bits != c.bits {
			t.Errorf("scale %d, root %d: %d reached, sum %v, farthest %v, bits %d", c.scale, c.root, reached, sum, farthest, bits)
		}
		if c.scale <= 16 { // the oracle takes half a minute for larger ones
			checkPaths(t, s.graph, c.root, p)
		}
	}
}

// anyDirection picks directions at random. Results must not depend on them.
type anyDirection struct{ seed uint64 }

func (p anyDirection) Next(f level.Front, steps []level.Step) level.Step {
	r := rand.New(rand.NewPCG(p.seed, uint64(f.Depth)))
	return level.First(steps, level.Direction(r.IntN(2)))
}

// anyWidth draws a factor of Δ. Results must not depend on it either.
func anyWidth(t *rapid.T) float64 {
	return rapid.SampledFrom([]float64{1, 1, 1. / 1024, 0.25, 3, 1024}).Draw(t, "width")
}

// widen makes Δ about so many times what the graph suggests.
func (s *Searcher) widen(by float64) {
	if s.weave != nil {
		s.weave.Degree /= by
		return
	}
	s.short.width *= by // of the machines that are not yet made
	if m, made := s.single.(*queues[float32]); made {
		m.perBin /= by
	}
	if m, made := s.double.(*queues[float64]); made {
		m.perBin /= by
	}
}

func TestPathsOfAnyGraph(t *testing.T) {
	names := slices.Sorted(maps.Keys(enginetest.PathWeights))
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		n := hops.Vertex(rapid.IntRange(1, 200).Draw(t, "n"))
		draw := enginetest.PathWeights[rapid.SampledFrom(names).Draw(t, "weights")]
		var edges []hops.Edge
		var weights []float32
		for range rapid.IntRange(0, 800).Draw(t, "m") {
			u := hops.Vertex(r.Float64() * r.Float64() * float64(n))
			edges, weights = append(edges, hops.Edge{U: u, V: hops.Vertex(r.IntN(int(n)))}), append(weights, draw(r))
		}
		src := hops.Source(edge.List(edges, n))
		if rapid.Bool().Draw(t, "directed") {
			src = hops.Directed(src)
		}
		g := weightedGraph(t, edge.WithWeights(src, weights))
		defer g.Close()
		opts := Options{Threads: rapid.IntRange(1, 3).Draw(t, "threads")}
		if rapid.Bool().Draw(t, "any direction") {
			opts.Policy = anyDirection{r.Uint64()}
		}
		s, err := open(g, opts, false)
		if err != nil {
			t.Fatalf("%v", err)
		}
		s.widen(anyWidth(t))
		defer s.Close()
		for range 3 {
			searchBothWidths(t, g, s, hops.Vertex(r.IntN(int(n))))
		}
	})
}

// searchBothWidths checks the results of a search with distances of 32 and of 64 bits.
func searchBothWidths(t fataler, g *graph.Graph, s interface {
	Search(ctx context.Context, root hops.Vertex, p *hops.Paths) (hops.Trace, error)
}, root hops.Vertex,
) {
	t.Helper()
	for _, p := range []*hops.Paths{hops.NewSinglePaths(g.NumVertices()), hops.NewPaths(g.NumVertices())} {
		trace, err := s.Search(context.Background(), root, p)
		if err != nil {
			t.Fatalf("%v", err)
		}
		checkPaths(t, g, root, p)
		if reached := count(p); trace.Found()+1 != reached {
			t.Fatalf("the trace says that %d vertices were found, there are %d", trace.Found(), reached)
		}
	}
}

func count(p *hops.Paths) (n int64) {
	for v := range p.Len() {
		if p.Has(hops.Vertex(v)) {
			n++
		}
	}
	return n
}

// A search after the first ones allocates nothing. Which worker finds what is a matter of chance, so that
// a worker's list still grows in about one search of a thousand, which AllocsPerRun rounds to nothing.
func TestSearchDoesNotAllocate(t *testing.T) {
	g := kronecker(t, 12)
	s := newSearcher(t, g, Options{Threads: 2})
	p := hops.NewSinglePaths(g.NumVertices())
	search := func() {
		p.Reset()
		if _, err := s.Search(context.Background(), 1834, p); err != nil {
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

func TestRefusals(t *testing.T) {
	plain, err := csr.Build(context.Background(), edge.List([]hops.Edge{{U: 0, V: 1}}, 2), 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(plain, Options{}); !errors.Is(err, ErrNoWeights) {
		t.Errorf("a graph without weights: %v", err)
	}
}

// Where no edge is lighter than a part of Δ, nothing is awake before a bucket of that width, and
// pulls are not free for that: a graph like roads is searched top-down, and reads its rows about
// once.
func TestRoadsAreNotPulled(t *testing.T) {
	src := roads(60)
	g := weightedGraph(t, src)
	s, err := open(g, Options{Threads: 1}, false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for root := range hops.Vertex(12) {
		p := hops.NewSinglePaths(g.NumVertices())
		trace, err := s.Search(context.Background(), root, p)
		if err != nil {
			t.Fatal(err)
		}
		if most := 4 * src.NumEdges(); trace.Examined() > most {
			t.Errorf("root %d: %d entries were read of %d", root, trace.Examined(), 2*src.NumEdges())
		}
		checkPaths(t, g, root, p)
	}
}

// Rows follow each other, and the first entries of each are in one cache line if they are few enough for one.
func TestRowsBeginWithLines(t *testing.T) {
	s := newSearcher(t, kronecker(t, 10), Options{Threads: 1})
	behind, entries := int64(0), int64(0)
	for slot, h := range s.slots.out.heads {
		if h.first < behind || h.first-behind >= lineEntries || h.first%lineEntries+min(int64(h.count), lineEntries) > lineEntries {
			t.Fatalf("the row of slot %d with %d entries begins at %d, behind %d", slot, h.count, h.first, behind)
		}
		if row, want := s.slots.out.row(uint32(slot)), s.graph.Out.Degree(s.slots.label[slot]); h.label != s.slots.label[slot] || int64(len(row)) != want {
			t.Fatalf("slot %d has the label %d and %d entries", slot, h.label, len(row))
		}
		behind, entries = h.first+int64(h.count), entries+int64(h.count)
	}
	if behind > int64(len(s.slots.out.entries)) {
		t.Error("the last row is too long")
	}
	if s.slots.Entries != entries {
		t.Errorf("all rows together have %d entries, want %d", s.slots.Entries, entries)
	}
}

// A search does not turn top-down again for the last vertices, which would take a bucket for almost each
// of them, by vectors or, with distances of 64 bits, one by one. Some weights are heavier than the others, so that
// there is a bucket behind the one that finds most of what is left.
func TestSearchesEndBottomUp(t *testing.T) {
	src, err := edge.NewKronecker(14, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	weights := make([]float32, src.NumEdges())
	for i := range weights {
		weights[i] = r.Float32()
	}
	for i := range 16 { // of which some may be loops
		weights[i] = 1.5
	}
	g := weightedGraph(t, edge.WithWeights(src, weights))
	s := newSearcher(t, g, Options{})
	for _, p := range []*hops.Paths{hops.NewSinglePaths(g.NumVertices()), hops.NewPaths(g.NumVertices())} {
		for _, root := range rootsOf(g) {
			p.Reset()
			trace, err := s.Search(context.Background(), root, p)
			if err != nil {
				t.Fatal(err)
			}
			checkEndsBottomUp(t, trace)
		}
	}
}

// Wide buckets are fewer, by buckets and by queues.
func TestWideBucketsAreFewer(t *testing.T) {
	for name, open := range map[string]func() *Searcher{
		"buckets": func() *Searcher {
			k, err := edge.NewKronecker(11, 16, 2, 3)
			if err != nil {
				t.Fatal(err)
			}
			return newSearcher(t, weightedGraph(t, k), Options{Policy: level.Fixed{Direction: level.TopDown}})
		},
		"queues": func() *Searcher { return newSearcher(t, weightedGraph(t, grid(60)), Options{}) },
	} {
		var buckets []int
		for _, factor := range []float64{0.125, 1, 8} {
			s := open()
			s.widen(factor)
			trace, err := s.Search(t.Context(), 1, hops.NewPaths(s.graph.NumVertices()))
			if err != nil {
				t.Fatal(err)
			}
			buckets = append(buckets, len(trace.Levels))
		}
		if buckets[0] <= buckets[1] || buckets[1] <= buckets[2] {
			t.Errorf("%s: %d buckets with an eighth of Δ, with Δ and with eight times as much", name, buckets)
		}
	}
}
