// Package gonum lets gonum's algorithms run on graphs of hops, and hops search
// graphs of gonum.
//
// It is a module of its own, so that gonum is not a dependency of hops.
//
//	ranks := network.PageRankSparse(gonum.Directed(g), 0.85, 1e-6)
//
//	src, err := gonum.Source(simpleGraph)
//	g, err := csr.Build(ctx, src, 0)
//	g.Names = src.Names()
//
// The ID of a node is the number of its vertex. Rows are used as they are, so
// that a view of a graph takes no memory.
package gonum

import (
	"slices"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/iterator"
	"gonum.org/v1/gonum/graph/simple"

	"github.com/gohops/hops"
	hopsgraph "github.com/gohops/hops/graph"
)

// An UndirectedGraph is a view of an undirected graph of hops. It implements
// graph.Undirected.
type UndirectedGraph struct{ view }

// Undirected returns a view of g. Of a directed graph it shows the edges out of
// each vertex as if they led both ways from there; see Directed.
func Undirected(g *hopsgraph.Graph) UndirectedGraph { return UndirectedGraph{view{g}} }

// EdgeBetween returns the edge between two nodes, or nil if there is none.
func (u UndirectedGraph) EdgeBetween(x, y int64) graph.Edge { return u.Edge(x, y) }

// HasEdgeBetween tells whether an edge joins two nodes.
func (u UndirectedGraph) HasEdgeBetween(x, y int64) bool { return u.leads(x, y) }

// A DirectedGraph is a view of a directed graph of hops. It implements
// graph.Directed.
type DirectedGraph struct{ view }

// Directed returns a view of g. The edges of an undirected graph lead both ways.
func Directed(g *hopsgraph.Graph) DirectedGraph { return DirectedGraph{view{g}} }

// HasEdgeFromTo tells whether an edge leads from the first node to the second.
func (d DirectedGraph) HasEdgeFromTo(u, v int64) bool { return d.leads(u, v) }

// HasEdgeBetween tells whether an edge leads from one of two nodes to the other.
func (d DirectedGraph) HasEdgeBetween(x, y int64) bool { return d.leads(x, y) || d.leads(y, x) }

// To returns the nodes whose edges lead to a node.
func (d DirectedGraph) To(id int64) graph.Nodes {
	if !d.has(id) {
		return graph.Empty
	}
	return nodesOf(d.g.InRow(hops.Vertex(id)))
}

// view is what both kinds have in common.
type view struct{ g *hopsgraph.Graph }

func (w view) has(id int64) bool { return id >= 0 && hops.Vertex(id) < w.g.NumVertices() }

// Node returns the node with that ID, or nil if there is none.
func (w view) Node(id int64) graph.Node {
	if !w.has(id) {
		return nil
	}
	return simple.Node(id)
}

// Nodes returns all nodes.
func (w view) Nodes() graph.Nodes {
	if w.g.NumVertices() == 0 {
		return graph.Empty
	}
	return iterator.NewImplicitNodes(0, int(w.g.NumVertices()), func(id int) graph.Node { return simple.Node(id) })
}

// From returns the nodes that the edges of a node lead to.
func (w view) From(id int64) graph.Nodes {
	if !w.has(id) {
		return graph.Empty
	}
	return nodesOf(w.g.OutRow(hops.Vertex(id)))
}

// Edge returns the edge that leads from the first node to the second, or nil.
func (w view) Edge(u, v int64) graph.Edge {
	if !w.leads(u, v) {
		return nil
	}
	return simple.Edge{F: simple.Node(u), T: simple.Node(v)}
}

// nodesOf returns the nodes of a row. A damaged row has none; the graph's Err
// tells.
func nodesOf(row []uint32, err error) graph.Nodes {
	if err != nil || len(row) == 0 {
		return graph.Empty
	}
	return iterator.NewImplicitNodes(0, len(row), func(i int) graph.Node { return simple.Node(row[i]) })
}

// leads looks an edge up in the shorter of its two rows.
func (w view) leads(u, v int64) bool {
	if !w.has(u) || !w.has(v) {
		return false
	}
	from, to := hops.Vertex(u), hops.Vertex(v)
	if w.g.Degree(from) <= w.g.InDegree(to) {
		row, err := w.g.OutRow(from)
		return err == nil && slices.Contains(row, uint32(to))
	}
	row, err := w.g.InRow(to)
	return err == nil && slices.Contains(row, uint32(from))
}
