package check

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
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

// pairs reads a list of ends.
func pairs(ends ...hops.Vertex) (edges []hops.Edge) {
	for i := 0; i < len(ends); i += 2 {
		edges = append(edges, hops.Edge{U: ends[i], V: ends[i+1]})
	}
	return edges
}

// path joins first, first+1, … in a line of n vertices.
func path(first, n hops.Vertex) (edges []hops.Edge) {
	for v := first + 1; v < first+n; v++ {
		edges = append(edges, hops.Edge{U: v, V: v - 1})
	}
	return edges
}

// grid joins w×h vertices from first on to their neighbours right and below.
func grid(first, w, h hops.Vertex) (edges []hops.Edge) {
	for v := range w * h {
		if v%w+1 < w {
			edges = append(edges, hops.Edge{U: first + v, V: first + v + 1})
		}
		if v+w < w*h {
			edges = append(edges, hops.Edge{U: first + v, V: first + v + w})
		}
	}
	return edges
}

// random joins n vertices from first on at random, so that they are likely to
// fall into several components.
func random(seed uint64, first, n hops.Vertex, count int) (edges []hops.Edge) {
	r := rand.New(rand.NewPCG(seed, 1))
	for range count {
		edges = append(edges, hops.Edge{U: first + hops.Vertex(r.Uint64N(uint64(n))), V: first + hops.Vertex(r.Uint64N(uint64(n)))})
	}
	return edges
}

// relabel names the vertices at random, so that nothing depends on their order.
func (g graph) relabel(seed uint64) graph {
	names := rand.New(rand.NewPCG(seed, 0)).Perm(int(g.n))
	renamed := graph{name: g.name + ", relabelled", n: g.n}
	for _, e := range g.edges {
		renamed.edges = append(renamed.edges, hops.Edge{U: hops.Vertex(names[e.U]), V: hops.Vertex(names[e.V])})
	}
	return renamed
}

// tuplesOf reads the whole list.
func tuplesOf(t testing.TB, src hops.Source) []hops.Edge {
	t.Helper()
	edges := make([]hops.Edge, src.NumEdges())
	if n, err := src.EdgesAt(edges, 0); n < len(edges) {
		t.Fatal(err)
	}
	return edges
}

// neighbours lists the other ends of every vertex's edges.
func neighbours(n hops.Vertex, edges []hops.Edge) [][]hops.Vertex {
	degrees := make([]int, n)
	for _, e := range edges {
		degrees[e.U]++
		degrees[e.V]++
	}
	all := make([]hops.Vertex, 2*len(edges))
	rows := make([][]hops.Vertex, n)
	for v, d := range degrees {
		rows[v], all = all[:0:d], all[d:]
	}
	for _, e := range edges {
		rows[e.U] = append(rows[e.U], e.V)
		rows[e.V] = append(rows[e.V], e.U)
	}
	return rows
}

// search is a serial breadth-first search, first in, first out.
func search(rows [][]hops.Vertex, root hops.Vertex) *hops.Tree {
	tree := hops.NewTree(hops.Vertex(len(rows)))
	tree.Root = root
	tree.SetParent(root, root)
	for queue := []hops.Vertex{root}; len(queue) > 0; queue = queue[1:] {
		for _, v := range rows[queue[0]] {
			if tree.Parent(v) == hops.NoVertex {
				tree.SetParent(v, queue[0])
				queue = append(queue, v)
			}
		}
	}
	return tree
}

// widen returns the tree with 64-bit parents.
func widen(t *hops.Tree) *hops.Tree {
	w := &hops.Tree{Root: t.Root, Wide: make([]uint64, t.Len())}
	for v := range w.Wide {
		w.Wide[v] = uint64(t.Parent(hops.Vertex(v)))
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
