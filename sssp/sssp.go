package sssp

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/internal/base/placement"
	"github.com/gohops/hops/level"
)

// Options of a searcher. The zero value is good.
type Options struct {
	// Threads is the number of workers; 0 means one for every CPU available.
	Threads int
	// Policy chooses the direction of each bucket; nil is the direction that is
	// expected to examine fewer entries. Graphs without hubs, such as roads and grids, are
	// searched by queues if it is nil.
	Policy level.Policy
	// Hosts is the number of hosts that ranks in this process pretend to be on; 0 is one.
	// Ranks of one host share memory, others send messages.
	Hosts int
}

// A Searcher finds shortest paths in one graph, one search at a time. Any number of
// searchers may share a graph.
type Searcher struct {
	graph  *graph.Graph
	team   *placement.Team
	mem    *arena.Arena
	slots  *slotGraph           // of a graph with hubs; otherwise nil
	short  *shortRows           // of a graph without
	plain  *shortRows           // the same without chains, made by the first search that needs it
	single pathMachine[float32] // made by the first search that needs it
	double pathMachine[float64]
	policy level.Policy
	levels []hops.Level

	turn   sync.Mutex // held by a search and by Close
	closed bool
}

// ErrNoWeights is the error of New for a graph whose edges have no weights.
var ErrNoWeights = errors.New("sssp: the edges of the graph have no weights")

// A pathMachine searches with distances of one width.
type pathMachine[D distance] interface {
	level.Machine
	// slotOf returns the slot of a vertex. A search can begin there only if the vertex has edges.
	slotOf(v hops.Vertex) (slot uint32, hasEdges bool)
	// write copies the result of a search to the labels of the graph.
	write(parents []uint32, far []D)
	// rounded tells whether distances may differ from the sums along the paths, because they are
	// too large to be exact.
	rounded() bool
}

// New returns a searcher for a graph with weights, which must not be closed before it. It
// copies the rows and sorts them by weight.
func New(g *graph.Graph, opts Options) (*Searcher, error) {
	if !g.Weighted() {
		return nil, ErrNoWeights
	}
	if err := g.Verify(); err != nil {
		return nil, fmt.Errorf("sssp: %w", err)
	}
	return open(g, opts, opts.Policy == nil && forQueues(g))
}

// open returns a searcher by queues or by buckets in two directions, for a graph that is verified.
func open(g *graph.Graph, opts Options, byQueues bool) (*Searcher, error) {
	if opts.Threads < 1 {
		opts.Threads = runtime.GOMAXPROCS(0)
	}
	s := &Searcher{graph: g, mem: &arena.Arena{}, policy: opts.Policy}
	if s.policy == nil {
		s.policy = leastWork{}
	}
	var err error
	if s.team, err = placement.NewTeam(opts.Threads, 1); err != nil {
		return nil, err
	}
	if byQueues {
		s.short, err = newShortRows(g, true, s.team.Team, s.mem)
	} else {
		s.slots, err = newSlotGraph(g, s.team.Team, s.mem)
	}
	if err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// ByQueues tells whether the graph is searched by queues.
func (s *Searcher) ByQueues() bool { return s.short != nil }

// Need is an upper bound of the bytes that New and Search use, with distances of 32
// bits, for n vertices and m edges.
func Need(n hops.Vertex, m int64) int64 {
	// Labels, heads of rows, padding of rows to cache lines, candidates, states, carried candidates.
	const perVertex = 2*4 + 16 + (lineEntries-1)*8 + 28 + 8 + 3*24
	return 2*m*8 + int64(n)*perVertex
}

// leastWork takes the direction that is expected to examine fewer entries.
type leastWork struct{}

// Next implements level.Policy.
func (leastWork) Next(f level.Front, steps []level.Step) level.Step {
	if f.Work[level.BottomUp] < f.Work[level.TopDown] {
		return level.First(steps, level.BottomUp)
	}
	return level.First(steps, level.TopDown)
}

// Search fills p, which must be empty and of the right size, with the shortest paths
// from root. Sums have the width of the distances of p.
func (s *Searcher) Search(ctx context.Context, root hops.Vertex, p *hops.Paths) (hops.Trace, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	if s.closed {
		return hops.Trace{}, errors.New("sssp: the searcher is closed")
	}
	if err := s.graph.Verify(); err != nil {
		return hops.Trace{}, fmt.Errorf("sssp: %w", err)
	}
	n := s.graph.NumVertices()
	switch {
	case root >= n:
		return hops.Trace{}, fmt.Errorf("sssp: root %d: the graph has %d vertices", root, n)
	case hops.Vertex(len(p.Narrow)) != n || p.First != 0 || hops.Vertex(len(p.Single)+len(p.Double)) != n:
		return hops.Trace{}, fmt.Errorf("sssp: the result has room for %d parents and %d distances of %d vertices",
			len(p.Narrow), len(p.Single)+len(p.Double), n)
	case p.Double == nil:
		return search(ctx, s, &s.single, root, &p.Tree, p.Single)
	}
	return search(ctx, s, &s.double, root, &p.Tree, p.Double)
}

// Clear empties a result as its Reset does, with the workers that will fill it. All of them
// are awake when a search follows.
func (s *Searcher) Clear(p *hops.Paths) {
	s.turn.Lock()
	defer s.turn.Unlock()
	if s.closed || len(p.Single) != len(p.Narrow) {
		p.Reset()
		return
	}
	p.Root = hops.NoVertex
	s.team.Run(func(w int) {
		lo, hi := par.Split(int64(len(p.Single)), 64, w, s.team.Size())
		(&hops.Paths{Tree: hops.Tree{Narrow: p.Narrow[lo:hi]}, Single: p.Single[lo:hi]}).Reset()
	})
	s.team.Gather()
}

// search runs the machine of one width.
func search[D distance](ctx context.Context, s *Searcher, m *pathMachine[D], root hops.Vertex, t *hops.Tree, far []D) (hops.Trace, error) {
	trace := hops.Trace{Levels: s.levels[:0]}
	t.Root = root
	if *m == nil {
		var err error
		if *m, err = newPathMachine[D](s); err != nil {
			return trace, err
		}
	}
	slot, hasEdges := (*m).slotOf(root)
	if !hasEdges {
		t.Narrow[root], far[root] = uint32(root), 0
		return trace, nil
	}
	err := level.Search(ctx, *m, s.policy, hops.Vertex(slot), &trace)
	s.levels = trace.Levels
	if err == nil && (*m).rounded() {
		if *m, err = newPlainQueues[D](s); err == nil {
			return search(ctx, s, m, root, t, far)
		}
	}
	if err == nil {
		(*m).write(t.Narrow, far)
	}
	return trace, err
}

// newPlainQueues returns a machine without chains.
func newPlainQueues[D distance](s *Searcher) (m pathMachine[D], err error) {
	if s.plain == nil {
		if s.plain, err = newShortRows(s.graph, false, s.team.Team, s.mem); err != nil {
			return nil, err
		}
	}
	return newQueueMachine[D](s, s.plain)
}

func newQueueMachine[D distance](s *Searcher, r *shortRows) (pathMachine[D], error) {
	states, err := arena.Make[state[D]](s.mem, int(r.vertices())+1)
	if err != nil {
		return nil, err
	}
	return newQueues(r, s.team.Team, states), nil
}

// newPathMachine returns the machine of one width for the graph.
func newPathMachine[D distance](s *Searcher) (pathMachine[D], error) {
	if s.short != nil {
		return newQueueMachine[D](s, s.short)
	}
	states, err := arena.Make[state[D]](s.mem, len(s.slots.label))
	if err != nil {
		return nil, err
	}
	return newMachine(s.slots, s.team.Team, states), nil
}

// Memory returns the bytes of the graph and of the searcher together, and the most that
// were in use.
func (s *Searcher) Memory() (finished, peak int64) {
	rows, peak := s.graph.Memory()
	finished = rows + s.mem.Live()
	return finished, max(peak, rows+s.mem.Peak())
}

// Close waits for a search that is going on and releases what the searcher owns.
func (s *Searcher) Close() error {
	s.turn.Lock()
	defer s.turn.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	s.team.Close()
	return s.mem.Close()
}
