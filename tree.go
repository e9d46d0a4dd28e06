package hops

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/gohops/hops/internal/base/arena"
)

// A Tree is the result of a search: the parent of every vertex, the root being
// its own parent.
//
// Parents take 4 bytes each while all labels fit in 32 bits and 6 bytes beyond;
// exactly one of Narrow and Wide is in use. An engine asks which, once per
// search, and stores straight into it; everyone else calls Parent.
//
// On one host a Tree covers all vertices and First is 0. A rank of a cluster
// holds the entries of its own vertices only: entry i is vertex First+i.
type Tree struct {
	Root  Vertex
	First Vertex

	Narrow []uint32 // all ones: not in the tree
	Wide   []WideParent
}

// A WideParent is a parent in a graph of more than NarrowLimit vertices: 48 bits, the lowest
// first; all ones: not in the tree. Six bytes are written as fast as eight at random, and faster in
// the order of the vertices (BenchmarkParents), and there are a quarter fewer of them.
type WideParent [6]byte

// Widen returns the form of a parent, or of NoVertex, in trees of large graphs.
func Widen(p Vertex) (w WideParent) {
	binary.LittleEndian.PutUint32(w[:4], uint32(p))
	binary.LittleEndian.PutUint16(w[4:], uint16(p>>32))
	return w
}

// Vertex is the parent, or NoVertex.
func (w WideParent) Vertex() Vertex {
	p := Vertex(binary.LittleEndian.Uint32(w[:4])) | Vertex(binary.LittleEndian.Uint16(w[4:]))<<32
	if p == 1<<48-1 {
		return NoVertex
	}
	return p
}

// NarrowLimit is the number of vertices up to which parents take 32 bits: the
// pattern of all ones must remain free for "no parent".
const NarrowLimit = 1<<32 - 1

// NewTree returns an empty tree for a graph of n vertices.
func NewTree(n Vertex) *Tree { return NewTreePart(n, 0, n) }

// NewTreePart returns the empty part [first, first+count) of the tree of a
// graph of n vertices.
func NewTreePart(n, first, count Vertex) *Tree {
	t := &Tree{Root: NoVertex, First: first}
	if n <= NarrowLimit {
		t.Narrow = arena.OnHeap[uint32](int(count))
	} else {
		t.Wide = arena.OnHeap[WideParent](int(count))
	}
	t.Reset()
	return t
}

// Reset empties the tree. A Searcher expects an empty tree; the benchmark's
// clock does not include this.
func (t *Tree) Reset() {
	t.Root = NoVertex
	arena.Fill(t.Narrow, ^uint32(0))
	arena.Fill(t.Wide, Widen(NoVertex))
}

// Fits returns an error unless the tree covers n vertices from the first on, with parents in
// Wide or else in Narrow. A nil tree fits no graph.
func (t *Tree) Fits(n Vertex, wide bool) error {
	switch {
	case t == nil:
		return errors.New("the tree is nil")
	case t.First != 0 || Vertex(t.Len()) != n:
		return fmt.Errorf("the tree has room for %d vertices from %d on, and the graph has %d", t.Len(), t.First, n)
	case wide && t.Wide == nil:
		return errors.New("the tree has parents of 32 bits, and the graph takes 48")
	case !wide && t.Wide != nil:
		return errors.New("the tree has parents of 48 bits, and the graph takes 32")
	}
	return nil
}

// Len is the number of vertices that this tree, or part of one, covers.
func (t *Tree) Len() int { return len(t.Narrow) + len(t.Wide) }

// Parent returns the parent of v, or NoVertex if v is not in the tree. The
// vertex must be covered by this part.
func (t *Tree) Parent(v Vertex) Vertex {
	if t.Narrow == nil {
		return t.Wide[v-t.First].Vertex()
	}
	if p := t.Narrow[v-t.First]; p != ^uint32(0) {
		return Vertex(p)
	}
	return NoVertex
}

// SetParent records that p is the parent of v.
func (t *Tree) SetParent(v, p Vertex) {
	if t.Narrow == nil {
		t.Wide[v-t.First] = Widen(p)
	} else {
		t.Narrow[v-t.First] = uint32(p)
	}
}
