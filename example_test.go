package hops_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/edge/format"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/query"
)

// friends is a small graph: a ring of six and someone apart.
func friends() *graph.Graph {
	edges := []hops.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 2, V: 3}, {U: 3, V: 4}, {U: 4, V: 5}, {U: 5, V: 0}}
	g, err := csr.Build(context.Background(), edge.List(edges, 7), 0)
	if err != nil {
		log.Fatal(err)
	}
	return g
}

// A graph is made from a list of edges, and a searcher fills one tree after the
// other without allocating.
func Example() {
	ctx := context.Background()
	g := friends()
	defer g.Close()
	searcher, err := cpu.New(g, cpu.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer searcher.Close()

	tree := hops.NewTree(g.NumVertices())
	for _, root := range []hops.Vertex{0, 3} {
		tree.Reset()
		if _, err := searcher.Search(ctx, root, tree); err != nil {
			log.Fatal(err)
		}
		fmt.Printf("from %d: 2 is %d hops away, 6 is in the tree: %t\n", root, tree.Level(2), tree.Has(6))
	}
	// Output:
	// from 0: 2 is 2 hops away, 6 is in the tree: false
	// from 3: 2 is 1 hops away, 6 is in the tree: false
}

// A graph that was saved opens at once, however large it is.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "friends.hops")
	if err := graph.Save(file, friends()); err != nil {
		log.Fatal(err)
	}

	g, err := graph.Open(file)
	if err != nil {
		log.Fatal(err)
	}
	defer g.Close()
	fmt.Println(g.NumVertices(), "vertices,", g.NumEdges(), "edges")
	for v := range g.Neighbors(0) {
		fmt.Println("0 knows", v)
	}
	// Output:
	// 7 vertices, 6 edges
	// 0 knows 1
	// 0 knows 5
}

// Files in any format bring their labels along.
func ExampleGraph_Lookup() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "friends.txt")
	if err := os.WriteFile(file, []byte("Ada Grace\nGrace Barbara\nBarbara Frances\n"), 0o600); err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	g, err := format.Load(ctx, file, format.Options{IDs: format.TextIDs})
	if err != nil {
		log.Fatal(err)
	}
	defer g.Close()

	ada, _ := g.Lookup("Ada")
	frances, _ := g.Lookup("Frances")
	line, err := query.ShortestPath(ctx, g, ada, frances)
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range line {
		fmt.Println(g.Name(v))
	}
	// Output:
	// Ada
	// Grace
	// Barbara
	// Frances
}

// Walk stops where it is told to, and has looked no further.
func ExampleWalk() {
	g := friends()
	defer g.Close()
	err := graph.Walk(g, 0, func(v hops.Vertex, depth int) bool {
		if depth > 1 {
			return false
		}
		fmt.Println(v, "at depth", depth)
		return true
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 0 at depth 0
	// 1 at depth 1
	// 5 at depth 1
}

func ExampleTree_Order() {
	g := friends()
	defer g.Close()
	for v, depth := range searchFrom(g, 4).Order() {
		fmt.Print(v, ":", depth, " ")
	}
	fmt.Println()
	// Output: 4:0 3:1 5:1 0:2 2:2 1:3
}

func ExampleTree_PathTo() {
	g := friends()
	defer g.Close()
	tree := searchFrom(g, 4)
	fmt.Println(tree.PathTo(2), tree.PathTo(6))
	// Output: [4 3 2] []
}

// A directed graph is a Source that says so.
func ExampleDirected() {
	g, err := csr.Build(context.Background(), hops.Directed(edge.List([]hops.Edge{{U: 0, V: 1}, {U: 1, V: 2}}, 3)), 0)
	if err != nil {
		log.Fatal(err)
	}
	defer g.Close()
	fmt.Println("out of 1:", g.Degree(1), "into 0:", g.InDegree(0))
	fmt.Println(searchFrom(g, 2).Has(0))
	// Output:
	// out of 1: 1 into 0: 0
	// false
}

func searchFrom(g *graph.Graph, root hops.Vertex) *hops.Tree {
	s, err := cpu.New(g, cpu.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	tree := hops.NewTree(g.NumVertices())
	if _, err := s.Search(context.Background(), root, tree); err != nil {
		log.Fatal(err)
	}
	return tree
}
