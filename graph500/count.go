package graph500

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/par"
)

// countBlock is how many edges are read at a time: they stay in the first-level
// cache.
const countBlock = 1024

// traversed counts the edges within a tree that nobody validates: tuples whose
// first end is in the tree, self-loops apart. It stands in for the checker,
// which counts on the way.
func traversed(ctx context.Context, src hops.Source, team *par.Team, tree *hops.Tree) (edges, loops int64, err error) {
	var (
		sums    [2]atomic.Int64
		failure atomic.Pointer[error]
		buffers = make([][countBlock]hops.Edge, team.Size())
	)
	team.For(src.NumEdges(), countBlock, func(worker int, lo, hi int64) {
		if ctx.Err() != nil || failure.Load() != nil {
			return
		}
		block := buffers[worker][:hi-lo]
		if n, err := src.EdgesAt(block, lo); n < len(block) {
			if err == nil || errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			err = fmt.Errorf("graph500: reading edge %d: %w", lo+int64(n), err)
			failure.Store(&err)
			return
		}
		e, l := countBlockIn(tree, block)
		sums[0].Add(e)
		sums[1].Add(l)
	})
	if err := failure.Load(); err != nil {
		return 0, 0, *err
	}
	return sums[0].Load(), sums[1].Load(), ctx.Err()
}

func countBlockIn(tree *hops.Tree, block []hops.Edge) (edges, loops int64) {
	for _, e := range block {
		switch {
		case tree.Parent(e.U) == hops.NoVertex:
		case e.U == e.V:
			loops++
		default:
			edges++
		}
	}
	return edges, loops
}
