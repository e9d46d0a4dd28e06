package check

import (
	"context"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/testing/checktest"
)

// A graph is a list of tuples with a name.
type graph struct {
	name  string
	n     hops.Vertex
	edges []hops.Edge
}

func (g graph) source() hops.Source { return edge.List(g.edges, g.n) }

// rows returns the graph's neighbour lists.
func (g graph) rows() [][]hops.Vertex { return neighbours(g.n, g.edges) }

// relabel names the vertices at random, so that nothing depends on their order.
func (g graph) relabel(seed uint64) graph {
	return graph{g.name + ", relabelled", g.n, checktest.Relabel(g.n, g.edges, seed)}
}

// Short names for the graphs of tests.
var (
	pairs, path, grid, random = checktest.Pairs, checktest.Path, checktest.Grid, checktest.Random
	neighbours, search        = checktest.Neighbours, checktest.Search
)

// tuplesOf reads the whole list.
func tuplesOf(t testing.TB, src hops.Source) []hops.Edge {
	t.Helper()
	edges := make([]hops.Edge, src.NumEdges())
	if n, err := src.EdgesAt(edges, 0); n < len(edges) {
		t.Fatal(err)
	}
	return edges
}

// widen returns the tree with 64-bit parents.
func widen(t *hops.Tree) *hops.Tree {
	w := &hops.Tree{Root: t.Root, Wide: make([]hops.WideParent, t.Len())}
	for v := range w.Wide {
		w.Wide[v] = hops.Widen(t.Parent(hops.Vertex(v)))
	}
	return w
}

// newChecker returns a checker that is closed with the test.
func newChecker(t interface{ Cleanup(func()) }, src hops.Source, threads int) *Checker {
	c := New(src, threads)
	t.Cleanup(c.Close)
	return c
}

// kronecker returns the benchmark's graph with its usual seeds.
func kronecker(t testing.TB, scale int) hops.Source {
	t.Helper()
	k, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// packed returns the list of src in memory.
func packed(t testing.TB, src hops.Source, threads int) hops.Source {
	t.Helper()
	p, err := edge.Pack(context.Background(), src, threads, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}
