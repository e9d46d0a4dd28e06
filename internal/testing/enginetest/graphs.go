package enginetest

import (
	"fmt"
	"io"

	"github.com/gohops/hops"
)

// A graph is a named list of edges.
type graph struct {
	name  string
	n     hops.Vertex
	edges []hops.Edge
}

func (g graph) source() hops.Source { return list{g} }

// list is a Source that shares nothing with the packages under test.
type list struct{ graph }

func (l list) NumVertices() hops.Vertex { return l.n }
func (l list) NumEdges() int64          { return int64(len(l.edges)) }
func (l list) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	n := copy(dst, l.edges[off:])
	if n < len(dst) {
		return n, io.EOF
	}
	return n, nil
}

// namedGraphs are the shapes on which searches have been known to fail.
func namedGraphs() []graph {
	return []graph{
		{name: "oneVertex", n: 1},
		{name: "noEdges", n: 5},
		{name: "oneLoop", n: 1, edges: pairs(0, 0)},
		{name: "oneEdge", n: 2, edges: pairs(0, 1)},
		{name: "loopsAndDoubles", n: 5, edges: pairs(0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 2, 3, 3, 2, 1)},
		{name: "twoComponents", n: 9, edges: pairs(0, 1, 1, 2, 2, 3, 3, 0, 5, 6, 6, 7, 7, 5)},
		star(2), star(63), star(64), star(65), star(5000),
		pathGraph(63), pathGraph(64), pathGraph(65), pathGraph(129),
		ring(127), complete(40), tree(1000), grid(33, 31), dandelion(400, 700),
		{name: "highLabels", n: 1000, edges: pairs(999, 998, 998, 960, 960, 1, 999, 63, 63, 64)},
	}
}

func pairs(v ...hops.Vertex) (edges []hops.Edge) {
	for i := 0; i < len(v); i += 2 {
		edges = append(edges, hops.Edge{U: v[i], V: v[i+1]})
	}
	return edges
}

func build(name string, n int, add func(edge func(u, v int))) graph {
	g := graph{name: name, n: hops.Vertex(n)}
	add(func(u, v int) { g.edges = append(g.edges, hops.Edge{U: hops.Vertex(u), V: hops.Vertex(v)}) })
	return g
}

// joined is a graph that joins every vertex but the first to one before it.
func joined(name string, n int, before func(v int) int) graph {
	return build(name, n, func(edge func(u, v int)) {
		for v := 1; v < n; v++ {
			edge(before(v), v)
		}
	})
}

func star(n int) graph { return joined(fmt.Sprintf("star%d", n), n, func(int) int { return 0 }) }

func pathGraph(n int) graph {
	return joined(fmt.Sprintf("path%d", n), n, func(v int) int { return v - 1 })
}

func tree(n int) graph { return joined("tree", n, func(v int) int { return (v - 1) / 3 }) }

// dandelion is a path that ends in a star: long, then wide at once.
func dandelion(stem, seeds int) graph {
	return joined("dandelion", stem+seeds, func(v int) int { return min(v, stem) - 1 })
}

func ring(n int) graph {
	return build("ring", n, func(edge func(u, v int)) {
		for v := range n {
			edge(v, (v+1)%n)
		}
	})
}

func complete(n int) graph {
	return build("complete", n, func(edge func(u, v int)) {
		for u := range n {
			for v := range u {
				edge(u, v)
			}
		}
	})
}

func grid(width, height int) graph {
	return build("grid", width*height, func(edge func(u, v int)) {
		for y := range height {
			for x := range width {
				if x > 0 {
					edge(y*width+x, y*width+x-1)
				}
				if y > 0 {
					edge(y*width+x, (y-1)*width+x)
				}
			}
		}
	})
}
