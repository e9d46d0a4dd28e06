// Package deal is the part of kernel 1 that engines on ranks share: every rank
// reads its share of the edges, counts the entries of every row of the graph, and
// deals row entries to the workers that a Layout names.
//
// The edges are read once to count and once for each call of Deal. An entry is in
// flight for one step of some thousand edges only, so that the peak is the rows with
// their duplicates and a few bytes for every vertex of the graph on each host. To
// order a row, its owner must know the degrees of the neighbours, which may be any
// vertices: the logarithm of each degree, one byte, is in memory that a host shares.
package deal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/distributed"
	"github.com/gohops/hops/internal/par"
	"github.com/gohops/hops/internal/rank"
)

// blockEdges is the number of edges that a worker asks the source for at a time.
const blockEdges = 4096

// Edges are the edges of a source during the construction on one rank. Their
// memory is gone when they are closed.
type Edges struct {
	*distributed.Member
	Directed bool     // edges lead from U to V only
	Entries  []uint32 // of each vertex of the graph, those of both directions, duplicates included
	Out      []uint32 // those that lead out of the vertex; in an undirected graph all of them
	Class    []uint8  // of each vertex of the graph: see ClassOf

	ctx        context.Context
	src        hops.Source
	temporary  rank.Comm // that has the shared memory
	first, end int64     // edges of this rank
	failed     atomic.Pointer[error]
}

// Count counts the entries of all rows and classifies them.
func Count(ctx context.Context, m *distributed.Member, src hops.Source) (*Edges, error) {
	e := &Edges{Member: m, Directed: hops.IsDirected(src), ctx: ctx, src: src}
	var err error
	if e.temporary, err = m.Comm.Split(0, m.Comm.Rank()); err != nil {
		return nil, err
	}
	if err := e.InTurn(e.countEntries, e.classify); err != nil {
		_ = e.Close()
		return nil, err
	}
	return e, nil
}

// Close releases the shared memory of the construction, which is over.
func (e *Edges) Close() error {
	e.Built()
	return e.temporary.Close()
}

// InTurn runs phases of the construction. It ends on all ranks after the phase in
// which it was cancelled on one.
func (e *Edges) InTurn(phases ...func() error) error {
	for _, phase := range phases {
		if err := phase(); err != nil {
			return err
		}
		stop := []uint64{0}
		if e.ctx.Err() != nil {
			stop[0] = uint64(e.Comm.Rank()) + 1
		}
		if err := rank.Reduced(e.Comm, rank.Max, stop); err != nil {
			return err
		}
		if err := e.Stopped(e.ctx, stop[0]); err != nil {
			return err
		}
	}
	return nil
}

// eachBlock reads the edges of this rank on all threads.
func (e *Edges) eachBlock(f func(edges []hops.Edge)) error {
	buffers := make([][]hops.Edge, e.Team.Size())
	e.Team.For(e.end-e.first, blockEdges, func(worker int, from, to int64) {
		if e.failed.Load() != nil || e.ctx.Err() != nil {
			return
		}
		if buffers[worker] == nil {
			buffers[worker] = make([]hops.Edge, blockEdges)
		}
		edges := buffers[worker][:to-from]
		if err := e.read(edges, e.first+from); err != nil {
			e.fail(err)
			return
		}
		f(edges)
	})
	return e.failure()
}

// fail keeps the first error of any thread.
func (e *Edges) fail(err error) { e.failed.CompareAndSwap(nil, &err) }

func (e *Edges) failure() error {
	if err := e.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// read fills edges from the source and checks them.
func (e *Edges) read(edges []hops.Edge, off int64) error {
	n, err := e.src.EdgesAt(edges, off)
	if n < len(edges) {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return fmt.Errorf("%s: edge %d of %d: %w", e.Engine, off+int64(n), e.src.NumEdges(), err)
	}
	limit := e.src.NumVertices()
	for i, x := range edges {
		if x.U >= limit || x.V >= limit {
			return fmt.Errorf("%s: edge %d joins %d and %d, but there are only %d vertices", e.Engine, off+int64(i), x.U, x.V, limit)
		}
	}
	return nil
}

// countEntries counts the entries of every row of the graph: the ranks of a host
// in memory that they share, and then all hosts together.
func (e *Edges) countEntries() error {
	n := int64(e.src.NumVertices())
	size := 4 * (n + 1) &^ 7 // of a list, in whole words
	lists := int64(1)
	if e.Directed {
		lists = 2
	}
	mem, err := e.Share(e.temporary, lists*size)
	if err != nil {
		return err
	}
	e.Entries = arena.View[uint32](mem)[:n]
	e.Out = arena.View[uint32](mem[(lists-1)*size:])[:n]
	e.first, e.end = par.Split(e.src.NumEdges(), 1, e.Comm.Rank(), e.Comm.Size())
	err = e.eachBlock(func(edges []hops.Edge) {
		for _, x := range edges {
			if x.U != x.V {
				atomic.AddUint32(&e.Entries[x.U], 1)
				atomic.AddUint32(&e.Entries[x.V], 1)
				if e.Directed {
					atomic.AddUint32(&e.Out[x.U], 1)
				}
			}
		}
	})
	if err != nil {
		return err
	}
	if err := e.Comm.Barrier(); err != nil {
		return err
	}
	return e.addHosts(arena.View[uint64](mem))
}

// In is the number of entries that lead into a vertex, duplicates included.
func (e *Edges) In(v uint32) uint32 {
	if e.Directed {
		return e.Entries[v] - e.Out[v]
	}
	return e.Entries[v]
}

// addHosts adds the counts of all hosts up, two to a word: no total overflows its
// half.
func (e *Edges) addHosts(counts []uint64) error {
	const chunk = 1 << 16
	if e.Hosts.Count == 1 {
		return nil
	}
	if e.Hosts.Leader {
		for ; len(counts) > 0; counts = counts[min(chunk, len(counts)):] {
			if err := rank.Reduced(e.Hosts.Leaders, rank.Sum, counts[:min(chunk, len(counts))]); err != nil {
				return err
			}
		}
	}
	return e.Comm.Barrier()
}
