package check

// Passes 3 and 4: the tuples.
//
// The list is long and its ends are random, so what a tuple costs is the two
// words it needs from memory. A block is therefore gone through several times,
// in small loops:
//
//  1. gather the words of all ends: independent loads and nothing else, so that
//     the processor keeps as many cache misses under way as it can;
//  2. compare the levels, which are in the first-level cache now;
//  3. sift out the tuples that look like tree edges, one in 26 at scale 20;
//  4. ask the tree about those, and mark the children.
//
// One loop for all of it took 1.5 times as long at scale 20: it ran out of
// registers, and its one unpredictable branch, "is this a tree edge", waited for
// a cache miss and threw away the work behind it. Words of 16 bits, half the
// footprint, were no faster.

import (
	"context"
	"sync/atomic"

	"github.com/gohops/hops"
)

// A histogram counts the vertices of each level, and is shared by workers.
type histogram []int64

// shallow levels are counted locally before they go to the shared histogram.
const shallow = 32

// count counts a vertex.
func (h histogram) count(local *[shallow]int64, d level) {
	if d < shallow {
		local[d]++
	} else {
		atomic.AddInt64(&h[d], 1)
	}
}

// add adds what was counted locally.
func (h histogram) add(local *[shallow]int64) {
	for d, count := range local[:min(shallow, len(h))] {
		atomic.AddInt64(&h[d], count)
	}
}

// A scratch is what one worker needs for a block.
type scratch struct {
	ends   []ends
	likely []hops.Edge

	weights []float32 // of a block; nil before the first result with distances
}

// ends are the words of the two ends of a tuple.
type ends struct{ u, v uint32 }

func newScratch(tuples int) scratch {
	return scratch{ends: make([]ends, tuples), likely: make([]hops.Edge, 0, tuples)}
}

// packWords turns the codes into words and counts the vertices of each level.
func (t *trial) packWords(ctx context.Context) ([]int64, error) {
	counts, layout := make(histogram, int64(t.last-rootCode)+1), layoutOf(t.last)
	err := t.eachVertex(ctx, func(lo, hi int64) error {
		clear(t.marked[lo/64 : (hi+63)/64])
		var local [shallow]int64
		for v := lo; v < hi; v++ {
			code := t.words[v]
			if code == 0 {
				continue
			}
			t.words[v] = layout.pack(code, uint64(t.above(hops.Vertex(v))))
			counts.count(&local, code-rootCode)
		}
		counts.add(&local)
		return nil
	})
	return counts, err
}

// checkEdges is pass 3. It counts the tuples within the tree.
func (t *trial) checkEdges(ctx context.Context) (edges, loops int64, err error) {
	var edgeTotal, loopTotal atomic.Int64
	layout := layoutOf(t.last)
	compare, adopt := layout.compare, t.markChildren
	if t.directed {
		compare, adopt = layout.compareDirected, t.markTargets
	}
	err = t.tuples.each(ctx, func(worker int, first int64, block []hops.Edge) error {
		s := &t.scratch[worker]
		read := gather(s.ends, t.words, block)
		inside, bad := compare(s.ends[:read])
		if bad >= 0 {
			return t.edgeError(block[bad], first+int64(bad))
		}
		if read < len(block) {
			return t.tuples.within(block[read:], first+int64(read))
		}
		s.likely = s.likely[:0]
		loops := s.sift(layout, block)
		adopt(s.likely)
		loopTotal.Add(loops)
		edgeTotal.Add(inside - loops)
		return nil
	})
	return edgeTotal.Load(), loopTotal.Load(), err
}

// gather reads the words of the ends of a block, up to the first that is not a
// vertex, and returns the number of tuples read.
func gather(dst []ends, words []uint32, block []hops.Edge) int {
	dst = dst[:len(block)]
	for i, e := range block {
		if e.U >= hops.Vertex(len(words)) || e.V >= hops.Vertex(len(words)) {
			return i
		}
		dst[i] = ends{words[e.U], words[e.V]}
	}
	return len(block)
}

// compare counts the tuples within the tree. If the levels of one are too far
// apart, bad is its index, otherwise -1.
func (l layout) compare(block []ends) (inside int64, bad int) {
	outside := 0
	for i, e := range block {
		if l.apart(e.u, e.v) {
			return 0, i
		}
		if e.u == 0 {
			outside++
		}
	}
	return int64(len(block) - outside), -1
}

// sift adds what may be a tree edge to those collected, and counts the self-loops within the
// tree.
func (s *scratch) sift(l layout, block []hops.Edge) (loops int64) {
	words := s.ends[:len(block)]
	found := s.likely
	for i, e := range block {
		w := words[i]
		if l.likely(w.u, e.V) || l.likely(w.v, e.U) {
			found = append(found, e)
		}
		if e.U == e.V && w.u != 0 {
			loops++
		}
	}
	s.likely = found
	return loops
}

// markChildren marks the child of every edge that is in the tree. The root, its
// own parent, is marked if it has a loop.
func (t *trial) markChildren(edges []hops.Edge) {
	for _, e := range edges {
		if t.isParent(e.V, e.U) {
			mark(t.marked, e.U)
		}
		if t.isParent(e.U, e.V) {
			mark(t.marked, e.V)
		}
	}
}

// Directed tuples bind in one direction only: (u, v) lets v be at most one level
// below u, puts v into the tree if u is in it, and can be the tree edge of v. A
// tuple that leads into the tree, or back to a level far above, is no fault. The
// argument of the package comment holds as it stands: levels grow by at most one
// along any path from the root, and tree edges are steps of such a path.

// compareDirected is compare for directed tuples. It counts those that start in
// the tree, which then end in it too.
func (l layout) compareDirected(block []ends) (inside int64, bad int) {
	for i, e := range block {
		if e.u == 0 {
			continue
		}
		if e.v == 0 || l.code(e.v) > l.code(e.u)+1 {
			return 0, i
		}
		inside++
	}
	return inside, -1
}

// markTargets is markChildren for directed tuples.
func (t *trial) markTargets(edges []hops.Edge) {
	for _, e := range edges {
		if t.isParent(e.U, e.V) {
			mark(t.marked, e.V)
		}
	}
}

// edgeError tells how a tuple whose levels are too far apart came to be.
func (t *trial) edgeError(e hops.Edge, index int64) *Error {
	fault := edgeFault(e, index, [2]int64{t.level(e.U), t.level(e.V)})
	fault.Parent = t.parent(fault.Vertex)
	return fault
}

// edgeFault is the same without the parent of the vertex at fault.
func edgeFault(e hops.Edge, index int64, levels [2]int64) *Error {
	fault := &Error{Rule: Levels, Edge: e, Index: index, Levels: levels, Vertex: e.U}
	if levels[0] < levels[1] {
		fault.Vertex = e.V
	}
	if min(levels[0], levels[1]) < 0 {
		fault.Rule = Span
		fault.Vertex = e.U + e.V - fault.Vertex // the one that is not deeper
	}
	return fault
}

// level is the level of v, -1 outside the tree.
func (t *trial) level(v hops.Vertex) int64 { return levelOf(layoutOf(t.last).code(t.words[v])) }

// checkMarks is pass 4: all tree edges have been met.
func (t *trial) checkMarks(ctx context.Context) error {
	t.marked.Add(uint64(t.root)) // which has no tree edge
	return t.eachVertex(ctx, func(lo, hi int64) error {
		for v := lo; v < hi; v++ {
			if t.words[v] != 0 && !t.marked.Has(uint64(v)) {
				return branchError(hops.Vertex(v), t.parent(hops.Vertex(v)), t.directed)
			}
		}
		return nil
	})
}
