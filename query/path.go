package query

import (
	"context"
	"fmt"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
)

// ShortestPath searches from both ends at once.
//
// A search from one end looks at everything that is nearer than the other end. A
// ball of half the radius around each end is far smaller in most graphs: with a
// hundred neighbours each, three hops are a million vertices, and two balls of
// one and two hops ten thousand. Little of the graph is read, so that a question
// about a mapped file takes the time of its answer and not of the file.
//
//  1. Each end has a front, at first the end itself, and the parents by which its
//     vertices were reached. The front of the target is expanded against the
//     direction of the edges.
//  2. The front with fewer edges to look at is expanded by one level, whole.
//  3. The first vertex found that the other side has reached too ends the search:
//     the path is its ancestors on both sides.
//  4. If a front is empty, there is no path.
//
// Why the first meeting is a shortest path: let both sides have searched to the
// depths a and b without meeting, so that the ends are more than a + b apart. A
// vertex found at depth a + 1 of one side can then only be at depth exactly b of
// the other, or the ends would be nearer; the path has a + 1 + b hops, the least
// there can be.

// ShortestPath returns the vertices of a shortest path in g, from and to included, or
// nil if there is none. Where edges are directed, so is the path.
func ShortestPath(ctx context.Context, g *graph.Graph, from, to hops.Vertex) ([]hops.Vertex, error) {
	return newFinder(g).find(ctx, from, to)
}

// A finder finds one path after another. It has 8 bytes of memory for every vertex,
// and pages that no search has reached take none.
type finder struct {
	graph *graph.Graph
	a, b  side // the searches from both ends
}

func newFinder(g *graph.Graph) *finder {
	n := g.NumVertices()
	return &finder{
		graph: g,
		a:     side{rows: &g.Out, row: g.OutRow, parents: make([]uint32, n)},
		b:     side{rows: &g.In, row: g.InRow, parents: make([]uint32, n)},
	}
}

func (f *finder) find(ctx context.Context, from, to hops.Vertex) (path []hops.Vertex, err error) {
	err = f.graph.Read(func() error {
		common, err := f.meet(ctx, from, to, false)
		if len(common) > 0 {
			path = join(&f.a, &f.b, common[0])
		}
		return err
	})
	return path, err
}

// meet searches from both ends until the sides meet. It returns the first vertex that both
// have reached, or all that they have in common after a whole level, or nil if there is
// no path.
func (f *finder) meet(ctx context.Context, from, to hops.Vertex, all bool) ([]uint32, error) {
	if end, n := max(from, to), f.graph.NumVertices(); end >= n {
		return nil, fmt.Errorf("query: path: vertex %d: the graph has %d", end, n)
	}
	a, b := &f.a, &f.b
	a.start(from)
	b.start(to)
	if from == to {
		return []uint32{uint32(from)}, nil
	}
	for len(a.front()) > 0 && len(b.front()) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("query: path: %w", err)
		}
		near, far := a, b
		if b.edges < a.edges {
			near, far = b, a
		}
		if common, err := near.expand(far, all); err != nil {
			return nil, fmt.Errorf("query: path: %w", err)
		} else if len(common) > 0 {
			return common, nil
		}
	}
	return nil, nil
}

// A side is the search from one end.
type side struct {
	rows *graph.Rows
	row  func(hops.Vertex) ([]uint32, error)

	// parents has, for every vertex reached, the place of its parent in reached, plus
	// one; the end is its own parent.
	parents []uint32
	reached []uint32 // in the order of levels
	begins  []int    // where each level begins in reached; the last is the front
	edges   int64    // of the front
}

// start forgets the last search and begins one from an end.
func (s *side) start(end hops.Vertex) {
	for _, v := range s.reached {
		s.parents[v] = 0
	}
	s.reached, s.begins, s.edges = s.reached[:0], append(s.begins[:0], 0), 0
	s.reach(uint32(end), 0)
}

// depth is the level of the front.
func (s *side) depth() int { return len(s.begins) - 1 }

func (s *side) front() []uint32 { return s.reached[s.begins[s.depth()]:] }

// at tells whether v was reached in a level.
func (s *side) at(v uint32, level int) bool {
	if end := s.reached[0]; v == end || level == 0 {
		return v == end && level == 0
	}
	place := int(s.parents[v]) - 1
	return place >= s.begins[level-1] && place < s.begins[level]
}

// reach puts a vertex into the front. Its number of edges comes from the offsets,
// which are not verified here: it only decides which side is expanded next.
func (s *side) reach(v uint32, parent int) {
	s.parents[v] = uint32(parent) + 1
	s.reached = append(s.reached, v)
	s.edges += s.rows.Offsets[v+1] - s.rows.Offsets[v]
}

func (s *side) has(v uint32) bool { return s.parents[v] != 0 }

// expand replaces the front by the next. It returns the vertices of it that the other side
// has reached too, and stops at the first of them unless all are wanted.
func (s *side) expand(other *side, all bool) (common []uint32, err error) {
	first, old := s.begins[s.depth()], s.front()
	s.begins, s.edges = append(s.begins, len(s.reached)), 0
	for i, v := range old {
		row, err := s.row(hops.Vertex(v))
		if err != nil {
			return nil, err
		}
		for _, u := range row {
			if s.has(u) {
				continue
			}
			s.reach(u, first+i)
			if other.has(u) {
				if common = append(common, u); !all {
					return common, nil
				}
			}
		}
	}
	return common, nil
}

// join puts the ancestors of a vertex on both sides together.
func join(a, b *side, meeting uint32) []hops.Vertex {
	path := a.ancestors(meeting)
	slices.Reverse(path)
	return append(path, b.ancestors(meeting)[1:]...)
}

// ancestors leads from v to the end, both included.
func (s *side) ancestors(v uint32) []hops.Vertex {
	line := []hops.Vertex{hops.Vertex(v)}
	for p := s.reached[s.parents[v]-1]; p != v; p = s.reached[s.parents[v]-1] {
		line = append(line, hops.Vertex(p))
		v = p
	}
	return line
}
