package gonum_test

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/testgraph"
	"gonum.org/v1/gonum/graph/traverse"

	"github.com/gohops/hops"
	"github.com/gohops/hops/adapters/gonum"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/engine/cpu"
	hopsgraph "github.com/gohops/hops/graph"
)

var (
	_ graph.Undirected    = gonum.UndirectedGraph{}
	_ graph.Directed      = gonum.DirectedGraph{}
	_ hops.DirectedSource = (*gonum.List)(nil)
)

func build(t testing.TB, g graph.Graph) *hopsgraph.Graph {
	t.Helper()
	src, err := gonum.Source(g)
	if err != nil {
		t.Fatal(err)
	}
	built, err := csr.Build(context.Background(), src, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = built.Close() })
	built.Names = src.Names()
	return built
}

// nodesFrom0 are n nodes whose IDs are the numbers of their vertices.
func nodesFrom0(n int64, add func(graph.Node)) {
	for id := range n {
		add(simple.Node(id))
	}
}

// builder makes views for gonum's own suite of tests, of those graphs that a
// graph.Graph can be: nodes from 0 on, without gaps. It has no loops.
func builder(t *testing.T, directed bool) testgraph.Builder {
	return func(nodes []graph.Node, edges []testgraph.WeightedLine, self, absent float64) (graph.Graph, []graph.Node, []testgraph.Edge, float64, float64, bool) {
		var from graph.Builder = simple.NewUndirectedGraph()
		if directed {
			from = simple.NewDirectedGraph()
		}
		for _, n := range nodes {
			from.AddNode(simple.Node(n.ID()))
		}
		var made []testgraph.Edge
		for _, e := range edges {
			if edge := (simple.Edge{F: simple.Node(e.From().ID()), T: simple.Node(e.To().ID())}); edge.F != edge.T {
				made = append(made, edge)
				from.SetEdge(edge)
			}
		}
		all := graph.NodesOf(from.(graph.Graph).Nodes())
		for _, n := range all {
			if n.ID() < 0 || n.ID() >= int64(len(all)) {
				return nil, nil, nil, 0, 0, false
			}
		}
		g := build(t, from.(graph.Graph))
		if directed {
			return gonum.Directed(g), all, made, self, absent, true
		}
		return gonum.Undirected(g), all, made, self, absent, true
	}
}

func TestConformance(t *testing.T) {
	for name, directed := range map[string]bool{"undirected": false, "directed": true} {
		t.Run(name, func(t *testing.T) {
			b := builder(t, directed)
			const usesEmpty = true
			reversesEdges := !directed
			testgraph.ReturnAllNodes(t, b, usesEmpty)
			testgraph.NodeExistence(t, b)
			testgraph.EdgeExistence(t, b, reversesEdges)
			testgraph.ReturnAdjacentNodes(t, b, usesEmpty, reversesEdges)
		})
	}
}

// A graph from gonum, searched by hops, and gonum's search on the view of it agree
// with gonum's search on the graph itself.
func TestSearchesAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	undirected, directed := simple.NewUndirectedGraph(), simple.NewDirectedGraph()
	for _, b := range []graph.Builder{undirected, directed} {
		nodesFrom0(500, b.AddNode)
		for range 900 {
			if u, v := r.Int64N(500), r.Int64N(500); u != v {
				b.SetEdge(simple.Edge{F: simple.Node(u), T: simple.Node(v)})
			}
		}
	}
	for _, c := range []struct {
		original graph.Graph
		view     func(*hopsgraph.Graph) traverse.Graph
	}{
		{undirected, func(g *hopsgraph.Graph) traverse.Graph { return gonum.Undirected(g) }},
		{directed, func(g *hopsgraph.Graph) traverse.Graph { return gonum.Directed(g) }},
	} {
		g := build(t, c.original)
		s, err := cpu.New(g, cpu.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		tree := hops.NewTree(g.NumVertices())
		for root := range hops.Vertex(20) {
			tree.Reset()
			if _, err := s.Search(t.Context(), root, tree); err != nil {
				t.Fatal(err)
			}
			want, seen := depths(c.original, int64(root)), depths(c.view(g), int64(root))
			for v := range g.NumVertices() {
				d, ok := want[int64(v)]
				if !ok {
					d = -1
				}
				if e, there := seen[int64(v)]; tree.Level(v) != d || there != ok || there && e != d {
					t.Fatalf("root %d: %d is at %d by hops, %d in the view, %d in the original", root, v, tree.Level(v), e, d)
				}
			}
		}
	}
}

// depths are those that gonum's own search finds.
func depths(g traverse.Graph, root int64) map[int64]int {
	found := map[int64]int{}
	var bfs traverse.BreadthFirst
	bfs.Walk(g, simple.Node(root), func(n graph.Node, depth int) bool {
		found[n.ID()] = depth
		return false
	})
	return found
}

func TestSourceKeepsIDs(t *testing.T) {
	g := simple.NewUndirectedGraph()
	g.SetEdge(simple.Edge{F: simple.Node(1 << 40), T: simple.Node(7)})
	g.AddNode(simple.Node(9))
	built := build(t, g)
	if v, ok := built.Lookup("1099511627776"); !ok || built.Degree(v) != 1 || built.NumVertices() != 3 || built.NumEdges() != 1 {
		t.Errorf("vertex %d, %t; %d vertices, %d edges", v, ok, built.NumVertices(), built.NumEdges())
	}
	g.AddNode(simple.Node(-1))
	if _, err := gonum.Source(g); err == nil {
		t.Error("a negative ID was accepted")
	}
}

func Example() {
	roads := simple.NewUndirectedGraph()
	for _, e := range [][2]int64{{10, 20}, {20, 30}, {30, 40}} {
		roads.SetEdge(simple.Edge{F: simple.Node(e[0]), T: simple.Node(e[1])})
	}
	src, err := gonum.Source(roads)
	if err != nil {
		log.Fatal(err)
	}
	g, err := csr.Build(context.Background(), src, 0)
	if err != nil {
		log.Fatal(err)
	}
	defer g.Close()
	g.Names = src.Names()
	start, _ := g.Lookup("10")
	_ = hopsgraph.Walk(g, start, func(v hops.Vertex, depth int) bool {
		fmt.Println(g.Name(v), depth)
		return true
	})
	// Output:
	// 10 0
	// 20 1
	// 30 2
	// 40 3
}
