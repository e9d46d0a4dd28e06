// Package cpu searches on the cores of one host.
//
// The graph keeps the labels of its source, so that parents need no translation. The
// frontier is a queue for top-down levels and a bitmap for bottom-up levels; the
// machine converts it when the next step needs the other form. The visited set is a
// bitmap that starts with the isolated vertices in it, so that no step looks at them.
package cpu

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bottomup"
	"github.com/gohops/hops/internal/base/kernel"
	"github.com/gohops/hops/internal/base/placement"
	"github.com/gohops/hops/internal/base/turn"
	"github.com/gohops/hops/level"
)

// A Searcher holds the state of one search on a graph. It runs one search at a
// time; any number of them may share a graph.
type Searcher struct {
	graph   *graph.Graph
	owned   bool // the graph was built for this searcher alone
	team    *placement.Team
	m       *machine
	policy  *chooser
	unasked bool // the policy does not look at the work of a level
	levels  []hops.Level
	depth   int32 // limit of searches

	turn turn.Turn // of a search, or of Close
}

// Build is kernel 1: it builds a graph, and a searcher that owns the graph.
func Build(ctx context.Context, src hops.Source, opts Options) (*Searcher, error) {
	return build(ctx, src, opts, kernel.Best())
}

func build(ctx context.Context, src hops.Source, opts Options, kernels kernel.Kernels) (*Searcher, error) {
	construct := csr.Build
	if opts.Layout == Plain {
		construct = csr.BuildPlain
	}
	g, err := construct(ctx, src, opts.Threads)
	if err != nil {
		return nil, err
	}
	s, err := newSearcher(g, opts, kernels)
	if err != nil {
		_ = g.Close()
		return nil, err
	}
	s.owned = true
	return s, nil
}

// New returns a searcher for a graph, which must not be closed before it.
func New(g *graph.Graph, opts Options) (*Searcher, error) {
	return newSearcher(g, opts, kernel.Best())
}

func newSearcher(g *graph.Graph, opts Options, kernels kernel.Kernels) (*Searcher, error) {
	if opts.Threads < 1 {
		opts.Threads = runtime.GOMAXPROCS(0)
	}
	if opts.Layout != "" && opts.Layout != Plain {
		return nil, fmt.Errorf("cpu: unknown layout %q: %s", opts.Layout, Plain)
	}
	policy, err := opts.policy()
	if err != nil {
		return nil, err
	}
	if err := g.Verify(); err != nil {
		return nil, fmt.Errorf("cpu: %w", err)
	}
	s := &Searcher{graph: g}
	_, s.unasked = policy.(level.WorkIgnorer)
	s.LimitDepth(opts.MaxDepth)
	if s.team, err = placement.NewTeam(opts.Threads, opts.Parts); err != nil {
		return nil, err
	}
	err = g.Read(func() error {
		s.m, err = newMachine(g, s.team, kernels, opts)
		return err
	})
	if err != nil {
		s.team.Close()
		return nil, err
	}
	s.policy = &chooser{policy, opts.Policy == nil && opts.Direction == "", s.m}
	return s, nil
}

// Need is an upper bound of the bytes that Build and Search use for n vertices
// and m edges.
func (o Options) Need(n hops.Vertex, m int64) int64 {
	const perVertex = 2*4 + 1   // two queues, bitmaps
	const perWorker = 192 << 10 // stack, lists, bins' lengths and page tables: 145 KiB were measured with 4096
	threads := int64(o.Threads)
	if threads < 1 {
		threads = int64(runtime.GOMAXPROCS(0))
	}
	beside := int64(n)*perVertex + threads*perWorker + needBins(threads, 2*m) + 8*bidRoom(int64(n), threads, o.Lean)
	if !o.Lean {
		beside += bottomup.Need(int64(n), 2*m) + needDivided(int64(n), threads, 2*m)
	}
	return max(csr.Need(n, m), csr.NeedFinished(n, m)+beside)
}

func (o Options) policy() (level.Policy, error) {
	if o.Direction == "" && o.Policy != nil {
		return o.Policy, nil
	}
	if o.Direction == "" {
		return level.RuleOfThumb, nil // and the prices, see chooser
	}
	for _, s := range steps {
		if s.Name == o.Direction {
			return level.Fixed{Direction: s.Direction}, nil
		}
	}
	return nil, fmt.Errorf("cpu: unknown direction %q: top-down, bottom-up or split", o.Direction)
}

// LimitDepth ends the searches that follow after so many hops from the root; 0 means no
// limit.
func (s *Searcher) LimitDepth(hops int) {
	s.depth = math.MaxInt32
	if hops > 0 {
		s.depth = int32(min(hops, math.MaxInt32))
	}
}

// Clear empties a tree as its Reset does, with the workers that will fill it. All of them
// are awake when a search follows.
func (s *Searcher) Clear(t *hops.Tree) {
	if hops.Vertex(len(t.Narrow)) != s.graph.NumVertices() || s.turn.Begin("cpu") != nil {
		t.Reset()
		return
	}
	defer s.turn.End()
	t.Root = hops.NoVertex
	s.team.Run(func(w int) {
		n := int64(len(t.Narrow))
		arena.Fill(t.Narrow[min(s.m.workers[w].lo*64, n):min(s.m.workers[w].hi*64, n)], ^uint32(0))
	})
	s.team.Gather()
}

// Search is kernel 2: it fills t, which must be empty and of the right size.
func (s *Searcher) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	return s.search(ctx, root, t, nil)
}

// search is Search. Unless counted is nil, it adds to it what each level that ran has counted.
func (s *Searcher) search(ctx context.Context, root hops.Vertex, t *hops.Tree, counted *[]counts) (hops.Trace, error) {
	if err := s.turn.Begin("cpu"); err != nil {
		return hops.Trace{}, err
	}
	defer s.turn.End()
	if err := s.graph.Verify(); err != nil {
		return hops.Trace{}, fmt.Errorf("cpu: %w", err)
	}
	if root >= s.graph.NumVertices() {
		return hops.Trace{}, fmt.Errorf("cpu: root %d: the graph has %d vertices", root, s.graph.NumVertices())
	}
	if err := t.Fits(s.graph.NumVertices(), false); err != nil {
		return hops.Trace{}, fmt.Errorf("cpu: %w", err)
	}
	if s.team.Enter() {
		defer s.team.Leave()
	}
	t.Root = root
	s.m.parents = t.Narrow
	s.m.unasked = s.unasked
	trace := hops.Trace{Levels: s.levels[:0]}
	s.m.counting = counted != nil
	err := s.graph.Read(func() error {
		return level.SearchTo(ctx, s.m, s.policy, root, s.depth, &trace)
	})
	if counted != nil {
		*counted, s.m.counted, s.m.counting = s.m.counted, nil, false
	}
	s.levels, s.m.parents, s.m.unasked = trace.Levels, nil, false
	return trace, err
}

// Graph is the graph that is searched. It must not be used after Close.
func (s *Searcher) Graph() *graph.Graph { return s.graph }

// Memory returns the bytes of the graph and of the searcher together, and the most
// that were in use while the graph was built.
func (s *Searcher) Memory() (finished, peak int64) {
	rows, peak := s.graph.Memory()
	finished = rows + s.m.mem.Live()
	return finished, max(peak, finished)
}

// Close waits for a search that is going on, ends the workers and releases what the
// searcher owns.
func (s *Searcher) Close() error {
	return s.turn.Close(func() error {
		s.team.Close()
		_ = s.m.mem.Close()
		if !s.owned {
			return nil
		}
		return s.graph.Close()
	})
}

// Options of the engine. The zero value is good.
type Options struct {
	// Threads is the number of workers; 0 means one for every CPU available.
	Threads int
	// Parts is the number of parts that the graph and the workers are divided into;
	// 0 means one for every NUMA node.
	Parts int
	// Direction forces all levels one way: "top-down", "bottom-up" or "split"; ""
	// lets the policy choose.
	Direction string
	// MaxDepth ends searches after so many hops from the root; 0 means no limit.
	MaxDepth int
	// Lean keeps the rows and what no search can do without, and leaves out the arrays
	// that only make searches faster: for graphs that would not fit otherwise.
	Lean bool
	// Layout is the layout of the graph, for measuring what the usual one gives. Plain: rows
	// that Build makes are ordered by label, and bottom-up levels look for vertices without
	// an edge as well. "" is what Zhang et al. (2018) and Yasui et al. (2015) call remapping,
	// without new labels: rows by falling degree, and nobody looks for those vertices.
	Layout string
	// Policy chooses the step of each level, as a learned model of the machine
	// (learn.Model) does; nil is the alpha–beta rule.
	Policy level.Policy
}

// Plain is the layout without remapping: see Options.
const Plain = "plain"
