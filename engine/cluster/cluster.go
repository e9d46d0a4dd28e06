// Package cluster searches on ranks: processes joined by MPI, or goroutines of one
// process that pretend to be.
//
// The vertices are divided among the ranks, and within a rank among its threads
// (partition.go); each owner keeps the rows of its vertices, visits them and
// writes their parents. A level is run in one of three ways, all ranks the same:
//
//   - top-down by messages (topdown.go): the owner of a frontier vertex sends
//     every edge to the owner of its other end, many in one packet;
//   - bottom-up by probe and claim (probe.go): the owner of an unvisited vertex
//     asks the owners of its neighbours, one of which answers that it is in the
//     frontier;
//   - bottom-up over a gathered frontier (bottomup.go, gather.go): all ranks, or
//     all hosts, have the bitmap of the whole frontier, and nobody asks anybody.
//
// Vertices with very long rows belong to all ranks together (heavy.go).
//
// Another layout divides the edges and not the vertices, by the blocks of the
// adjacency matrix (grid.go).
//
// The first two steps, and the treatment of heavy vertices, follow Checconi and
// Petrini, Traversing Trillions of Edges in Real-time (IPDPS 2014); the third
// follows Cui et al., Optimizing BFS on a NUMA cluster; the other layout is that
// of the BlueGene and ROMEO supercomputers.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/par"
	"github.com/gohops/hops/internal/rank"
	"github.com/gohops/hops/level"
)

// A Rank is one rank's side of the engine: its share of the graph and the state
// of a search.
type Rank struct {
	comm    rank.Comm
	mail    rank.Comm // the same ranks, for packets
	hosts   hosts
	n       hops.Vertex
	team    *par.Team
	parts   *partition
	workers []worker
	heavy   heavy
	m       search
	policy  level.Policy
	levels  []hops.Level

	connected  int64 // vertices of this rank with a neighbour, but for the heavy ones
	entryCount int64
	peak       int64
	shared     int64 // bytes of memory that the ranks of this host share, on the first of them
	sharedPeak int64
	mem        arena.Arena
}

// A search is a machine for searches on one rank.
type search interface {
	level.Machine
	// start prepares for filling a tree.
	start(ctx context.Context, t *hops.Tree)
	// settle completes the tree after the last level.
	settle() error
	close()
}

// Join is kernel 1 of one rank. All ranks of comm call it, with the same source
// and options; it returns when the graph is built, or with the reason why some
// rank failed. The comm remains the caller's.
func Join(ctx context.Context, comm Comm, src hops.Source, opts Options) (*Rank, error) {
	r, err := join(ctx, comm, src, opts)
	if err != nil {
		comm.Abort(err)
		return nil, err
	}
	return r, nil
}

func join(ctx context.Context, comm rank.Comm, src hops.Source, opts Options) (*Rank, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	if n := src.NumVertices(); n > hops.NarrowLimit {
		return nil, fmt.Errorf("cluster: %d vertices: labels take 32 bits here, so that there are at most %d", n, uint64(hops.NarrowLimit))
	}
	if hops.IsDirected(src) {
		return nil, fmt.Errorf("cluster: the graph is directed; this engine searches undirected graphs")
	}
	threads, err := agreeOnThreads(comm, opts.threads(comm.Size()))
	if err != nil {
		return nil, err
	}
	if most := min(rank.MaxChannel/int(kinds), maxWorkers/comm.Size()); threads > most {
		return nil, fmt.Errorf("cluster: %d ranks of %d threads: want at most %d threads", comm.Size(), threads, most)
	}
	r := &Rank{comm: comm, n: src.NumVertices(), team: par.NewTeam(threads, nil)}
	if err := r.build(ctx, src, opts); err != nil {
		_ = r.Close()
		return nil, err
	}
	return r, nil
}

// agreeOnThreads returns the least that any rank has: the vertices are divided
// among the threads of all ranks as equals.
func agreeOnThreads(comm rank.Comm, mine int) (int, error) {
	missing := []uint64{math.MaxUint32 - uint64(mine)}
	err := rank.Reduced(comm, rank.Max, missing)
	return int(math.MaxUint32 - missing[0]), err
}

func (r *Rank) build(ctx context.Context, src hops.Source, opts Options) (err error) {
	if r.hosts, err = findHosts(r.comm); err != nil {
		return err
	}
	r.workers = make([]worker, r.team.Size())
	b := &builder{Rank: r, ctx: ctx, src: src, opts: opts}
	if b.temporary, err = r.comm.Split(0, r.comm.Rank()); err != nil {
		return err
	}
	err = b.run()
	r.peak = r.mem.Peak() + r.sharedPeak
	r.shared = 0
	if e := b.temporary.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	if b.grid != nil {
		r.m, r.policy = b.grid, level.RuleOfThumb
		return b.grid.prepare()
	}
	if err := r.newOutboxes(opts.Encoding); err != nil {
		return err
	}
	m, err := newMachine(r, opts)
	if err != nil {
		return err
	}
	r.m = m
	if err := m.chooseEncoding(); err != nil {
		return err
	}
	r.policy, err = m.newPolicy()
	return err
}

// NewTree returns an empty tree for the vertices of this rank.
func (r *Rank) NewTree() (*hops.Tree, error) {
	first, end := r.parts.rank(r.comm.Rank())
	return hops.NewTreePart(r.n, hops.Vertex(first), hops.Vertex(end-first)), nil
}

// Search is kernel 2 of one rank. All ranks call it with the same root and a tree
// that covers at least their own vertices, which are all it fills.
func (r *Rank) Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error) {
	trace, err := r.search(ctx, root, t)
	if err != nil && !errors.Is(err, errAgreed) {
		r.comm.Abort(err)
	}
	return trace, err
}

func (r *Rank) search(ctx context.Context, root hops.Vertex, t *hops.Tree) (trace hops.Trace, err error) {
	if root >= r.n {
		return trace, agreed(fmt.Errorf("cluster: root %d: the graph has %d vertices", root, r.n))
	}
	first, end := r.parts.rank(r.comm.Rank())
	if t.First > hops.Vertex(first) || t.First+hops.Vertex(len(t.Narrow)) < hops.Vertex(end) {
		return trace, agreed(fmt.Errorf("cluster: the tree has no room for vertices %d to %d of rank %d", first, end, r.comm.Rank()))
	}
	t.Root = root
	r.m.start(ctx, t)
	trace.Levels = r.levels[:0]
	err = level.Search(context.Background(), r.m, r.policy, root, &trace)
	if err == nil {
		err = r.m.settle()
	}
	r.levels = trace.Levels
	return trace, err
}

// errAgreed marks errors that all ranks know of: nobody waits for this one.
var errAgreed = errors.New("cluster: known to all ranks")

type agreement struct{ error }

func (a agreement) Unwrap() error        { return a.error }
func (a agreement) Is(target error) bool { return target == errAgreed }

func agreed(err error) error {
	if err == nil {
		return nil
	}
	return agreement{err}
}

// Memory returns the bytes of this rank's share of the graph, with what searches
// need beside it, and the most that were in use while it was built.
func (r *Rank) Memory() (finished, peak int64) {
	live := r.mem.Live() + r.shared
	return live, max(r.peak, live)
}

// Close ends the workers and releases the memory.
func (r *Rank) Close() error {
	r.team.Close()
	if r.m != nil {
		r.m.close()
	}
	if r.mail != nil {
		_ = r.mail.Close()
	}
	r.hosts.close()
	return r.mem.Close()
}
