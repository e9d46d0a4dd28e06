package query_test

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/query"
)

// plainPaths are all paths of so many hops by trying every neighbour.
func plainPaths(g *graph.Graph, path []hops.Vertex, to hops.Vertex, left int) (all [][]hops.Vertex) {
	last := path[len(path)-1]
	if left == 0 {
		if last == to {
			all = append(all, slices.Clone(path))
		}
		return all
	}
	for u := range g.Neighbors(last) {
		all = append(all, plainPaths(g, append(path, u), to, left-1)...)
	}
	return all
}

func collect(p *query.PathLayers) (all [][]hops.Vertex) {
	for path := range p.Paths() {
		all = append(all, slices.Clone(path))
	}
	return all
}

func TestAllShortestPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawDense(t)
		defer g.Close()
		vertex := rapid.Uint64Range(0, uint64(g.NumVertices())-1)
		from, to := hops.Vertex(vertex.Draw(t, "from")), hops.Vertex(vertex.Draw(t, "to"))
		p, err := query.AllShortestPaths(context.Background(), g, from, to)
		if err != nil {
			t.Fatal(err)
		}
		var want [][]hops.Vertex
		if d, ok := distances(t, g, from)[to]; ok {
			want = plainPaths(g, []hops.Vertex{from}, to, d)
		}
		slices.SortFunc(want, slices.Compare)
		got := collect(p)
		if !slices.EqualFunc(got, want, slices.Equal) || p.Count().Cmp(big.NewInt(int64(len(want)))) != 0 {
			t.Fatalf("from %d to %d: %v of %v, want %v", from, to, got, p.Count(), want)
		}
		checkNarrow(t, p, got, rapid.IntRange(1, 12).Draw(t, "vertices"))
	})
}

// drawDense draws a small graph with several shortest paths between most vertices.
func drawDense(t *rapid.T) *graph.Graph {
	n := rapid.Uint64Range(1, 24).Draw(t, "n")
	vertex := rapid.Map(rapid.Uint64Range(0, n-1), func(v uint64) hops.Vertex { return hops.Vertex(v) })
	var edges []hops.Edge
	for range rapid.IntRange(0, 60).Draw(t, "m") {
		edges = append(edges, hops.Edge{U: vertex.Draw(t, "u"), V: vertex.Draw(t, "v")})
	}
	var src hops.Source = edge.List(edges, hops.Vertex(n))
	if rapid.Bool().Draw(t, "directed") {
		src = hops.Directed(src)
	}
	return build(t, src)
}

// checkNarrow finds only paths of all, each vertex on one of them, and no more vertices than
// asked for, unless one path has more.
func checkNarrow(t *rapid.T, p *query.PathLayers, all [][]hops.Vertex, vertices int) {
	narrow := p.Narrow(vertices)
	if len(all) == 0 {
		return
	}
	seen := map[hops.Vertex]bool{}
	for _, path := range collect(narrow) {
		if !slices.ContainsFunc(all, func(x []hops.Vertex) bool { return slices.Equal(x, path) }) {
			t.Fatalf("%v is none of %v", path, all)
		}
		for _, v := range path {
			seen[v] = true
		}
	}
	size, full := 0, 0
	for d, layer := range narrow.Layers {
		size, full = size+len(layer), full+len(p.Layers[d])
		for _, v := range layer {
			if !seen[v] {
				t.Fatalf("vertex %d is on no path", v)
			}
		}
	}
	if size > max(vertices, len(p.Layers)) || full <= vertices && size != full {
		t.Fatalf("%d vertices of %d, want %d", size, full, vertices)
	}
}

// grid is a square of side × side vertices with edges right and down.
func grid(t *testing.T, side int) *graph.Graph {
	var edges []hops.Edge
	for v := range side * side {
		if v%side < side-1 {
			edges = append(edges, hops.Edge{U: hops.Vertex(v), V: hops.Vertex(v + 1)})
		}
		if v < side*(side-1) {
			edges = append(edges, hops.Edge{U: hops.Vertex(v), V: hops.Vertex(v + side)})
		}
	}
	return build(t, edge.List(edges, hops.Vertex(side*side)))
}

// From corner to corner of a grid, paths are counted by a binomial coefficient.
func TestAstronomicallyManyPaths(t *testing.T) {
	const side = 101
	g := grid(t, side)
	p, err := query.AllShortestPaths(t.Context(), g, 0, side*side-1)
	if err != nil {
		t.Fatal(err)
	}
	if want := new(big.Int).Binomial(2*(side-1), side-1); p.Count().Cmp(want) != 0 {
		t.Errorf("%v paths, want %v", p.Count(), want)
	}
	first := 0
	for path := range p.Paths() {
		if first++; first == 1 && (path[1] != 1 || path[side-1] != side-1) {
			t.Errorf("the first path is %v", path)
		}
		if first == 1000 {
			break
		}
	}
	size := 0
	for _, layer := range p.Narrow(500).Layers {
		size += len(layer)
	}
	if size > 500 || size < 400 {
		t.Errorf("%d vertices are left of %d, want about 500", size, side*side)
	}
}

func TestAllShortestPathsEnds(t *testing.T) {
	g := path(t, 9)
	dead, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := query.AllShortestPaths(dead, g, 0, 8); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := query.AllShortestPaths(t.Context(), g, 0, 99); err == nil {
		t.Error("a vertex beyond the last was accepted")
	}
	if p, err := query.AllShortestPaths(t.Context(), g, 0, 9); err != nil || p.Hops() != -1 || p.Count().Sign() != 0 {
		t.Errorf("to a vertex apart: %+v, %v", p, err)
	}
}
