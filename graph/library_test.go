package graph_test

import (
	"context"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/testing/oracle"
)

// fataler is a test or a property.
type fataler interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func buildGraph(t fataler, src hops.Source) *graph.Graph {
	t.Helper()
	g, err := csr.Build(context.Background(), src, 2)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// drawSource draws a small list of edges, directed or not.
func drawSource(t *rapid.T) (src hops.Source, edges []hops.Edge) {
	n := rapid.Uint64Range(1, 80).Draw(t, "n")
	vertex := rapid.Map(rapid.Uint64Range(0, n-1), func(v uint64) hops.Vertex { return hops.Vertex(v) })
	for range rapid.IntRange(0, 200).Draw(t, "m") {
		edges = append(edges, hops.Edge{U: vertex.Draw(t, "u"), V: vertex.Draw(t, "v")})
	}
	src = edge.List(edges, hops.Vertex(n))
	if rapid.Bool().Draw(t, "directed") {
		src = hops.Directed(src)
	}
	return src, edges
}

// distances are the oracle's, of the edges as they were drawn.
func distances(src hops.Source, edges []hops.Edge, root hops.Vertex) []int32 {
	rows := make([][]hops.Vertex, src.NumVertices())
	for _, e := range edges {
		rows[e.U] = append(rows[e.U], e.V)
		if !hops.IsDirected(src) {
			rows[e.V] = append(rows[e.V], e.U)
		}
	}
	level, _ := oracle.BFS(len(rows), oracle.Heads(rows), root)
	return level
}

// What Walk visits and what a tree tells are the distances.
func TestWalkAndTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src, edges := drawSource(t)
		g := buildGraph(t, src)
		defer g.Close()
		root := hops.Vertex(rapid.Uint64Range(0, uint64(g.NumVertices())-1).Draw(t, "root"))
		want := distances(src, edges, root)

		got := slices.Repeat([]int32{-1}, len(want))
		last := 0
		err := graph.Walk(g, root, func(v hops.Vertex, depth int) bool {
			if got[v] >= 0 || depth < last {
				t.Fatalf("%d at depth %d after depth %d, before at %d", v, depth, last, got[v])
			}
			got[v], last = int32(depth), depth
			return true
		})
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("Walk gave %v, %v, want %v", got, err, want)
		}
		checkTree(t, treeFrom(t, g, root), want)
	})
}

func treeFrom(t fataler, g *graph.Graph, root hops.Vertex) *hops.Tree {
	t.Helper()
	s, err := cpu.New(g, cpu.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tree := hops.NewTree(g.NumVertices())
	if _, err := s.Search(context.Background(), root, tree); err != nil {
		t.Fatal(err)
	}
	return tree
}

// checkTree asks a tree everything it can be asked.
func checkTree(t fataler, tree *hops.Tree, want []int32) {
	t.Helper()
	if levels := tree.Levels(nil); !slices.Equal(levels, want) {
		t.Fatalf("levels %v, want %v", levels, want)
	}
	var order []hops.Vertex
	for v, depth := range tree.Order() {
		if int32(depth) != want[v] {
			t.Fatalf("Order has %d at %d, want %d", v, depth, want[v])
		}
		order = append(order, v)
	}
	inOrder := slices.IsSortedFunc(order, func(a, b hops.Vertex) int { return int(want[a] - want[b]) })
	if reached := len(want) - count(want, -1); len(order) != reached || !inOrder {
		t.Fatalf("Order is %v of %d vertices", order, reached)
	}
	for v, d := range want {
		path := tree.PathTo(hops.Vertex(v))
		if tree.Level(hops.Vertex(v)) != int(d) || len(path) != int(d)+1 || tree.Has(hops.Vertex(v)) != (d >= 0) {
			t.Fatalf("vertex %d: level %d, path %v, want %d hops", v, tree.Level(hops.Vertex(v)), path, d)
		}
		for i, u := range path {
			if want[u] != int32(i) || i > 0 && tree.Parent(u) != path[i-1] {
				t.Fatalf("path to %d is %v", v, path)
			}
		}
	}
}

func count(levels []int32, level int32) (n int) {
	for _, l := range levels {
		if l == level {
			n++
		}
	}
	return n
}

func TestWalkStops(t *testing.T) {
	g := buildGraph(t, line(100))
	visited := 0
	err := graph.Walk(g, 0, func(_ hops.Vertex, depth int) bool { visited++; return depth < 7 })
	if err != nil || visited != 8 {
		t.Errorf("visited %d vertices, %v", visited, err)
	}
	if err := graph.Walk(g, 100, func(hops.Vertex, int) bool { return true }); err == nil {
		t.Error("a root beyond the last vertex was accepted")
	}
}

func line(n hops.Vertex) hops.Source {
	var edges []hops.Edge
	for v := range n - 1 {
		edges = append(edges, hops.Edge{U: v, V: v + 1})
	}
	return edge.List(edges, n)
}

// A tree whose parents run in a circle, or out of the graph, has no levels there.
func TestBrokenTrees(t *testing.T) {
	tree := hops.NewTree(6)
	tree.SetParent(0, 0)
	tree.SetParent(1, 2)
	tree.SetParent(2, 1)
	tree.SetParent(3, 77)
	tree.SetParent(4, 0)
	if got, want := tree.Levels(nil), []int32{0, -1, -1, -1, 1, -1}; !slices.Equal(got, want) {
		t.Errorf("levels %v, want %v", got, want)
	}
	for v := range hops.Vertex(6) {
		if want := tree.Levels(nil)[v]; tree.Level(v) != int(want) {
			t.Errorf("vertex %d at %d, want %d", v, tree.Level(v), want)
		}
	}
}

func TestNeighbors(t *testing.T) {
	list := edge.List([]hops.Edge{{U: 0, V: 1}, {U: 0, V: 2}, {U: 2, V: 1}, {U: 1, V: 1}}, 4)
	undirected, arcs := buildGraph(t, list), buildGraph(t, hops.Directed(list))
	for _, c := range []struct {
		g       *graph.Graph
		v       hops.Vertex
		out, in []hops.Vertex
	}{
		{undirected, 0, []hops.Vertex{1, 2}, []hops.Vertex{1, 2}},
		{undirected, 3, nil, nil},
		{arcs, 0, []hops.Vertex{1, 2}, nil},
		{arcs, 1, nil, []hops.Vertex{0, 2}},
		{arcs, 2, []hops.Vertex{1}, []hops.Vertex{0}},
	} {
		out, in := slices.Sorted(c.g.Neighbors(c.v)), slices.Sorted(c.g.InNeighbors(c.v))
		if !slices.Equal(out, c.out) || !slices.Equal(in, c.in) || c.g.Degree(c.v) != len(out) || c.g.InDegree(c.v) != len(in) {
			t.Errorf("directed %t, vertex %d: out %v, in %v", c.g.Directed, c.v, out, in)
		}
	}
	if undirected.NumEdges() != 3 || arcs.NumEdges() != 3 {
		t.Errorf("%d and %d edges, want 3", undirected.NumEdges(), arcs.NumEdges())
	}
}

// random is a graph of two blocks of a file or more.
func random(n, m int) hops.Source {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	edges := make([]hops.Edge, m)
	for i := range edges {
		edges[i] = hops.Edge{U: hops.Vertex(r.IntN(n)), V: hops.Vertex(r.IntN(n))}
	}
	return edge.List(edges, hops.Vertex(n))
}

var _ io.WriterTo = (*graph.Graph)(nil)
