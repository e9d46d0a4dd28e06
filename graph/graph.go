// Package graph is a finished graph: a row of neighbours for every vertex, the
// names of the vertices, and the file that keeps both.
//
// Package csr makes a Graph out of a list of edges, and Open maps one that was made
// before. A Graph answers small questions itself (Neighbors, Degree, Walk); engines
// search all of it.
package graph

import (
	"math/bits"
	"sync/atomic"

	"github.com/gohops/hops"
)

// A Graph is a finished structure to search: a row of neighbours for every
// vertex. It is not changed after construction and may be read by any number of
// goroutines. Package csr makes one out of a Source, and Open maps one that was
// made before.
//
// Names inside a graph take 32 bits. Rows are free of self-loops and duplicates
// and ordered by falling degree of the neighbour.
type Graph struct {
	// Out has the vertices that the edges of each vertex lead to, In those they
	// come from. In an undirected graph the two are one and the same.
	Out, In Rows

	// Isolated has a bit for every vertex that no edge leads to, which can be
	// the root of a search but not found by it, and for the positions past the
	// last vertex in the last word.
	Isolated []uint64
	// Parents is an index of In for steps that look for parents.
	Parents ParentIndex

	Directed   bool
	Tuples     int64 // edges read
	Loops      int64 // self-loops among them
	Duplicates int64 // edges that were there already

	// Names are what the vertices are called where the edges came from; nil if
	// their numbers are all there is.
	Names *Names

	memory Memory
	guard  *guard // of a graph that was opened from a file
	closed atomic.Bool
}

// A ParentIndex is what a bottom-up step reads of the rows In before the rows
// themselves. It could be computed from them, in one pass over all rows; the graph
// keeps it, in memory and in its file, because that pass would take longer than
// dozens of searches. The cpu engine and many-source search read it; the other
// engines make structures of their own.
type ParentIndex struct {
	// Head is the first entry of every row in an array of its own, so that the
	// first probe of a bottom-up step reads memory in order. A vertex with an
	// empty row has itself here.
	Head []uint32
	// More has a bit for every vertex whose row goes on after its head.
	More []uint64
	// Hub has a bit for each of the hubs, the vertices of the highest degrees.
	// Hubs come first in every row that they are in; HubPrefix is how many of
	// them there are in each row, 255 standing for more as well.
	Hub       []uint64
	HubPrefix []uint8
}

// Rows are the neighbours of all vertices.
type Rows struct {
	// Offsets has one entry per vertex and one more: the row of v is
	// Neighbors[Offsets[v]:Offsets[v+1]].
	Offsets   []int64
	Neighbors []uint32
	// Weights has the weight of every entry, finite and not negative: the least of
	// those of parallel edges. It is nil in a graph without weights.
	Weights []float32
}

// Row returns the neighbours of v. It must not be changed.
func (r *Rows) Row(v uint32) []uint32 {
	return r.Neighbors[r.Offsets[v]:r.Offsets[v+1]]
}

// Degree is the length of the row of v.
func (r *Rows) Degree(v uint32) int64 { return r.Offsets[v+1] - r.Offsets[v] }

// A Memory is what the arrays of a graph live in. It knows how many bytes it
// holds, and how many it held at most while the graph was made.
type Memory interface {
	Live() int64
	Peak() int64
	Close() error
}

// NewGraph returns a graph without rows. Whoever makes it fills in the exported
// fields, with arrays that live until memory is closed.
func NewGraph(memory Memory) *Graph { return &Graph{memory: memory} }

// NumVertices is the number of vertices, isolated ones included.
func (g *Graph) NumVertices() hops.Vertex { return hops.Vertex(len(g.Parents.Head)) }

// Weighted tells whether edges have weights.
func (g *Graph) Weighted() bool { return g.Out.Weights != nil }

// NumEntries is the total length of the rows: twice the number of edges of an
// undirected graph, once that of a directed one.
func (g *Graph) NumEntries() int64 { return int64(len(g.Out.Neighbors)) }

// NumConnected is the number of vertices that are not isolated.
func (g *Graph) NumConnected() int64 {
	n := 64 * len(g.Isolated)
	for _, w := range g.Isolated {
		n -= bits.OnesCount64(w)
	}
	return int64(n)
}

// Memory returns the bytes of the finished graph and the most that were in use
// while it was made.
func (g *Graph) Memory() (finished, peak int64) {
	if g.memory == nil {
		return 0, 0
	}
	return g.memory.Live(), g.memory.Peak()
}

// Close releases the memory of the graph. Nobody may be using it; afterwards it has no
// vertices, and Verify returns an error.
func (g *Graph) Close() error {
	if g.closed.Swap(true) || g.memory == nil {
		return nil
	}
	g.Out, g.In, g.Isolated, g.Parents, g.Names = Rows{}, Rows{}, nil, ParentIndex{}, nil
	return g.memory.Close()
}
