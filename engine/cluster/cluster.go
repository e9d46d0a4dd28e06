// Package cluster searches on ranks that divide the vertices among them: processes
// joined by MPI, or goroutines of one process.
//
// The vertices are divided among the ranks, and within a rank among its threads, its
// workers. Each worker keeps the rows of its vertices, visits them and writes their
// parents. A level is run in one of four ways, all ranks the same:
//
//   - top-down by messages (topdown.go): the owner of a frontier vertex sends
//     every edge to the owner of its other end, many in one packet (delivery.go);
//   - bottom-up by probe and claim (probe.go): the owner of an unvisited vertex
//     asks the owners of its neighbours, one of which answers that it is in the
//     frontier;
//   - bottom-up over a gathered frontier (bottomup.go): all ranks, or all hosts, have
//     the bitmap of the whole frontier, and no rank asks another;
//   - bottom-up by list (bottomup.go too): the same for the last vertices.
//
// Vertices with very long rows belong to all ranks together (heavy.go). In a directed
// graph messages follow the rows out of vertices, and the other steps look along the
// rows into them.
//
// The first two steps, and the treatment of heavy vertices, follow Checconi and
// Petrini, Traversing Trillions of Edges in Real-time (IPDPS 2014); the third
// follows Cui et al., Optimizing BFS on a NUMA cluster. The variants that these papers
// compare are strategies that are chosen when the graph is built: a delivery
// (asynchronous.go, bulk.go), a rowForm (rowforms.go), a lookup (bottomup.go,
// summary.go), an encoding (internal/ranks/packet) and a gatherer (internal/ranks/gather).
package cluster

import (
	"context"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/internal/base/bottomup"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/ranks/packet"
	"github.com/gohops/hops/internal/ranks/rank"
	"github.com/gohops/hops/level"
)

// A Searcher is a graph that is divided among ranks, ready to be searched. What Build returns
// searches on all of them; what Join returns is one rank's side, which all ranks use alike, with a
// tree for the vertices of this rank.
type Searcher interface {
	// NewTree returns an empty tree, and Clear empties one as its Reset does, with the threads that
	// will fill it.
	NewTree() (*hops.Tree, error)
	Clear(t *hops.Tree)
	// LimitDepth ends the searches that follow after so many hops from the root; 0 means no limit.
	LimitDepth(hops int)
	// Search is kernel 2.
	Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error)
	// Memory returns the bytes of the graph, with those that searches need beside it, and the most
	// that were in use while it was built.
	Memory() (finished, peak int64)
	// Close waits for a search that is going on and releases the memory.
	Close() error
}

// A Comm connects this process to the other ranks of its group. The program hops makes it, of MPI.
type Comm interface {
	Rank() int // of this process
	Size() int // ranks of the group
}

// A Twin is a machine that is modelled, at some size. The program hops has those of the papers.
type Twin interface {
	Size() (nodes, perNode int, err error)
}

// Join is kernel 1 of one rank. All ranks of comm call it, with the same source
// and options; it returns when the graph is built, or with the reason why some
// rank failed. The comm remains the caller's.
func Join(ctx context.Context, comm Comm, src hops.Source, o Options) (Searcher, error) {
	return distributed.Join(ctx, comm, src, o.engine())
}

// Build is kernel 1 with ranks inside this process.
func Build(ctx context.Context, src hops.Source, o Options) (Searcher, error) {
	return distributed.Build(ctx, src, o.layout(), o.engine())
}

func (o Options) layout() distributed.Layout {
	return distributed.Layout{Ranks: o.Ranks, Hosts: o.Hosts, Twin: o.Twin}
}

// MaxThreads of a rank: each receives packets of every kind on a channel of its own.
const MaxThreads = rank.MaxChannel / packet.Kinds

func (o Options) engine() distributed.Engine {
	return distributed.Engine{
		NarrowLimit: o.narrow(), Place: o.Place,
		Name: "cluster", Invalid: o.check(), Threads: o.Threads, MaxThreads: MaxThreads,
		Build: func(ctx context.Context, member *distributed.Member, src hops.Source) (distributed.Machine, level.Policy, error) {
			if member.Wide {
				return join[uint64](ctx, member, src, o)
			}
			return join[uint32](ctx, member, src, o)
		},
	}
}

func join[L label](ctx context.Context, member *distributed.Member, src hops.Source, o Options) (distributed.Machine, level.Policy, error) {
	m, err := build[L](ctx, member, src, o)
	if err != nil {
		return nil, nil, err
	}
	policy, err := m.newPolicy(o)
	if err != nil {
		m.Close()
	}
	return m, policy, err
}

// Need is an upper bound of the bytes that Build uses at its peak for an undirected graph
// of n vertices and m edges.
func (o Options) Need(n hops.Vertex, m int64) int64 {
	const (
		perVertex = 4*4 + 2 + 2 // queues, heads and a shared tree, prefixes, bitmaps
		counting  = 2*(4+1) + 1 // counts and classes, before the vertices are divided and after; bitmaps
		filling   = 4 + 1 + 1   // counts and classes beside rows
		perWide   = 2 + 6       // of an entry with a label of 64 bits: room that rows have to spare, and its way there
	)
	if n <= o.narrow() {
		return csr.Need(n, m) + int64(n)*perVertex + bottomup.Need(int64(n), 2*m) + o.beside(m)
	}
	return max(counting*int64(n)+slack+o.beside(m), filling*int64(n)+perWide*2*m+o.NeedFinished(n, m))
}

// NeedFinished is an upper bound of the bytes that the graph takes when it is built, and
// searches with it.
func (o Options) NeedFinished(n hops.Vertex, m int64) int64 {
	const (
		perVertex = 1                   // bitmaps
		perRow    = 8 + 2 + 4*2 + 4 + 2 // offset, prefix, queues, head, what is left over
		perEntry  = 8                   // a label
	)
	if n <= o.narrow() {
		return o.Need(n, m)
	}
	rows := min(int64(n), 2*m) // only vertices that have one take more than bits
	return perVertex*int64(n) + perRow*rows + perEntry*2*m + bottomup.Need(rows, 2*m) + slack + o.beside(m)
}

// slack: huge pages are rounded up.
const slack = 8 * (2 << 20)

// beside is what ranks and threads take beside vertices and edges.
func (o Options) beside(m int64) int64 {
	ranks, workers := o.layout().Workers(o.Threads)
	boxes := 8 * int64(packet.SizeFor(int(ranks+workers/ranks), m/workers).Total()) * workers
	return needLong(workers, 2*m) + o.layout().Need(o.Threads) + boxes
}
