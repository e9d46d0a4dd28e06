package oracle

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// What is known of a path, a cycle and a complete graph without a search.
func TestClosedForms(t *testing.T) {
	var path, cycle, complete []Edge
	const n = 9
	for u := range n {
		if u+1 < n {
			path = append(path, Edge{u, u + 1, 2})
		}
		cycle = append(cycle, Edge{u, (u + 1) % n, 1})
		for v := range n {
			complete = append(complete, Edge{u, v, 1})
		}
	}
	p, c, k := New(n, path, false), New(n, cycle, true), New(n, complete, false)
	if k.Loops != n || k.Duplicates != n*(n-1)/2 || len(k.Edges()) != n*(n-1)/2 {
		t.Errorf("complete: %d loops, %d duplicates, %d edges", k.Loops, k.Duplicates, len(k.Edges()))
	}
	for v := range n {
		if p.Levels(0)[v] != v || p.Distances(0)[v] != 2*float64(v) || c.Levels(3)[v] != (v+n-3)%n {
			t.Errorf("vertex %d: %d and %v from the start of the path, %d on the cycle", v, p.Levels(0)[v], p.Distances(0)[v], c.Levels(3)[v])
		}
		// Of the pairs of others, those with v between them count, in both orders.
		if want := 2 * float64(v*(n-1-v)); p.Between()[v] != want {
			t.Errorf("path: vertex %d has betweenness %v, want %v", v, p.Between()[v], want)
		}
		if c.StrongComponents()[v] != 0 || New(n, path, true).StrongComponents()[v] != v || p.Components()[v] != 0 {
			t.Errorf("components of vertex %d", v)
		}
	}
	// A complete graph has 1 path of one hop, n-2 of two, (n-2)(n-3) of three.
	want := slices.Concat([]float64{1}, slices.Repeat([]float64{2}, n-2), []float64{3, 3})
	if got := k.KLengths(0, n-1, n+1, false); !slices.Equal(got, want) {
		t.Errorf("complete: %v, want %v", got, want)
	}
}

// On small random graphs, all answers follow from the list of all paths.
func TestAgainstAllPaths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 2 + r.IntN(5)
		var edges []Edge
		for range r.IntN(3 * n) {
			edges = append(edges, Edge{r.IntN(n), r.IntN(n), float64(r.IntN(4))})
		}
		g := New(n, edges, r.IntN(2) == 0)
		from, to := r.IntN(n), r.IntN(n)
		byHops, byWeight := everyPath(g, from, to)
		if got := g.KLengths(from, to, 1000, false); !slices.Equal(got, byHops) {
			t.Fatalf("%+v from %d to %d: hops %v, want %v", g, from, to, got, byHops)
		}
		if got := g.KLengths(from, to, 1000, true); !slices.Equal(got, byWeight) {
			t.Fatalf("%+v from %d to %d: weights %v, want %v", g, from, to, got, byWeight)
		}
		fewest, least, count := -1, math.Inf(1), 0
		if len(byHops) > 0 {
			fewest, least = int(byHops[0]), byWeight[0]
		}
		for _, l := range byHops {
			if int(l) == fewest {
				count++
			}
		}
		if g.Levels(from)[to] != fewest || g.Distances(from)[to] != least || g.CountPaths(from, to).Int64() != int64(count) || len(g.AllPaths(from, to, 1000)) != count {
			t.Fatalf("%+v from %d to %d: %d hops, weight %v, %v paths, %v, want %d, %v, %d", g, from, to,
				g.Levels(from)[to], g.Distances(from)[to], g.CountPaths(from, to), g.AllPaths(from, to, 1000), fewest, least, count)
		}
		if strong := g.StrongComponents(); (strong[from] == strong[to]) != (g.Levels(from)[to] >= 0 && g.Levels(to)[from] >= 0) {
			t.Fatalf("%+v: strong components %v", g, strong)
		}
		if weak := g.Components(); g.Levels(from)[to] >= 0 && weak[from] != weak[to] {
			t.Fatalf("%+v: components %v", g, weak)
		}
	}
}

// everyPath tries all ways: the lengths of the paths that visit no vertex twice, ascending.
func everyPath(g *Graph, from, to int) (byHops, byWeight []float64) {
	var walk func(path []int)
	walk = func(path []int) {
		u := path[len(path)-1]
		if u == to {
			far, _ := g.Length(path)
			byHops, byWeight = append(byHops, float64(len(path)-1)), append(byWeight, far)
			return
		}
		for _, a := range g.Out[u] {
			if !slices.Contains(path, a.To) {
				walk(append(slices.Clone(path), a.To))
			}
		}
	}
	walk([]int{from})
	slices.Sort(byHops)
	slices.Sort(byWeight)
	return byHops, byWeight
}
