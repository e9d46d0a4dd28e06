package cpu

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/level"
)

// Searches from many roots read the same rows again and again. SearchMany lets up
// to 64 of them share each reading: every vertex has a word of 64 bits, one for
// each root, and what passes along an edge is a word (Then et al., The More the
// Merrier, VLDB 2014). On a graph of small diameter nearly all vertices are reached
// from nearly all roots within the same two or three levels.
//
// The state is two words for each vertex: seen, the roots that have reached it, and
// before, what seen was one level ago. Where they differ is the frontier. A level
// writes what is seen next over what was seen before, and the two change places.
//
//   - Top-down, the fresh bits of a frontier vertex are added to the words of its
//     neighbours. Each worker does so for a range of the vertices, which is a
//     piece of every row, so that nothing is atomic.
//   - Bottom-up, a vertex looks for the roots that it misses in what its neighbours
//     have seen, and stops when it misses nothing. What a neighbour saw earlier
//     does no harm: the vertex would have it already.
//
// Each root has its own frontier, and there is no direction that is good for all.
// One root that is far from everything keeps all rows open to their end: of a
// Kronecker graph of scale 20 the third level examined 21.6 M entries bottom-up, and
// 30.9 M top-down. But with four roots top-down and sixty bottom-up it is 0.7 M and
// 4.4 M. So a level is split by roots, see choose.
//
// Words are eight bytes where a bitmap has a bit, and most of the looks are at
// those of a few thousand hubs. So the graph is numbered anew, by falling degree
// and without isolated vertices: nine in ten looks then go to the first megabyte,
// and rows that are asked one after the other lie one after the other. The result
// is translated back, and in binary, a bit of all 64 levels at a time: to set the
// level of a vertex for any number of roots is to OR into one, two or three words.
// docs/cpu.md has the numbers of all this.

// SearchMany searches from up to 64 roots at once, as far as the searcher's depth
// allows, and fills d, whose content after an error is undefined. In the trace, a
// vertex counts in every level in which a root reaches it.
//
// The first call makes a copy of the rows, numbered by degree: as much memory as the
// graph takes, which is kept until Close, and some time. It is for those who have
// many roots; the benchmark's rules do not allow it.
func (s *Searcher) SearchMany(ctx context.Context, roots []hops.Vertex, d *graph.Depths) (hops.Trace, error) {
	if err := s.checkMany(roots, d); err != nil {
		return hops.Trace{}, err
	}
	if s.seat != nil && s.seat.Enter() {
		defer s.seat.Leave()
	}
	if s.many == nil {
		m, err := newMany(s.graph, s.team)
		if err != nil {
			return hops.Trace{}, err
		}
		s.many = m
	}
	var policy level.Policy = s.many
	if fixed, ok := s.policy.(level.Fixed); ok {
		policy = fixed
	}
	s.many.roots = append(s.many.roots[:0], roots...)
	trace := hops.Trace{Levels: s.levels[:0]}
	err := level.SearchTo(ctx, s.many, policy, roots[0], s.depth, &trace)
	s.levels = trace.Levels
	if err == nil {
		s.many.deliver(d)
	}
	return trace, err
}

func (s *Searcher) checkMany(roots []hops.Vertex, d *graph.Depths) error {
	if len(roots) == 0 || len(roots) > graph.MaxRoots {
		return fmt.Errorf("cpu: %d roots: from 1 to %d can share a search", len(roots), graph.MaxRoots)
	}
	n := s.graph.NumVertices()
	for _, root := range roots {
		if root >= n {
			return fmt.Errorf("cpu: root %d: the graph has %d vertices", root, n)
		}
	}
	if hops.Vertex(d.Len()) != n {
		return fmt.Errorf("cpu: there is room for the levels of %d of %d vertices", d.Len(), n)
	}
	return nil
}
