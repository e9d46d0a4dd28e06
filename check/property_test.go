package check

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gohops/hops"
)

func drawGraph(t *rapid.T) graph {
	n := rapid.Uint64Range(1, 14).Draw(t, "vertices")
	vertex := rapid.Uint64Range(0, n-1)
	g := graph{n: hops.Vertex(n)}
	for range rapid.IntRange(0, 30).Draw(t, "edges") {
		g.edges = append(g.edges, hops.Edge{
			U: hops.Vertex(vertex.Draw(t, "u")),
			V: hops.Vertex(vertex.Draw(t, "v")),
		})
	}
	return g
}

// mutate changes one thing about a tree: a parent, mostly to another vertex, or
// the root.
func mutate(t *rapid.T, g graph, tree *hops.Tree) {
	vertex := rapid.Map(rapid.Uint64Range(0, uint64(g.n)-1), func(v uint64) hops.Vertex { return hops.Vertex(v) })
	v := vertex.Draw(t, "v")
	switch rapid.IntRange(0, 12).Draw(t, "mutation") {
	case 0:
		tree.SetParent(v, hops.NoVertex)
	case 1:
		tree.SetParent(v, g.n+hops.Vertex(rapid.Uint64Range(0, 3).Draw(t, "beyond")))
	case 2:
		tree.Root = v
	case 3, 4, 5, 6:
		if row := g.rows()[v]; len(row) > 0 {
			tree.SetParent(v, rapid.SampledFrom(row).Draw(t, "neighbour"))
		}
	default:
		tree.SetParent(v, vertex.Draw(t, "parent"))
	}
}

// A tree is accepted if and only if the oracle accepts it, whatever the width
// and the number of workers, and what is said against it is true.
func TestAgainstTheOracle(t *testing.T) {
	var accepted, mutantsAccepted, rejected int
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		root := hops.Vertex(rapid.Uint64Range(0, uint64(g.n)-1).Draw(t, "root"))
		tree := search(g.rows(), root)
		mutations := rapid.IntRange(0, 3).Draw(t, "mutations")
		for range mutations {
			mutate(t, g, tree)
		}
		want, valid := isTree(g, tree)
		got, err := newChecker(t, g.source(), 1).Tree(context.Background(), tree)
		again, errAgain := newChecker(t, g.source(), 3).Tree(context.Background(), widen(tree))
		if valid != (err == nil) || !cmp.Equal(got, want) {
			t.Fatalf("got %+v, %v, want %+v, %v", got, err, want, valid)
		}
		if !cmp.Equal(got, again) || !cmp.Equal(err, errAgain) {
			t.Fatalf("got %+v, %v with one worker, narrow, and %+v, %v with three, wide", got, err, again, errAgain)
		}
		var fault *Error
		switch {
		case valid && mutations > 0:
			mutantsAccepted++
		case valid:
			accepted++
		case !errors.As(err, &fault):
			t.Fatalf("%T is not an *Error: %v", err, err)
		default:
			rejected++
			if err := substantiate(g, tree, fault); err != nil {
				t.Fatal(err)
			}
		}
	})
	// A short run draws so few trees that some kind may well be missing.
	if !testing.Short() && (accepted == 0 || mutantsAccepted == 0 || rejected == 0) {
		t.Errorf("accepted %d and %d mutants, rejected %d: some never", accepted, mutantsAccepted, rejected)
	}
}

// repeatable are faults that many vertices of one tree can have.
var repeatable = []struct {
	rule  Rule
	spoil func(tree *hops.Tree, v hops.Vertex)
}{
	{Range, func(tree *hops.Tree, v hops.Vertex) { tree.SetParent(v, hops.Vertex(tree.Len())) }},
	{Self, func(tree *hops.Tree, v hops.Vertex) { tree.SetParent(v, v) }},
	{Cycle, func(tree *hops.Tree, v hops.Vertex) {
		tree.SetParent(v, v+1)
		tree.SetParent(v+1, v)
	}},
	{Span, func(tree *hops.Tree, v hops.Vertex) { tree.SetParent(v, hops.NoVertex) }},
}

// Of the many faults of one tree, the earliest pass and the lowest vertex or
// tuple count, whatever the number of workers. The graph has many blocks of
// tuples and of vertices.
func TestLowestFaultWins(t *testing.T) {
	g := graph{n: 5 * vertexGrain, edges: random(1, 0, 5*vertexGrain, 60*blockTuples)}
	valid := search(g.rows(), g.edges[0].U)
	levels := func(tree *hops.Tree) hops.Edge {
		i := slices.IndexFunc(g.edges, func(e hops.Edge) bool {
			return max(depth(tree, e.U), depth(tree, e.V))-min(depth(tree, e.U), depth(tree, e.V)) > 1 ||
				(depth(tree, e.U) < 0) != (depth(tree, e.V) < 0)
		})
		return g.edges[i]
	}
	for _, size := range []int{1, 2, 3, 8} {
		c := newChecker(t, g.source(), size)
		for _, f := range repeatable {
			tree := &hops.Tree{Root: valid.Root, Narrow: slices.Clone(valid.Narrow)}
			lowest := spoilMany(tree, g, f.spoil)
			_, err := c.Tree(context.Background(), tree)
			var fault *Error
			switch {
			case !errors.As(err, &fault) || fault.Rule != f.rule:
				t.Errorf("%d workers: %v, want rule %v", size, err, f.rule)
			case f.rule != Span && fault.Vertex != lowest:
				t.Errorf("%d workers: %v, want vertex %d", size, err, lowest)
			case f.rule == Span && fault.Edge != levels(tree):
				t.Errorf("%d workers: %v, want edge %v", size, err, levels(tree))
			}
		}
	}
}

// spoilMany spoils every 97th vertex from half-way on that is a leaf, and
// returns the lowest.
func spoilMany(tree *hops.Tree, g graph, spoil func(*hops.Tree, hops.Vertex)) hops.Vertex {
	inner := make([]bool, g.n)
	for v := range g.n {
		if p := tree.Parent(v); p != hops.NoVertex {
			inner[p] = true
		}
	}
	lowest := hops.NoVertex
	for v := g.n / 2; v+1 < g.n; v += 97 {
		if tree.Parent(v) != hops.NoVertex && !inner[v] && tree.Parent(v+1) != hops.NoVertex && !inner[v+1] {
			spoil(tree, v)
			lowest = min(lowest, v)
		}
	}
	return lowest
}
