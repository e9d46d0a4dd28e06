package check

// Pass 2: levels from parents.
//
// From every vertex without a level, climb to the first ancestor that has one,
// counting steps; then climb again and write down what is known now. A vertex
// gets its level once, so all climbs of one worker together take O(n) steps, on
// a star as on a path. Workers share what they find: two may climb the same path
// at the same time and write the same numbers, which atomic stores allow. What
// one sees of the other's levels only shortens its climb.
//
// A climb of more than n steps is on a cycle. Each worker makes at most one
// such climb; which vertex to report is then found serially.
//
// Rejected: pointer doubling, which needs no atomics but O(n log depth) work and
// a second array; collecting children to go down level by level, which needs
// more memory than all the rest.

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/gohops/hops"
)

// stepsPerLook is how many steps a climb takes between two looks at the context and at
// the length of its path: some milliseconds of cache misses.
const stepsPerLook = 1 << 16

var errCycle = errors.New("check: parents on a cycle")

// findLevels sets the code of every vertex, and the last code of the tree. The
// shape must be right and the words must be zero.
func (t *trial) findLevels(ctx context.Context) error {
	t.words[t.root] = rootCode
	var last atomic.Uint32
	last.Store(rootCode)
	err := t.eachVertex(ctx, func(lo, hi int64) error {
		var top level
		for v := lo; v < hi; v++ {
			if t.parent(hops.Vertex(v)) == hops.NoVertex || atomic.LoadUint32(&t.words[v]) != 0 {
				continue
			}
			code, err := t.climb(ctx, hops.Vertex(v))
			if err != nil {
				return err
			}
			top = max(top, code)
		}
		raise(&last, top)
		return nil
	})
	if errors.Is(err, errCycle) {
		return t.lowestOnCycle()
	}
	t.last = last.Load()
	return err
}

// climb sets the codes of v and its ancestors and returns that of v.
func (t *trial) climb(ctx context.Context, v hops.Vertex) (level, error) {
	base, steps, err := t.ascend(ctx, v)
	if err != nil {
		return 0, err
	}
	if uint64(base)+steps > uint64(t.deepest) {
		return 0, fmt.Errorf("check: a tree of more than %d levels is beyond this checker", t.deepest-rootCode+1)
	}
	top := base + level(steps)
	for x, code := v, top; code > base; x, code = t.above(x), code-1 {
		atomic.StoreUint32(&t.words[x], code)
	}
	return top, nil
}

// ascend counts the steps from v to the nearest ancestor whose code is known.
func (t *trial) ascend(ctx context.Context, v hops.Vertex) (base level, steps uint64, err error) {
	for x := v; ; x = t.above(x) {
		if base = atomic.LoadUint32(&t.words[x]); base != 0 {
			return base, steps, nil
		}
		steps++
		if steps%stepsPerLook != 0 {
			continue
		}
		if steps > uint64(t.size()) {
			return 0, 0, errCycle
		}
		if err := ctx.Err(); err != nil {
			return 0, 0, fmt.Errorf("check: %w", err)
		}
	}
}

// raise makes m at least v.
func raise(m *atomic.Uint32, v uint32) {
	for old := m.Load(); old < v && !m.CompareAndSwap(old, v); old = m.Load() {
	}
}

// lowestOnCycle returns the error for the lowest vertex that is on a cycle. It
// follows the parents of every vertex to where it has been before; only on a
// cycle is that place on the very path it came by.
func (t *trial) lowestOnCycle() error {
	const onPath, done = 1, 2
	lowest := hops.NoVertex
	clear(t.words)
	t.words[t.root] = done
	for v := range t.size() {
		if t.parent(v) == hops.NoVertex {
			continue
		}
		x := v
		for ; t.words[x] == 0; x = t.above(x) {
			t.words[x] = onPath
		}
		if t.words[x] == onPath {
			lowest = min(lowest, t.lowestAround(x))
		}
		for x = v; t.words[x] == onPath; x = t.above(x) {
			t.words[x] = done
		}
	}
	return vertexError(Cycle, lowest, t.parent(lowest))
}

// lowestAround is the lowest vertex on the cycle through x.
func (t *trial) lowestAround(x hops.Vertex) hops.Vertex {
	low := x
	for y := t.above(x); y != x; y = t.above(y) {
		low = min(low, y)
	}
	return low
}
