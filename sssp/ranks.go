package sssp

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/level"
)

// A Comm connects this process to the other ranks of its group. The program hops makes it, of MPI.
type Comm interface {
	Rank() int // of this process
	Size() int // ranks of the group
}

// A Rank is one rank's side of searches on several ranks: its share of the graph and the
// state of a search.
type Rank struct {
	rank *distributed.Rank
	turn sync.Mutex
}

// Join builds this rank's share of a graph with weights. All ranks of comm call it, with
// the same source and options; it returns when the graph is built, or with the reason why
// some rank failed. The comm remains the caller's.
func Join(ctx context.Context, comm Comm, src hops.WeightedSource, opts Options) (*Rank, error) {
	r, err := distributed.Join(ctx, comm, src, engine(opts))
	if err != nil {
		return nil, err
	}
	return &Rank{rank: r}, nil
}

// NewPaths returns an empty result for the vertices of this rank, with distances of 32
// bits.
func (r *Rank) NewPaths() (*hops.Paths, error) {
	tree, err := r.rank.NewTree()
	if err != nil {
		return nil, err
	}
	return withDistances(tree), nil
}

// Search fills p, which must be empty and cover at least the vertices of this rank, with
// the shortest paths from root. All ranks call it with the same root.
func (r *Rank) Search(ctx context.Context, root hops.Vertex, p *hops.Paths) (hops.Trace, error) {
	r.turn.Lock()
	defer r.turn.Unlock()
	r.rank.Machine.(*ranked).paths = p
	return r.rank.Search(ctx, root, &p.Tree)
}

// Clear empties a result as its Reset does, the parents with the threads that will fill
// them. They are still awake when a search follows.
func (r *Rank) Clear(p *hops.Paths) {
	clearDistances(p)
	r.rank.Clear(&p.Tree)
}

func clearDistances(p *hops.Paths) { (&hops.Paths{Single: p.Single, Double: p.Double}).Reset() }

// Memory returns the bytes of this rank's share of the graph and of its searches together, and the
// most that were in use while it was built.
func (r *Rank) Memory() (finished, peak int64) { return r.rank.Memory() }

// Close waits for a search that is going on and releases the memory.
func (r *Rank) Close() error { return r.rank.Close() }

// Ranks are all ranks inside this process.
type Ranks struct {
	searcher *distributed.Searcher
	turn     sync.Mutex
}

// Build builds a graph with weights on so many ranks inside this process. Each rank has the number
// of threads that the options say.
func Build(ctx context.Context, src hops.WeightedSource, ranks int, opts Options) (*Ranks, error) {
	s, err := distributed.Build(ctx, src, distributed.Layout{Ranks: ranks, Hosts: opts.Hosts}, engine(opts))
	if err != nil {
		return nil, err
	}
	return &Ranks{searcher: s}, nil
}

// NewPaths returns an empty result for all vertices, with distances of 32 bits.
func (s *Ranks) NewPaths() (*hops.Paths, error) {
	tree, err := s.searcher.NewTree()
	if err != nil {
		return nil, err
	}
	return withDistances(tree), nil
}

// withDistances returns an empty result with the parents of a tree.
func withDistances(tree *hops.Tree) *hops.Paths {
	p := &hops.Paths{Tree: *tree, Single: make([]float32, tree.Len())}
	p.Reset()
	return p
}

// Search does what Searcher.Search does.
func (s *Ranks) Search(ctx context.Context, root hops.Vertex, p *hops.Paths) (hops.Trace, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	for _, r := range s.searcher.Ranks {
		r.Machine.(*ranked).paths = p
	}
	return s.searcher.Search(ctx, root, &p.Tree)
}

// Clear does what Rank.Clear does, with the threads of all ranks.
func (s *Ranks) Clear(p *hops.Paths) {
	clearDistances(p)
	s.searcher.Clear(&p.Tree)
}

// Memory adds the ranks up.
func (s *Ranks) Memory() (finished, peak int64) { return s.searcher.Memory() }

// Close waits for a search that is going on and releases everything.
func (s *Ranks) Close() error { return s.searcher.Close() }

// NeedOnRanks is an upper bound of the bytes that so many ranks use together, with
// distances of 32 bits, for n vertices and m edges. While rows are finished, there are two
// copies.
func NeedOnRanks(n hops.Vertex, m int64, ranks int) int64 {
	const perHub = 4 + 2*16 + 24 + 8 // label and table, heads of rows, candidate, state
	const perRank = 2 * publishedRoom * 8
	return Need(n, m) + 2*m*8 + int64(ranks)*(mostHubs*perHub+perRank)
}

// engine describes the engine to package distributed.
func engine(opts Options) distributed.Engine {
	if opts.Policy == nil {
		opts.Policy = leastWork{}
	}
	return distributed.Engine{
		Name: "sssp", Threads: opts.Threads, MaxThreads: 1 << 10,
		Build: func(ctx context.Context, member *distributed.Member, src hops.Source) (distributed.Machine, level.Policy, error) {
			g, w, err := buildRows(ctx, member, src)
			if err != nil {
				return nil, nil, err
			}
			return &ranked{group: g, slots: w}, opts.Policy, nil
		},
	}
}

// ranked is the machine of one rank. A search has distances of the width of its result.
type ranked struct {
	group   *group
	slots   *slotGraph
	paths   *hops.Paths // of the search that is next
	tree    *hops.Tree
	single  *machine[float32] // made by the first search that needs it
	double  *machine[float64]
	current level.Machine
}

// Start implements distributed.Machine.
func (r *ranked) Start(ctx context.Context, t *hops.Tree) {
	r.group.ctx, r.tree = ctx, t
	r.group.traffic = r.group.Comm.Traffic()
}

// Steps implements level.Machine.
func (r *ranked) Steps() []level.Step { return steps }

// Now implements level.Clock.
func (r *ranked) Now() time.Time { return r.group.Now() }

// Seed implements level.Machine.
func (r *ranked) Seed(root hops.Vertex) (level.Front, error) {
	var err error
	if r.paths.Double == nil {
		r.current, err = machineOf(r, &r.single, len(r.paths.Single))
	} else {
		r.current, err = machineOf(r, &r.double, len(r.paths.Double))
	}
	if err != nil {
		return level.Front{}, err
	}
	slot := r.group.slotOf(uint32(root))
	return r.current.Seed(hops.Vertex(slot))
}

// machineOf returns the machine of one width, and an error if there is no room for the
// distances of own vertices.
func machineOf[D distance](r *ranked, m **machine[D], room int) (level.Machine, error) {
	if have := r.tree.Len(); room != have {
		return nil, fmt.Errorf("sssp: the result has room for %d parents and %d distances", have, room)
	}
	if *m == nil {
		before := r.group.host.bytes
		states, err := share[state[D]](r.group.host, len(r.slots.label))
		if err != nil {
			return nil, err
		}
		frontier, err := newSharedFrontier[D](r.group.host)
		if err != nil {
			return nil, err
		}
		*m = newMachine(r.slots, r.group.Team, states)
		(*m).group, (*m).shared, (*m).now = r.group, frontier, r.group.Now
		if r.group.Hosts.Leader {
			r.group.Count(r.group.host.bytes - before)
		}
	}
	return *m, nil
}

// Run implements level.Machine.
func (r *ranked) Run(s level.Step) (level.Front, level.Outcome, error) {
	if r.current == nil {
		return level.Front{}, level.Outcome{}, errors.New("sssp: no search has begun")
	}
	return r.current.Run(s)
}

// Finish implements distributed.Machine: it writes the result of own vertices.
func (r *ranked) Finish() error {
	first := r.group.first - uint64(r.tree.First)
	own := func(s []uint32) []uint32 { return s[first:][:r.group.count] }
	if r.paths.Double == nil {
		writeOwn(r, r.single, own(r.tree.Narrow), r.paths.Single[first:][:r.group.count])
	} else {
		writeOwn(r, r.double, own(r.tree.Narrow), r.paths.Double[first:][:r.group.count])
	}
	return nil
}

// writeOwn writes a result. A root without edges is not in the machine.
func writeOwn[D distance](r *ranked, m *machine[D], parents []uint32, far []D) {
	m.write(parents, far)
	root := uint64(r.tree.Root)
	if own := root - r.group.first; own < r.group.count {
		parents[own], far[own] = uint32(root), 0
	}
}

// Close implements distributed.Machine.
func (r *ranked) Close() {
	r.group.exchange.Free()
	arena.Free(&r.group.Memory, r.group.sums)
}
