package cygraph

import (
	"io"

	"github.com/gohops/hops"
)

// random is a graph of the two kinds of the paper: R-MAT if skewed, else every
// pair of vertices alike. Edges are drawn from their number.
type random struct {
	scale  int
	edges  int64
	skewed bool
}

func (g random) NumVertices() hops.Vertex { return 1 << g.scale }
func (g random) NumEdges() int64          { return g.edges }

func (g random) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	n := int(min(int64(len(dst)), g.edges-off))
	for i := range n {
		dst[i] = g.edge(uint64(off) + uint64(i))
	}
	if n < len(dst) {
		return n, io.EOF
	}
	return n, nil
}

func (g random) edge(i uint64) hops.Edge {
	x := mix(i ^ 0xc0ffee<<40)
	if !g.skewed {
		y := mix(x)
		return hops.Edge{U: hops.Vertex(x >> (64 - g.scale)), V: hops.Vertex(y >> (64 - g.scale))}
	}
	var e hops.Edge
	for range g.scale {
		x = mix(x)
		u, v := quadrant(x >> 32)
		e.U, e.V = e.U<<1|u, e.V<<1|v
	}
	return e
}

// quadrant is a step of R-MAT with .45 .15 .15 .25, the defaults of GTgraph, which the
// paper names as its generator.
func quadrant(draw uint64) (u, v hops.Vertex) {
	const whole = 1 << 32
	switch {
	case draw < whole*45/100:
		return 0, 0
	case draw < whole*60/100:
		return 0, 1
	case draw < whole*75/100:
		return 1, 0
	}
	return 1, 1
}
