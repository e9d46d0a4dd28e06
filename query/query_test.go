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
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/engine/many"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/query"
)

func searcher(t interface{ Fatal(...any) }, g *graph.Graph) *cpu.Searcher {
	s, err := cpu.New(g, cpu.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// path is the graph 0 — 1 — … — n-1 with one more vertex apart.
func path(t *testing.T, n hops.Vertex) *graph.Graph {
	var edges []hops.Edge
	for v := range n - 1 {
		edges = append(edges, hops.Edge{U: v, V: v + 1})
	}
	return build(t, edge.List(edges, n+1))
}

// distances walks g from one vertex.
func distances(t interface{ Fatal(...any) }, g *graph.Graph, from hops.Vertex) map[hops.Vertex]int {
	all := map[hops.Vertex]int{}
	if err := graph.Walk(g, from, func(v hops.Vertex, depth int) bool { all[v] = depth; return true }); err != nil {
		t.Fatal(err)
	}
	return all
}

func drawGraph(t *rapid.T) *graph.Graph {
	n := rapid.Uint64Range(1, 90).Draw(t, "n")
	vertex := rapid.Map(rapid.Uint64Range(0, n-1), func(v uint64) hops.Vertex { return hops.Vertex(v) })
	var edges []hops.Edge
	for range rapid.IntRange(0, 150).Draw(t, "m") {
		edges = append(edges, hops.Edge{U: vertex.Draw(t, "u"), V: vertex.Draw(t, "v")})
	}
	var src hops.Source = edge.List(edges, hops.Vertex(n))
	if rapid.Bool().Draw(t, "directed") {
		src = hops.Directed(src)
	}
	return build(t, src)
}

// Closeness of every vertex, in more than one batch, follows from the distances.
func TestCloseness(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		defer g.Close()
		s, err := many.New(g, many.Options{Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		var roots []hops.Vertex
		for v := range g.NumVertices() {
			roots = append(roots, v)
		}
		got, err := query.Closeness(context.Background(), g, s, roots)
		if err != nil || len(got) != len(roots) {
			t.Fatalf("%d of %d roots, error %v", len(got), len(roots), err)
		}
		one := searcher(t, g)
		defer one.Close()
		traced, err := query.ClosenessOfTraces(g.NumVertices(), func(root hops.Vertex) (hops.Trace, error) {
			return one.Search(context.Background(), root, hops.NewTree(g.NumVertices()))
		}, roots)
		if err != nil || !slices.Equal(traced, got) {
			t.Fatalf("from traces %v, want %v, error %v", traced, got, err)
		}
		for i, c := range got {
			sum, depth := 0, 0
			from := distances(t, g, c.Vertex)
			for _, d := range from {
				sum, depth = sum+d, max(depth, d)
			}
			want := 0.0
			if sum > 0 {
				others := float64(len(from) - 1)
				want = others / float64(sum) * others / float64(g.NumVertices()-1)
			}
			if math.Abs(c.Closeness-want) > 1e-12 || c.Reached != int64(len(from)) || c.Depth != depth {
				t.Fatalf("%+v: want closeness %g, %d reached, depth %d", c, want, len(from), depth)
			}
			if i > 0 && got[i-1].Closeness < c.Closeness {
				t.Fatalf("%+v comes after %+v", c, got[i-1])
			}
		}
	})
}

func TestSample(t *testing.T) {
	g := path(t, 20)
	for _, count := range []int{1, 7, 19, 20, 50} {
		s := query.Sample(g, count, 5)
		if len(s) != min(count, 20) {
			t.Errorf("asked for %d vertices of 20, got %d", count, len(s))
		}
		slices.Sort(s)
		if len(slices.Compact(slices.Clone(s))) != len(s) || s[len(s)-1] >= 20 {
			t.Errorf("%v: want distinct vertices with edges", s)
		}
	}
	if a, b := query.Sample(g, 5, 1), query.Sample(g, 5, 1); !slices.Equal(a, b) {
		t.Errorf("one seed drew %v and %v", a, b)
	}
	drawn := map[hops.Vertex]int{}
	for seed := range uint64(2000) {
		drawn[query.Sample(g, 1, seed)[0]]++
	}
	for v := range hops.Vertex(20) { // 100 expected, with a deviation of about 10
		if drawn[v] < 50 || drawn[v] > 150 {
			t.Errorf("vertex %d was drawn %d times of 2000", v, drawn[v])
		}
	}
}

func TestNear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		defer g.Close()
		center := hops.Vertex(rapid.Uint64Range(0, uint64(g.NumVertices())-1).Draw(t, "center"))
		radius := rapid.IntRange(0, 4).Draw(t, "radius")
		got, last := map[hops.Vertex]int{}, 0
		err := query.Near(context.Background(), g, center, radius, func(v hops.Vertex, depth int) error {
			if depth < last {
				t.Fatalf("%d hops come after %d", depth, last)
			}
			got[v], last = depth, depth
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for v, d := range distances(t, g, center) {
			if near, ok := got[v]; ok != (d <= radius) || ok && near != d {
				t.Fatalf("vertex %d at %d hops: got %d, %t", v, d, near, ok)
			}
		}
	})
}

func TestNearStops(t *testing.T) {
	g := path(t, 9)
	stop := errors.New("enough")
	visits := 0
	err := query.Near(t.Context(), g, 4, 9, func(hops.Vertex, int) error {
		visits++
		if visits == 3 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || visits != 3 {
		t.Errorf("%d visits, error %v", visits, err)
	}
	dead, cancel := context.WithCancel(t.Context())
	cancel()
	if err := query.Near(dead, g, 4, 9, func(hops.Vertex, int) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := query.Near(t.Context(), g, 10, 9, nil); err == nil {
		t.Error("a vertex beyond the last was accepted")
	}
}

// The bound is exact on a path, and on no graph above the longest distance.
func TestDiameter(t *testing.T) {
	g := path(t, 50)
	s := searcher(t, g)
	if d, err := query.DiameterAtLeast(t.Context(), query.SweepOne(g, s), 20); err != nil || d != 49 {
		t.Errorf("a path of 50: %d, %v", d, err)
	}
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		defer g.Close()
		s := searcher(t, g)
		defer s.Close()
		longest := 0
		for v := range g.NumVertices() {
			for _, d := range distances(t, g, v) {
				longest = max(longest, d)
			}
		}
		if d, err := query.DiameterAtLeast(context.Background(), query.SweepOne(g, s), 0); err != nil || d > longest {
			t.Fatalf("at least %d, %v: it is %d", d, err, longest)
		}
	})
}

// A sweep from many vertices at once finds for each what a search from it alone finds.
func TestSweeps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		defer g.Close()
		m, err := many.New(g, many.Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		var roots []hops.Vertex
		for range rapid.IntRange(1, 70).Draw(t, "roots") {
			roots = append(roots, hops.Vertex(rapid.Uint64Range(0, uint64(g.NumVertices())-1).Draw(t, "root")))
		}
		s := searcher(t, g)
		defer s.Close()
		want, err := query.SweepOne(g, s)(context.Background(), roots)
		got, err2 := query.SweepMany(g, m)(context.Background(), roots)
		if err = errors.Join(err, err2); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v, %v; want %v", got, err, want)
		}
	})
}

// From many vertices at once, the diameter of a path is found by the first sweep.
func TestDescribeFromManyVertices(t *testing.T) {
	g := path(t, 500)
	m, err := many.New(g, many.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var first []hops.Vertex
	sweep := func(ctx context.Context, roots []hops.Vertex) ([]query.Far, error) {
		if first == nil {
			first = slices.Clone(roots)
		}
		return query.SweepMany(g, m)(ctx, roots)
	}
	d, err := query.Describe(t.Context(), g, sweep, 64, 1)
	if err != nil || d.DiameterAtLeast != 499 {
		t.Errorf("at least %d, %v", d.DiameterAtLeast, err)
	}
	slices.Sort(first)
	if len(first) != 64 || len(slices.Compact(first)) < 63 || first[63] > 499 || first[63] < 490 {
		t.Errorf("began with %d", first)
	}
}

func TestDescribe(t *testing.T) {
	// A star of five, a path of three, a vertex apart.
	g := build(t, edge.List([]hops.Edge{{U: 3, V: 0}, {U: 3, V: 1}, {U: 3, V: 2}, {U: 3, V: 4}, {U: 5, V: 6}, {U: 6, V: 7}}, 9))
	d, err := query.Describe(t.Context(), g, query.SweepOne(g, searcher(t, g)), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if d.Components != 3 || d.Largest != 5 || d.DiameterAtLeast != 2 {
		t.Errorf("%+v", d)
	}
	deg := d.Degrees
	if deg.Isolated != 1 || deg.Max != 4 || deg.MaxVertex != 3 || deg.MaxIn != 4 || math.Abs(deg.Mean-12.0/9) > 1e-12 {
		t.Errorf("%+v", deg)
	}
	if want := []int64{1, 6, 1, 1}; !slices.Equal(deg.Histogram, want) {
		t.Errorf("histogram %v, want %v", deg.Histogram, want)
	}
	empty, err := query.Describe(t.Context(), build(t, edge.List(nil, 0)), nil, 1, 1)
	if err != nil || empty.Components != 0 {
		t.Errorf("an empty graph: %+v, %v", empty, err)
	}
}
