package query

import (
	"io"

	"github.com/gohops/hops"
)

// Joined returns src with one vertex more, the last, and an edge from it to every root.
// A search from that vertex by any engine is one from all roots at once: it finds each
// vertex one level later than a search from the nearest root does. Disjoin makes its
// tree one of src.
func Joined(src hops.Source, roots []hops.Vertex) hops.Source { return joined{src, roots} }

type joined struct {
	hops.Source
	roots []hops.Vertex
}

func (j joined) NumVertices() hops.Vertex { return j.Source.NumVertices() + 1 }

func (j joined) NumEdges() int64 { return j.Source.NumEdges() + int64(len(j.roots)) }

// Directed implements hops.DirectedSource.
func (j joined) Directed() bool { return hops.IsDirected(j.Source) }

func (j joined) EdgesAt(dst []hops.Edge, off int64) (n int, err error) {
	own := j.Source.NumEdges()
	if off < own {
		n, err = j.Source.EdgesAt(dst[:min(int64(len(dst)), own-off)], off)
		if err != nil && err != io.EOF || n == len(dst) {
			return n, err
		}
	}
	for at := off + int64(n) - own; n < len(dst); n, at = n+1, at+1 {
		if at >= int64(len(j.roots)) {
			return n, io.EOF
		}
		dst[n] = hops.Edge{U: j.Source.NumVertices(), V: j.roots[at]}
	}
	return n, nil
}

// Disjoin takes the vertex that Joined has added out of a tree that was searched from
// it. Every root becomes its own parent, and levels are the hops to the nearest root.
func Disjoin(t *hops.Tree) {
	last := hops.Vertex(t.Len() - 1)
	for v := range last {
		if t.Parent(v) == last {
			t.SetParent(v, v)
		}
	}
	t.Root = hops.NoVertex
	if t.Wide != nil {
		t.Wide = t.Wide[:last]
	} else {
		t.Narrow = t.Narrow[:last]
	}
}
