// Package csr is kernel 1: it turns a list of edges into rows.
//
// A row holds the neighbours of one vertex. Rows keep the labels of the source,
// so that a search never has to translate a parent, and are ordered by falling
// degree of the neighbour, so that the likeliest parent comes first: on a
// Kronecker graph of scale 22, 96 % of the vertices found by the big bottom-up
// level find their parent at the first entry of such a row, against 51 % in rows
// ordered by label.
//
// Self-loops and duplicates are dropped. Vertices without a neighbour are set
// aside in a bitmap; no search needs to look at them again.
package csr

import (
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
)

// MaxVertices is the largest number of vertices that one Graph can hold: labels
// inside it take 32 bits.
const MaxVertices = 1<<32 - 1

// A Graph is an undirected graph as rows. It is not changed after construction
// and may be read by any number of goroutines.
type Graph struct {
	// Offsets has one entry per vertex and one more: the row of v is
	// Neighbors[Offsets[v]:Offsets[v+1]].
	Offsets   []int64
	Neighbors []uint32
	// Head is the first entry of every row in an array of its own, so that the
	// first probe of a bottom-up step reads memory in order. An isolated vertex
	// has itself here.
	Head []uint32
	// Isolated has a bit for every vertex without a neighbour, and for the
	// positions past the last vertex in the last word.
	Isolated bitset.Set
	// Tail has a bit for every vertex whose row goes on after its head.
	Tail bitset.Set
	// Heavy has a bit for each of the heaviest vertices, which together have
	// heavyShare of all entries. They come first in every row that they are in;
	// HeavyPrefix is how many of them there are in each row, 255 standing for
	// more as well.
	Heavy       bitset.Set
	HeavyPrefix []uint8

	Tuples     int64 // edges read
	Loops      int64 // self-loops among them
	Duplicates int64 // edges that were there already

	mem  arena.Arena
	peak int64
}

// NumVertices is the number of labels, isolated vertices included.
func (g *Graph) NumVertices() int { return len(g.Head) }

// NumConnected is the number of vertices with at least one neighbour.
func (g *Graph) NumConnected() int64 {
	return int64(len(g.Isolated))*64 - g.Isolated.Count()
}

// NumEntries is the total length of the rows: twice the number of edges.
func (g *Graph) NumEntries() int64 { return int64(len(g.Neighbors)) }

// Row returns the neighbours of v, heaviest first.
func (g *Graph) Row(v uint32) []uint32 {
	return g.Neighbors[g.Offsets[v]:g.Offsets[v+1]]
}

// Degree is the number of neighbours of v.
func (g *Graph) Degree(v uint32) int64 { return g.Offsets[v+1] - g.Offsets[v] }

// Memory returns the bytes of the finished graph and the most that were in use
// while it was built.
func (g *Graph) Memory() (finished, peak int64) { return g.mem.Live(), g.peak }

// Close releases the memory of the graph.
func (g *Graph) Close() error { return g.mem.Close() }
