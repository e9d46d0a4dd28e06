package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/par"
	"github.com/gohops/hops/internal/rank"
)

// Construction, in which every rank reads only its share of the edges, twice, and
// keeps only the rows of its own vertices:
//
//  1. count   the entries of every row, in memory that the ranks of a host share,
//             added up between hosts
//  2. divide  the vertices among the workers; take the heavy ones out
//  3. deal    in steps of some thousand edges: every entry goes to the owner of
//             its row, all ranks to all ranks, and straight to its place there
//  4. order   rows by falling degree of the neighbour, without duplicates
//  5. finish  what the steps of a search use beside the rows
//
// An entry is in flight for one step only, so that the peak is the rows with
// their duplicates and a few bytes for every vertex of the graph on each host.
// What the order of a row needs to know about a neighbour, which may be any
// vertex, is the logarithm of its degree: one byte, shared by a host.

// Passes is how often the edges are read.
const Passes = 2

// blockEdges is how many edges a worker asks the source for at a time.
const blockEdges = 4096

// A builder holds what lives only during construction.
type builder struct {
	*Rank
	ctx  context.Context
	src  hops.Source
	opts Options

	entries   []uint32 // of each vertex of the graph, duplicates included; shared
	class     []uint8  // of each vertex: see classOf; shared
	grid      *grid
	temporary rank.Comm // whose memory ends with the construction
	cut       int       // the class from which vertices are heavy
	first     int64     // edges of this rank
	end       int64
	failed    atomic.Pointer[error]
}

func (b *builder) run() error {
	phases := []func() error{b.countEntries, b.classify, b.divide, b.dealRows, b.order, b.finish}
	if b.opts.Layout == "2d" {
		phases = []func() error{b.countEntries, b.classify, b.divideGrid, b.dealBlocks, b.finishGrid}
	}
	for _, phase := range phases {
		err := phase()
		if err == nil {
			err = b.agree()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) dealRows() error {
	if err := b.layRows(); err != nil {
		return err
	}
	return b.deal(byVertex{b})
}

// agree ends the construction on all ranks if it was cancelled on one.
func (b *builder) agree() error {
	stop := []uint64{0}
	if b.ctx.Err() != nil {
		stop[0] = uint64(b.comm.Rank()) + 1
	}
	if err := rank.Reduced(b.comm, rank.Max, stop); err != nil {
		return err
	}
	return stopped(b.ctx, stop[0])
}

// share asks for memory that the ranks of a host share, and counts it once.
func (r *Rank) share(of rank.Comm, size int64) ([]byte, error) {
	return r.shareAs(r.hosts.leader, of, size)
}

// shareAs is share in a group of which one rank counts the memory.
func (r *Rank) shareAs(counts bool, of rank.Comm, size int64) ([]byte, error) {
	if counts {
		r.shared += size
		r.sharedPeak = max(r.sharedPeak, r.shared)
	}
	return of.Share(size)
}

// stopped is the error of a cancellation by the given rank, counted from 1.
func stopped(ctx context.Context, by uint64) error {
	if by == 0 {
		return nil
	}
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	return fmt.Errorf("cluster: rank %d: %w", by-1, context.Canceled)
}

// eachBlock reads the edges from lo up to hi on all workers.
func (b *builder) eachBlock(lo, hi int64, f func(worker int, edges []hops.Edge)) error {
	buffers := make([][]hops.Edge, b.team.Size())
	b.team.For(hi-lo, blockEdges, func(worker int, from, to int64) {
		if b.failed.Load() != nil || b.ctx.Err() != nil {
			return
		}
		if buffers[worker] == nil {
			buffers[worker] = make([]hops.Edge, blockEdges)
		}
		edges := buffers[worker][:to-from]
		if err := readEdges(b.src, edges, lo+from); err != nil {
			b.failed.CompareAndSwap(nil, &err)
			return
		}
		f(worker, edges)
	})
	if err := b.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// readEdges fills edges and checks what it got: a source is somebody else's code.
func readEdges(src hops.Source, edges []hops.Edge, off int64) error {
	n, err := src.EdgesAt(edges, off)
	if n < len(edges) {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return fmt.Errorf("cluster: edge %d of %d: %w", off+int64(n), src.NumEdges(), err)
	}
	limit := src.NumVertices()
	for i, e := range edges {
		if e.U >= limit || e.V >= limit {
			return fmt.Errorf("cluster: edge %d joins %d and %d, but there are only %d vertices", off+int64(i), e.U, e.V, limit)
		}
	}
	return nil
}

// countEntries counts the entries of every row of the graph.
func (b *builder) countEntries() error {
	n := int64(b.src.NumVertices())
	mem, err := b.share(b.temporary, 4*(n+1))
	if err != nil {
		return err
	}
	b.entries = arena.View[uint32](mem)[:n]
	b.first, b.end = par.Split(b.src.NumEdges(), 1, b.comm.Rank(), b.comm.Size())
	err = b.eachBlock(b.first, b.end, func(_ int, edges []hops.Edge) {
		for _, e := range edges {
			if e.U != e.V {
				atomic.AddUint32(&b.entries[e.U], 1)
				atomic.AddUint32(&b.entries[e.V], 1)
			}
		}
	})
	if err != nil {
		return err
	}
	if err := b.comm.Barrier(); err != nil {
		return err
	}
	return b.addHosts(arena.View[uint64](mem))
}

// addHosts adds the counts of all hosts up, two to a word: no total overflows its
// half.
func (b *builder) addHosts(counts []uint64) error {
	const chunk = 1 << 16
	if b.hosts.count == 1 {
		return nil
	}
	if b.hosts.leader {
		for ; len(counts) > 0; counts = counts[min(chunk, len(counts)):] {
			if err := rank.Reduced(b.hosts.leaders, rank.Sum, counts[:min(chunk, len(counts))]); err != nil {
				return err
			}
		}
	}
	return b.comm.Barrier()
}
