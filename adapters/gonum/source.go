package gonum

import (
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/gonum/graph"

	"github.com/gohops/hops"
	hopsgraph "github.com/gohops/hops/graph"
)

// A List is the edges of a graph of gonum as a hops.Source. Vertices are numbered
// by ascending ID.
type List struct {
	edges    []hops.Edge
	ids      []uint64
	directed bool
}

// Source lists the edges of g, which is directed if it is a graph.Directed. IDs
// must not be negative: labels of hops are not.
func Source(g graph.Graph) (*List, error) {
	_, directed := g.(graph.Directed)
	l := &List{directed: directed}
	for nodes := g.Nodes(); nodes.Next(); {
		id := nodes.Node().ID()
		if id < 0 {
			return nil, fmt.Errorf("gonum: node %d: an ID must not be negative", id)
		}
		l.ids = append(l.ids, uint64(id))
	}
	slices.Sort(l.ids)
	for v, id := range l.ids {
		for to := g.From(int64(id)); to.Next(); {
			other := to.Node().ID()
			u, ok := slices.BinarySearch(l.ids, uint64(other))
			if !ok {
				return nil, fmt.Errorf("gonum: an edge leads from %d to %d, which is not a node of the graph", id, other)
			}
			if directed || v <= u { // an undirected edge is met at both ends
				l.edges = append(l.edges, hops.Edge{U: hops.Vertex(v), V: hops.Vertex(u)})
			}
		}
	}
	return l, nil
}

// Names are the IDs of the vertices.
func (l *List) Names() *hopsgraph.Names {
	labels, err := hopsgraph.NamesFrom(hopsgraph.NameSections{Count: uint64(len(l.ids)), Wide: l.ids})
	if err != nil { // there are as many as there are vertices, of one kind
		return nil
	}
	return labels
}

// Directed tells whether the graph was a graph.Directed.
func (l *List) Directed() bool { return l.directed }

// NumVertices is the number of nodes.
func (l *List) NumVertices() hops.Vertex { return hops.Vertex(len(l.ids)) }

// NumEdges is the number of edges.
func (l *List) NumEdges() int64 { return int64(len(l.edges)) }

// EdgesAt copies edges from number off on.
func (l *List) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	n := copy(dst, l.edges[min(off, int64(len(l.edges))):])
	if n < len(dst) {
		return n, io.EOF
	}
	return n, nil
}
