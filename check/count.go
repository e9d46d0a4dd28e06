package check

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/gohops/hops"
)

// traversed is what Traversed has counted for the vertices that are marked.
type traversed struct{ edges, loops int64 }

// Traversed counts the tuples within a tree that nobody validates, by their first
// ends: it believes that no tuple leads out of the tree. It counts them again only if
// the tree has other vertices than the one before. Most roots of a benchmark are in one
// component, and their trees have the same vertices.
func (c *Checker) Traversed(ctx context.Context, t *hops.Tree) (edges, loops int64, err error) {
	n := c.tuples.src.NumVertices()
	if t.First != 0 || hops.Vertex(t.Len()) != n {
		return 0, 0, fmt.Errorf("check: the tree covers %d vertices from %d on, the graph has %d from 0 on", t.Len(), t.First, n)
	}
	same, err := c.markReached(ctx, t)
	if err == nil && !(same && c.counted != nil) {
		c.counted, err = c.countMarked(ctx)
	}
	if err != nil {
		c.counted = nil
		return 0, 0, err
	}
	return c.counted.edges, c.counted.loops, nil
}

// markReached marks the vertices of a tree and tells whether the same ones were marked
// before.
func (c *Checker) markReached(ctx context.Context, t *hops.Tree) (same bool, err error) {
	var changed atomic.Bool
	err = lowest(ctx, c.tuples.team, int64(t.Len()), vertexGrain, func(_ int, lo, hi int64) error {
		for first := lo; first < hi; first += 64 {
			var word uint64
			for v := first; v < min(first+64, hi); v++ {
				if t.Parent(hops.Vertex(v)) != hops.NoVertex {
					word |= 1 << (v - first)
				}
			}
			if c.marked[first/64] != word {
				c.marked[first/64] = word
				changed.Store(true)
			}
		}
		return nil
	})
	return !changed.Load(), err
}

// countMarked counts the tuples whose first end is marked.
func (c *Checker) countMarked(ctx context.Context) (*traversed, error) {
	var edges, loops atomic.Int64
	err := c.tuples.each(ctx, func(_ int, first int64, block []hops.Edge) error {
		if err := c.tuples.within(block, first); err != nil {
			return err
		}
		var local traversed
		for _, e := range block {
			switch {
			case !c.marked.Has(uint64(e.U)):
			case e.U == e.V:
				local.loops++
			default:
				local.edges++
			}
		}
		edges.Add(local.edges)
		loops.Add(local.loops)
		return nil
	})
	return &traversed{edges.Load(), loops.Load()}, err
}

// Traversed counts the tuples within a tree that nobody validates, by their first
// ends. All ranks call it together, with their parts, which have to be of the same
// vertices every time: the first call passes over the tuples, to count for every
// vertex those that begin at it, and all others only add these counts up.
func (c *PartChecker) Traversed(ctx context.Context, t *hops.Tree) (edges, loops int64, err error) {
	if c.firsts == nil {
		p, err := c.begin(ctx, t)
		if err == nil {
			c.firsts, err = p.countFirsts()
		}
		if err != nil {
			return 0, 0, err
		}
	}
	if c.firsts.of != t.First || len(c.firsts.edges) != t.Len() {
		return 0, 0, fmt.Errorf("check: %d vertices from %d on were counted, and are now %d from %d on",
			len(c.firsts.edges), c.firsts.of, t.Len(), t.First)
	}
	sums := make([]uint64, 2)
	for i, n := range c.firsts.edges {
		if t.Parent(t.First+hops.Vertex(i)) != hops.NoVertex {
			sums[0] += n
			sums[1] += c.firsts.loops[i]
		}
	}
	err = c.ranks.Sum(sums)
	return int64(sums[0]), int64(sums[1]), err
}

// firstEnds is how many tuples begin at each vertex of a part: those that lead to
// another vertex, and loops.
type firstEnds struct {
	of           hops.Vertex // the first vertex of the part
	edges, loops []uint64
}

// countFirsts tells the owner of each tuple's first end of it.
func (p *partTrial) countFirsts() (*firstEnds, error) {
	n := p.tree.Len()
	f := &firstEnds{of: p.tree.First, edges: make([]uint64, n), loops: make([]uint64, n)}
	first, end := p.share()
	room := makeStretch[uint32](int(min(int64(p.batch), end-first)), false)
	about := make([]uint64, 0, len(room.edges))
	err := p.inBatches(int(end-first), func(lo, hi int) error {
		room.first = first + int64(lo)
		if err := fillAll(p, room, int64(hi-lo)); err != nil {
			return err
		}
		p.labels, about = p.labels[:0], about[:0]
		for _, e := range room.edges[:hi-lo] {
			loop := uint64(0)
			if e.U == e.V {
				loop = 1
			}
			p.labels, about = append(p.labels, e.U), append(about, loop)
		}
		told, err := p.tell(p.labels, about)
		for k := 0; k+1 < len(told); k += 2 {
			f.edges[told[k]] += 1 - told[k+1]
			f.loops[told[k]] += told[k+1]
		}
		return err
	})
	return f, err
}
