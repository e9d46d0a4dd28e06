package adaptive_test

import (
	"io"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

// formula is a Source whose edges are computed.
type formula struct {
	n    hops.Vertex
	m    int64
	edge func(i int64) hops.Edge
}

func (f formula) NumVertices() hops.Vertex { return f.n }
func (f formula) NumEdges() int64          { return f.m }

func (f formula) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	n := min(int64(len(dst)), f.m-off)
	for i := range n {
		dst[i] = f.edge(off + i)
	}
	if n < int64(len(dst)) {
		return int(n), io.EOF
	}
	return int(n), nil
}

// family makes a graph of 2^scale vertices or a few more.
func family(t testing.TB, name string, scale int) hops.Source {
	t.Helper()
	n := int64(1) << scale
	var src hops.Source
	var err error
	switch name {
	case "kronecker":
		src, err = edge.NewKronecker(scale, 16, 2, 3)
	case "uniform":
		src, err = edge.NewUniform(hops.Vertex(n), 32, 7)
	case "star":
		src = formula{hops.Vertex(n), n - 1, func(i int64) hops.Edge { return hops.Edge{U: 0, V: hops.Vertex(i + 1)} }}
	case "grid":
		side := int64(1) << (scale / 2)
		src = formula{hops.Vertex(side * side), 2 * side * (side - 1), func(i int64) hops.Edge {
			across := i < side*(side-1)
			i %= side * (side - 1)
			if across {
				v := i/(side-1)*side + i%(side-1)
				return hops.Edge{U: hops.Vertex(v), V: hops.Vertex(v + 1)}
			}
			return hops.Edge{U: hops.Vertex(i), V: hops.Vertex(i + side)}
		}}
	case "dandelion", "core": // searched from the end of its path, and from its dense end
		src, err = longDandelion(scale)
	default:
		t.Fatalf("no family %q", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// longDandelion is a path of 10,000 vertices into a Kronecker graph.
func longDandelion(scale int) (hops.Source, error) {
	const stem = 10_000
	dense, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		return nil, err
	}
	var first [1]hops.Edge
	if _, err := dense.EdgesAt(first[:], 0); err != nil {
		return nil, err
	}
	n := dense.NumVertices()
	path := []hops.Edge{{U: first[0].U, V: n}}
	for v := n; len(path) < stem; v++ {
		path = append(path, hops.Edge{U: v, V: v + 1})
	}
	return joined{dense, edge.List(path, n+stem)}, nil
}

// joined is two lists of edges, one after the other.
type joined struct{ first, second hops.Source }

func (j joined) NumVertices() hops.Vertex { return max(j.first.NumVertices(), j.second.NumVertices()) }
func (j joined) NumEdges() int64          { return j.first.NumEdges() + j.second.NumEdges() }

func (j joined) EdgesAt(dst []hops.Edge, off int64) (n int, err error) {
	if off < j.first.NumEdges() {
		n = int(min(int64(len(dst)), j.first.NumEdges()-off))
		if _, err := j.first.EdgesAt(dst[:n], off); err != nil && err != io.EOF {
			return 0, err
		}
	}
	if n < len(dst) {
		more, err := j.second.EdgesAt(dst[n:], off+int64(n)-j.first.NumEdges())
		return n + more, err
	}
	return n, nil
}
