package hops

import "github.com/gohops/hops/internal/arena"

// A Tree is the result of a search: the parent of every vertex, the root being
// its own parent.
//
// Parents take 4 bytes each while all labels fit in 32 bits and 8 bytes beyond;
// exactly one of Narrow and Wide is in use. An engine asks which, once per
// search, and stores straight into it; everyone else calls Parent.
//
// On one host a Tree covers all vertices and First is 0. A rank of a cluster
// holds the entries of its own vertices only: entry i is vertex First+i.
type Tree struct {
	Root  Vertex
	First Vertex

	Narrow []uint32 // all ones: not in the tree
	Wide   []uint64 // all ones: not in the tree
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
		t.Wide = arena.OnHeap[uint64](int(count))
	}
	t.Reset()
	return t
}

// Reset empties the tree. A Searcher expects an empty tree; the benchmark's
// clock does not include this.
func (t *Tree) Reset() {
	t.Root = NoVertex
	for i := range t.Narrow {
		t.Narrow[i] = ^uint32(0)
	}
	for i := range t.Wide {
		t.Wide[i] = ^uint64(0)
	}
}

// Len is the number of vertices that this tree, or part of one, covers.
func (t *Tree) Len() int { return len(t.Narrow) + len(t.Wide) }

// Parent returns the parent of v, or NoVertex if v is not in the tree. The
// vertex must be covered by this part.
func (t *Tree) Parent(v Vertex) Vertex {
	if t.Narrow == nil {
		return Vertex(t.Wide[v-t.First])
	}
	if p := t.Narrow[v-t.First]; p != ^uint32(0) {
		return Vertex(p)
	}
	return NoVertex
}

// SetParent records that p is the parent of v.
func (t *Tree) SetParent(v, p Vertex) {
	if t.Narrow == nil {
		t.Wide[v-t.First] = uint64(p)
	} else {
		t.Narrow[v-t.First] = uint32(p)
	}
}
