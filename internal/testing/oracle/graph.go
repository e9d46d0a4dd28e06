// Package oracle answers questions about small graphs by the book, to compare engines with:
// it imports nothing of hops, has no workers and no clever layout, and is slow.
//
// Vertices are places from 0 on. Whoever compares knows the names that belong to them.
package oracle

import (
	"cmp"
	"slices"
)

// An Edge joins two vertices, or leads from U to V where edges are directed.
type Edge struct {
	U, V   int
	Weight float64
}

// An Arc is an edge as one of its ends sees it.
type Arc struct {
	To     int
	Weight float64
}

// A Graph has no self-loops, and of parallel edges the one of least weight.
type Graph struct {
	Directed   bool
	Out, In    [][]Arc // of each vertex, the others ascending; the same if edges are undirected
	Loops      int     // edges from a vertex to itself, which are left out
	Duplicates int     // edges that are left out because there is another
}

// New makes a graph with n vertices of a list of edges.
func New(n int, edges []Edge, directed bool) *Graph {
	g := &Graph{Directed: directed, Out: make([][]Arc, n), In: make([][]Arc, n)}
	least := map[[2]int]float64{}
	for _, e := range edges {
		u, v := e.U, e.V
		if !directed {
			u, v = min(u, v), max(u, v)
		}
		weight, known := least[[2]int{u, v}]
		switch {
		case u == v:
			g.Loops++
			continue
		case known:
			g.Duplicates++
		default:
			weight = e.Weight
		}
		least[[2]int{u, v}] = min(weight, e.Weight)
	}
	for ends, weight := range least {
		u, v := ends[0], ends[1]
		g.Out[u] = append(g.Out[u], Arc{v, weight})
		if directed {
			g.In[v] = append(g.In[v], Arc{u, weight})
		} else {
			g.Out[v] = append(g.Out[v], Arc{u, weight})
		}
	}
	if !directed {
		g.In = g.Out
	}
	for v := range n {
		byPlace := func(a, b Arc) int { return cmp.Compare(a.To, b.To) }
		slices.SortFunc(g.Out[v], byPlace)
		slices.SortFunc(g.In[v], byPlace)
	}
	return g
}

// Vertices is the number of vertices.
func (g *Graph) Vertices() int { return len(g.Out) }

// Edges lists the edges; those of an undirected graph once each, from the lower end.
func (g *Graph) Edges() (all []Edge) {
	for u, row := range g.Out {
		for _, a := range row {
			if g.Directed || u < a.To {
				all = append(all, Edge{u, a.To, a.Weight})
			}
		}
	}
	return all
}

// Arc is the arc from u to v, if there is one.
func (g *Graph) Arc(u, v int) (Arc, bool) {
	at, ok := slices.BinarySearchFunc(g.Out[u], v, func(a Arc, v int) int { return cmp.Compare(a.To, v) })
	if !ok {
		return Arc{}, false
	}
	return g.Out[u][at], true
}

// Part returns the graph of the vertices that are kept and the edges between them, and which
// vertices these were.
func (g *Graph) Part(keep func(v int) bool) (part *Graph, kept []int) {
	place := make([]int, g.Vertices())
	for v := range g.Vertices() {
		if place[v] = -1; keep(v) {
			place[v] = len(kept)
			kept = append(kept, v)
		}
	}
	var edges []Edge
	for _, e := range g.Edges() {
		if place[e.U] >= 0 && place[e.V] >= 0 {
			edges = append(edges, Edge{place[e.U], place[e.V], e.Weight})
		}
	}
	return New(len(kept), edges, g.Directed), kept
}
