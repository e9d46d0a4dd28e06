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
		path, err = f.search(ctx, from, to)
		return err
	})
	return path, err
}

func (f *finder) search(ctx context.Context, from, to hops.Vertex) ([]hops.Vertex, error) {
	if end, n := max(from, to), f.graph.NumVertices(); end >= n {
		return nil, fmt.Errorf("query: path: vertex %d: the graph has %d", end, n)
	}
	if from == to {
		return []hops.Vertex{from}, nil
	}
	a, b := &f.a, &f.b
	a.start(from)
	b.start(to)
	for len(a.front()) > 0 && len(b.front()) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("query: path: %w", err)
		}
		near, far := a, b
		if b.edges < a.edges {
			near, far = b, a
		}
		if meeting, met, err := near.expand(far); err != nil {
			return nil, fmt.Errorf("query: path: %w", err)
		} else if met {
			return join(a, b, meeting), nil
		}
	}
	return nil, nil
}

// A side is the search from one end.
type side struct {
	rows *graph.Rows
	row  func(hops.Vertex) ([]uint32, error)

	// parents has the parent of every vertex reached, plus one; the end is its own
	// parent.
	parents []uint32
	reached []uint32 // in the order of levels
	begins  int      // where the front begins in reached
	edges   int64    // of the front
}

// start forgets the last search and begins one from an end.
func (s *side) start(end hops.Vertex) {
	for _, v := range s.reached {
		s.parents[v] = 0
	}
	s.reached, s.begins, s.edges = s.reached[:0], 0, 0
	s.reach(uint32(end), uint32(end))
}

func (s *side) front() []uint32 { return s.reached[s.begins:] }

// reach puts a vertex into the front. Its number of edges comes from the offsets,
// which are not verified here: it only decides which side is expanded next.
func (s *side) reach(v, parent uint32) {
	s.parents[v] = parent + 1
	s.reached = append(s.reached, v)
	s.edges += s.rows.Offsets[v+1] - s.rows.Offsets[v]
}

func (s *side) has(v uint32) bool { return s.parents[v] != 0 }

// expand replaces the front by the next, unless it meets the other side.
func (s *side) expand(other *side) (meeting uint32, met bool, err error) {
	old := s.front()
	s.begins, s.edges = len(s.reached), 0
	for _, v := range old {
		row, err := s.row(hops.Vertex(v))
		if err != nil {
			return 0, false, err
		}
		for _, u := range row {
			if s.has(u) {
				continue
			}
			s.reach(u, v)
			if other.has(u) {
				return u, true, nil
			}
		}
	}
	return 0, false, nil
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
	for p := s.parents[v] - 1; p != v; p = s.parents[v] - 1 {
		line = append(line, hops.Vertex(p))
		v = p
	}
	return line
}
