package graph

import (
	"fmt"

	"github.com/gohops/hops"
)

// Walk visits the vertices of g in breadth-first order: the root at depth 0, its
// neighbours at depth 1, and so on, until visit returns false. It looks at no
// more of the graph than it has to, on one core; to search a graph as a whole,
// use an engine.
func Walk(g *Graph, root hops.Vertex, visit func(v hops.Vertex, depth int) bool) error {
	if root >= g.NumVertices() {
		return fmt.Errorf("graph: root %d: the graph has %d vertices", root, g.NumVertices())
	}
	seen := make([]uint64, len(g.Isolated))
	seen[root>>6] |= 1 << (root & 63)
	front, next := []uint32{uint32(root)}, []uint32(nil)
	for depth := 0; len(front) > 0; depth++ {
		for _, v := range front {
			if !visit(hops.Vertex(v), depth) {
				return nil
			}
		}
		err := g.Read(func() (err error) {
			next, err = g.expand(front, next[:0], seen)
			return err
		})
		if err != nil {
			return err
		}
		front, next = next, front
	}
	return nil
}

// expand appends the neighbours of front that are not seen to next, and sees them.
func (g *Graph) expand(front, next []uint32, seen []uint64) ([]uint32, error) {
	for _, v := range front {
		row, err := g.OutRow(hops.Vertex(v))
		if err != nil {
			return next, err
		}
		for _, u := range row {
			if seen[u>>6]>>(u&63)&1 == 0 {
				seen[u>>6] |= 1 << (u & 63)
				next = append(next, u)
			}
		}
	}
	return next, nil
}
