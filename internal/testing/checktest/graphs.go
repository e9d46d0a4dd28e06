// Package checktest has broken trees of every kind that a breadth-first search could
// return, to test whatever checks trees.
package checktest

import (
	"math/rand/v2"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/testing/oracle"
)

// Pairs reads a list of ends.
func Pairs(ends ...hops.Vertex) (edges []hops.Edge) {
	for i := 0; i < len(ends); i += 2 {
		edges = append(edges, hops.Edge{U: ends[i], V: ends[i+1]})
	}
	return edges
}

// Path joins first, first+1, … in a line of n vertices.
func Path(first, n hops.Vertex) (edges []hops.Edge) {
	for v := first + 1; v < first+n; v++ {
		edges = append(edges, hops.Edge{U: v, V: v - 1})
	}
	return edges
}

// Grid joins w×h vertices from first on to their neighbours right and below.
func Grid(first, w, h hops.Vertex) (edges []hops.Edge) {
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

// Random joins n vertices from first on at random, so that they are likely to
// fall into several components.
func Random(seed uint64, first, n hops.Vertex, count int) (edges []hops.Edge) {
	r := rand.New(rand.NewPCG(seed, 1))
	for range count {
		edges = append(edges, hops.Edge{U: first + hops.Vertex(r.Uint64N(uint64(n))), V: first + hops.Vertex(r.Uint64N(uint64(n)))})
	}
	return edges
}

// Neighbours lists the other ends of every vertex's edges.
func Neighbours(n hops.Vertex, edges []hops.Edge) [][]hops.Vertex {
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

// Search returns the tree of the oracle.
func Search(rows [][]hops.Vertex, root hops.Vertex) *hops.Tree {
	tree := hops.NewTree(hops.Vertex(len(rows)))
	tree.Root = root
	_, parents := oracle.BFS(len(rows), oracle.Heads(rows), root)
	setParents(tree, parents)
	return tree
}

func setParents(tree *hops.Tree, parents []hops.Vertex) {
	for v, parent := range parents {
		if parent != hops.NoVertex {
			tree.SetParent(hops.Vertex(v), parent)
		}
	}
}

// Relabel names the vertices at random, so that nothing depends on their order.
func Relabel(n hops.Vertex, edges []hops.Edge, seed uint64) (renamed []hops.Edge) {
	names := rand.New(rand.NewPCG(seed, 0)).Perm(int(n))
	for _, e := range edges {
		renamed = append(renamed, hops.Edge{U: hops.Vertex(names[e.U]), V: hops.Vertex(names[e.V])})
	}
	return renamed
}
