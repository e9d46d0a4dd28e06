package check

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/gohops/hops"
)

// Traversed counts the tuples within a tree that nobody validates, by their first
// ends: it believes that no tuple leads out of the tree.
func (c *Checker) Traversed(ctx context.Context, t *hops.Tree) (edges, loops int64, err error) {
	n := c.tuples.src.NumVertices()
	if t.First != 0 || hops.Vertex(t.Len()) != n {
		return 0, 0, fmt.Errorf("check: the tree covers %d vertices from %d on, the graph has %d from 0 on", t.Len(), t.First, n)
	}
	var sums [2]atomic.Int64
	err = c.tuples.each(ctx, func(_ int, first int64, block []hops.Edge) error {
		var local [2]int64
		for i, e := range block {
			switch {
			case e.U >= n || e.V >= n:
				return strayEdge(e, first+int64(i), c.tuples.src)
			case t.Parent(e.U) == hops.NoVertex:
			case e.U == e.V:
				local[1]++
			default:
				local[0]++
			}
		}
		sums[0].Add(local[0])
		sums[1].Add(local[1])
		return nil
	})
	return sums[0].Load(), sums[1].Load(), err
}
