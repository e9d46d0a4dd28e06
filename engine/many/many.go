// Package many searches from up to 64 roots at once on the cores of one host.
//
// Searches from many roots read the same rows again and again. Here up to 64 searches
// share each reading: every vertex has a word of 64 bits, one for each root, and a
// step passes words along edges (Then et al., The More the Merrier, VLDB 2014). On a
// graph of small diameter nearly all vertices are reached from nearly all roots within
// the same two or three levels.
//
// The state is two words for each vertex: seen has the roots that have reached the
// vertex, and before is what seen was one level ago. The frontier is the vertices
// whose two words differ. A level writes the next value of seen over before, and
// the two arrays change places.
//
//   - Top-down, the fresh bits of a frontier vertex are added to the words of its
//     neighbours. Each worker changes the words of its own range of vertices, which
//     is a piece of every row, so that no operation is atomic.
//   - Bottom-up, a vertex looks for the roots that it misses in the words of its
//     neighbours, and stops when it misses none. Roots that a neighbour saw in
//     earlier levels do no harm: the vertex has them already.
//
// Each root has its own frontier, and no direction is good for all of them. One root
// that is far from everything keeps all rows open to their end: on a Kronecker graph
// of scale 20 the third level examined 21.6 M entries bottom-up, and 30.9 M top-down.
// With four roots top-down and sixty bottom-up it examined 0.7 M and 4.4 M. So a
// level is split by roots; choice.go says how.
//
// A word takes eight bytes where a bitmap has a bit, and most reads go to the words
// of a few thousand hubs. So the rows are copied with the vertices numbered by falling
// degree, without isolated vertices: nine in ten reads then go to the first megabyte.
// The result is translated back to the labels of the graph. It has the levels in
// binary, one word for each bit, so that a step sets the level of a vertex for any
// number of roots by one, two or three operations. docs/design/many.md has the figures.
package many

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"runtime"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/kernel"
	"github.com/gohops/hops/internal/base/placement"
	"github.com/gohops/hops/internal/base/turn"
	"github.com/gohops/hops/level"
)

// Options of the engine. The zero value is good.
type Options struct {
	// Threads is the number of workers; 0 means one for every CPU available.
	Threads int
	// Direction forces all levels one way: "top-down", "bottom-up" or "split"; ""
	// lets the engine choose.
	Direction string
	// MaxDepth ends searches after so many hops from the roots; 0 means no limit.
	MaxDepth int
}

// A Searcher searches a graph from many roots, one search at a time. Any number of
// searchers may share a graph.
type Searcher struct {
	graph  *graph.Graph
	team   *placement.Team
	m      *machine
	policy level.Policy
	levels []hops.Level
	depth  int32 // limit of searches

	turn turn.Turn // of a search, or of Close
}

// New returns a searcher for a graph, which must not be closed before it. It copies
// the rows, which takes as much memory as the graph and, at scale 20, as long as some
// 250 searches from one root: it pays for hundreds of roots.
func New(g *graph.Graph, opts Options) (*Searcher, error) {
	return newSearcher(g, opts, kernel.Best())
}

func newSearcher(g *graph.Graph, opts Options, kernels kernel.Kernels) (*Searcher, error) {
	if err := g.Verify(); err != nil {
		return nil, fmt.Errorf("many: %w", err)
	}
	if opts.Threads < 1 {
		opts.Threads = runtime.GOMAXPROCS(0)
	}
	s := &Searcher{graph: g, depth: math.MaxInt32}
	if opts.MaxDepth > 0 {
		s.depth = int32(min(opts.MaxDepth, math.MaxInt32))
	}
	var err error
	if s.policy, err = fixedPolicy(opts.Direction); err != nil {
		return nil, err
	}
	if s.team, err = placement.NewTeam(opts.Threads, 0); err != nil {
		return nil, err
	}
	err = g.Read(func() error {
		s.m, err = newMachine(g, s.team.Team, kernels)
		return err
	})
	if err != nil {
		s.team.Close()
		return nil, err
	}
	if s.policy == nil {
		s.policy = s.m
	}
	return s, nil
}

// fixedPolicy always takes the step of that name. It is nil for no name.
func fixedPolicy(direction string) (level.Policy, error) {
	for _, s := range steps {
		if s.Name == direction {
			return level.Fixed{Direction: s.Direction}, nil
		}
	}
	if direction != "" {
		return nil, fmt.Errorf("many: unknown direction %q: top-down, bottom-up or split", direction)
	}
	return nil, nil
}

// Search searches from up to MaxRoots roots at once, as far as MaxDepth allows, and
// fills d, whose content after an error is undefined. In the trace, a vertex counts
// in every level in which a root reaches it.
func (s *Searcher) Search(ctx context.Context, roots []hops.Vertex, d *hops.Depths) (hops.Trace, error) {
	if err := s.turn.Begin("many"); err != nil {
		return hops.Trace{}, err
	}
	defer s.turn.End()
	if err := s.check(roots, d); err != nil {
		return hops.Trace{}, err
	}
	if s.team.Enter() {
		defer s.team.Leave()
	}
	s.m.roots = append(s.m.roots[:0], roots...)
	trace := hops.Trace{Levels: s.levels[:0]}
	err := s.graph.Read(func() error { return level.SearchTo(ctx, s.m, s.policy, roots[0], s.depth, &trace) })
	s.levels = trace.Levels
	if err == nil {
		s.m.writeDepths(d)
	}
	return trace, err
}

func (s *Searcher) check(roots []hops.Vertex, d *hops.Depths) error {
	if err := s.graph.Verify(); err != nil {
		return fmt.Errorf("many: %w", err)
	}
	if len(roots) == 0 || len(roots) > hops.MaxRoots {
		return fmt.Errorf("many: %d roots: from 1 to %d can share a search", len(roots), hops.MaxRoots)
	}
	n := s.graph.NumVertices()
	for _, root := range roots {
		if root >= n {
			return fmt.Errorf("many: root %d: the graph has %d vertices", root, n)
		}
	}
	if hops.Vertex(d.Len()) != n {
		return fmt.Errorf("many: there is room for the levels of %d of %d vertices", d.Len(), n)
	}
	return nil
}

// Memory returns the bytes of the graph and of the searcher together, and the most
// that were in use while the two were made.
func (s *Searcher) Memory() (finished, peak int64) {
	rows, peak := s.graph.Memory()
	return rows + s.m.mem.Live(), max(peak, rows+s.m.mem.Peak())
}

// Close waits for a search that is going on, ends the workers and releases the memory
// of the searcher, not the graph.
func (s *Searcher) Close() error {
	return s.turn.Close(func() error {
		s.team.Close()
		return s.m.mem.Close()
	})
}

// writeDepths translates the result from ranks to vertices. Isolated vertices share a
// rank, whose words are zero.
func (m *machine) writeDepths(d *hops.Depths) {
	d.Reserve(bits.Len(uint(m.deepest)))
	d.Roots = append(d.Roots[:0], m.roots...)
	m.team.For(int64(len(m.rows.rank)), blockSize, func(_ int, lo, hi int64) {
		rank := m.rows.rank[lo:hi]
		m.kernels.Pick(d.Reached[lo:hi], m.seen, rank)
		for k, words := range d.Bits {
			m.kernels.Pick(words[lo:hi], m.levels[k], rank)
		}
	})
	for i, root := range m.roots { // the search has left isolated roots out
		d.Reached[root] |= 1 << i
	}
}
