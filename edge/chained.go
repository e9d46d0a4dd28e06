package edge

import (
	"fmt"
	"math/bits"
	"sort"

	"github.com/gohops/hops"
)

// A Chained is a graph with chains of further vertices that hang on its own. Crawls of the
// web are like that: a core of hubs, and long paths into it that make hundreds of levels.
type Chained struct {
	derived
	on     []hops.Vertex // of each chain: what it hangs on
	starts []int64       // and its first vertex, counted from the first of all chains; then the end of the last
}

var _ hops.DirectedSource = (*Chained)(nil)

// NewChained hangs so many chains of 1 to longest vertices on vertices of src. The seed draws
// both. Labels of chains follow those of src, and so do their edges.
func NewChained(src hops.Source, chains, longest int, seed uint64) (*Chained, error) {
	n := src.NumVertices()
	if chains < 0 || longest < 1 || n == 0 {
		return nil, fmt.Errorf("edge: %d chains of up to %d vertices cannot hang on %d vertices", chains, longest, n)
	}
	if n > MaxPackedVertices || int64(chains) > int64(MaxPackedVertices-n)/int64(longest) {
		return nil, fmt.Errorf("edge: %d vertices with %d chains of up to %d are more than 2^48", n, chains, longest)
	}
	c := &Chained{derived{src}, make([]hops.Vertex, chains), make([]int64, chains+1)}
	for i := range chains {
		draws := streamOf(seed, int64(i))
		at, _ := bits.Mul64(draws.next(), uint64(n))
		length, _ := bits.Mul64(draws.next(), uint64(longest))
		c.on[i], c.starts[i+1] = hops.Vertex(at), c.starts[i]+int64(length)+1
	}
	return c, nil
}

// hung is the number of vertices of all chains. Each has one edge, to the one before it.
func (c *Chained) hung() int64 { return c.starts[len(c.on)] }

// NumVertices implements hops.Source.
func (c *Chained) NumVertices() hops.Vertex { return c.src.NumVertices() + hops.Vertex(c.hung()) }

// NumEdges implements hops.Source.
func (c *Chained) NumEdges() int64 { return c.src.NumEdges() + c.hung() }

// EdgesAt implements hops.Source.
func (c *Chained) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	n, end := span(len(dst), off, c.NumEdges())
	own := int(min(int64(n), max(c.src.NumEdges()-off, 0)))
	if own > 0 {
		if got, err := c.src.EdgesAt(dst[:own], off); got < own {
			return got, err
		}
	}
	if own < n {
		c.hang(dst[own:n], off+int64(own)-c.src.NumEdges())
	}
	return n, end
}

// hang makes the edges of the chains' vertices from the given one on.
func (c *Chained) hang(dst []hops.Edge, from int64) {
	first := c.src.NumVertices()
	chain := sort.Search(len(c.on), func(i int) bool { return c.starts[i+1] > from })
	for i := range dst {
		at := from + int64(i)
		if at == c.starts[chain+1] {
			chain++
		}
		before := first + hops.Vertex(at) - 1
		if at == c.starts[chain] {
			before = c.on[chain]
		}
		dst[i] = hops.Edge{U: before, V: first + hops.Vertex(at)}
	}
}
