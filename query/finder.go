package query

import (
	"context"
	"fmt"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/bitset"
)

// A PathFinder searches from both ends at once, as ShortestPath does, and the first
// meeting is a shortest path for the same reason. It is for many searches.
//
// A search keeps no array of parents. The vertices reached lie in the order in which
// they were found, so that the children of a vertex lie together; where they end says
// whose they are. Sets are bitmaps, which fit in a cache where parents do not.

// A PathFinder finds one shortest path after another in a graph. It is for one
// goroutine at a time.
type PathFinder struct {
	graph *graph.Graph
	a, b  half // the searches from both ends
}

// NewPathFinder returns a finder of paths in g. It takes two bits for every vertex, and
// 16 bytes for every vertex that a search reaches, at most.
func NewPathFinder(g *graph.Graph) *PathFinder {
	n := int64(g.NumVertices())
	return &PathFinder{
		graph: g,
		a:     half{rows: &g.Out, row: g.OutRow, seen: bitset.New(n)},
		b:     half{rows: &g.In, row: g.InRow, seen: bitset.New(n)},
	}
}

// Find appends the vertices of a shortest path to dst, from and to included, or
// returns nil if there is none. It allocates no memory, once dst and the finder have
// grown to what they need.
func (f *PathFinder) Find(ctx context.Context, dst []hops.Vertex, from, to hops.Vertex) (path []hops.Vertex, err error) {
	err = f.graph.Read(func() error {
		path, err = f.search(ctx, dst, from, to)
		return err
	})
	return path, err
}

func (f *PathFinder) search(ctx context.Context, dst []hops.Vertex, from, to hops.Vertex) ([]hops.Vertex, error) {
	if end, n := max(from, to), f.graph.NumVertices(); end >= n {
		return nil, fmt.Errorf("query: path: vertex %d: the graph has %d", end, n)
	}
	if from == to {
		return append(dst, from), nil
	}
	a, b := &f.a, &f.b
	a.start(from)
	b.start(to)
	for len(a.front()) > 0 && len(b.front()) > 0 {
		near, far := a, b
		if b.entries() < a.entries() {
			near, far = b, a
		}
		if met, err := near.expand(ctx, far); err != nil {
			return nil, fmt.Errorf("query: path: %w", err)
		} else if met {
			return joinHalves(dst, a, b), nil
		}
	}
	return nil, nil
}

// A half is the search from one end.
type half struct {
	rows *graph.Rows
	row  func(hops.Vertex) ([]uint32, error)

	seen    bitset.Set
	reached []uint32 // the vertices of seen in the order of levels
	ends    []uint32 // where the children of each vertex expanded end in reached
	begins  int      // where the front begins in reached
	meeting int      // place in reached of the vertex where the sides met
}

// start forgets the last search and begins one from an end.
func (s *half) start(end hops.Vertex) {
	if len(s.reached) > len(s.seen) {
		s.seen.Clear()
	} else {
		for _, v := range s.reached {
			s.seen.Remove(uint64(v))
		}
	}
	s.reached, s.ends, s.begins = append(s.reached[:0], uint32(end)), s.ends[:0], 0
	s.seen.Add(uint64(end))
}

func (s *half) front() []uint32 { return s.reached[s.begins:] }

// sampled is the number of vertices of a front whose degrees estimate those of all: the
// degree of a vertex is a cache miss.
const sampled = 64

// entries estimates the entries of the rows of the front. It reads offsets, which are not
// verified here: they only decide which side is expanded next.
func (s *half) entries() int64 {
	front, sum := s.front(), int64(0)
	stride := 1 + len(front)/sampled
	for i := 0; i < len(front); i += stride {
		sum += s.rows.Degree(front[i])
	}
	return sum * int64(stride)
}

// pace is the number of entries after which a search asks whether it is still wanted.
const pace = 1 << 16

// expand replaces the front by the next, unless it meets the other side.
func (s *half) expand(ctx context.Context, other *half) (met bool, err error) {
	front, examined := s.front(), pace
	s.begins = len(s.reached)
	for _, v := range front {
		if examined >= pace {
			if err := ctx.Err(); err != nil {
				return false, err
			}
			examined = 0
		}
		row, err := s.row(hops.Vertex(v))
		if err != nil {
			return false, err
		}
		examined += len(row)
		for _, u := range row {
			if s.seen.Has(uint64(u)) {
				continue
			}
			s.seen.Add(uint64(u))
			s.reached = append(s.reached, u)
			if other.seen.Has(uint64(u)) {
				s.ends, s.meeting = append(s.ends, uint32(len(s.reached))), len(s.reached)-1
				other.meeting = other.begins + slices.Index(other.front(), u)
				return true, nil
			}
		}
		s.ends = append(s.ends, uint32(len(s.reached)))
	}
	return false, nil
}

// join appends the path through the vertex where the sides met.
func joinHalves(dst []hops.Vertex, a, b *half) []hops.Vertex {
	start := len(dst)
	for i := a.meeting; i >= 0; i = a.parent(i) {
		dst = append(dst, hops.Vertex(a.reached[i]))
	}
	slices.Reverse(dst[start:])
	for i := b.parent(b.meeting); i >= 0; i = b.parent(i) {
		dst = append(dst, hops.Vertex(b.reached[i]))
	}
	return dst
}

// parent returns the place of the parent of the vertex at a place, -1 for the end.
func (s *half) parent(place int) int {
	if place == 0 {
		return -1
	}
	i, _ := slices.BinarySearch(s.ends, uint32(place)+1)
	return i
}
