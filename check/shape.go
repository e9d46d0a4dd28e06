package check

import (
	"context"

	"github.com/gohops/hops"
)

// vertexGrain is how many vertices a worker takes at a time. It is a multiple of
// 64, so that words of a bitset have one owner in a pass over the vertices.
const vertexGrain = 1 << 13

// checkShape is pass 1: it looks at every parent by itself. On the way it clears
// the words of an earlier tree.
func (t *trial) checkShape(ctx context.Context) error {
	n := t.size()
	if t.root >= n {
		return vertexError(Root, t.root, hops.NoVertex)
	}
	if p := t.parent(t.root); p != t.root {
		return vertexError(Root, t.root, p)
	}
	return t.eachVertex(ctx, func(lo, hi int64) error {
		clear(t.words[lo:hi])
		for v := hops.Vertex(lo); v < hops.Vertex(hi); v++ {
			if r, bad := t.shapeFault(v); bad {
				return vertexError(r, v, t.parent(v))
			}
		}
		return nil
	})
}

func (t *trial) shapeFault(v hops.Vertex) (r Rule, bad bool) {
	p := t.parent(v)
	switch {
	case p == hops.NoVertex:
		return 0, false
	case p >= t.size():
		return Range, true
	case p == v:
		return Self, v != t.root
	default:
		return Orphan, t.parent(p) == hops.NoVertex
	}
}

// eachVertex calls f for all vertices in ranges that start at multiples of 64.
func (t *trial) eachVertex(ctx context.Context, f func(lo, hi int64) error) error {
	return lowest(ctx, t.tuples.team, int64(t.size()), vertexGrain, func(_ int, lo, hi int64) error {
		return f(lo, hi)
	})
}
