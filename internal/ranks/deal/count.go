// Package deal is the part of kernel 1 that engines on ranks share: every rank
// reads its share of the edges, counts the entries of rows, and deals row entries to
// the workers that a Layout names.
//
// No rank keeps anything of the size of the graph. While entries are counted, the
// vertices are divided evenly; when the counts are known, they are divided by work
// (Divide) and the counts move to the owners. The edges are read once to count and
// once for each call of Deal, and have to be the same each time (read.go). An entry is in flight for one step of some thousand edges
// only. To order a row, its owner must know the degrees of the neighbours, which may be
// any vertices: the ranks of a host have the logarithms of the degrees of their own
// vertices, a byte each, in memory that they share, and ask the owners on other hosts
// (OrderRows).
package deal

import (
	"context"
	"errors"
	"math"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/ranks/partition"
	"github.com/gohops/hops/internal/ranks/rank"
)

// blockEdges is the number of edges that a worker asks the source for at a time.
const blockEdges = 4096

// Edges are the edges of a source during the construction on one rank. Their
// memory is gone when they are closed.
type Edges struct {
	*distributed.Member
	Directed  bool            // edges lead from U to V only
	Histogram [Classes]uint64 // vertices of each class in the whole graph

	// Of each vertex of this rank, once they are divided:
	Entries []uint32 // entries of both directions, duplicates included
	Out     []uint32 // those that lead out of it; in an undirected graph all of them

	ctx        context.Context
	src        hops.Source
	counting   counting
	temporary  rank.Comm // the ranks of this host, whose classes it has
	class      []uint8   // of the vertices of this host: see ClassOf
	classAt    []int64   // the class of vertex v of worker w is class[classAt[w]+v]
	counter    Counter   // nil: the threads count
	edges      int64     // of the source
	first, end int64     // edges of this rank
	failed     atomic.Pointer[error]
	pass       pass
}

// elsewhere is the place of what is not on this host.
const elsewhere = math.MinInt64

// A Counter counts the entries of all rows instead of the threads of the ranks. It fills the
// lists of some vertices from first on: with their entries of both directions and, in a
// directed graph, with those that lead out. Otherwise out is nil.
type Counter func(ctx context.Context, first uint64, entries, out []uint32) error

// Count counts the entries of all rows.
func Count(ctx context.Context, m *distributed.Member, src hops.Source) (*Edges, error) {
	return CountBy(ctx, m, src, nil)
}

// CountBy is Count by a Counter, on all ranks or, if it is nil, on none.
func CountBy(ctx context.Context, m *distributed.Member, src hops.Source, by Counter) (*Edges, error) {
	e := &Edges{Member: m, Directed: hops.IsDirected(src), ctx: ctx, src: src, counter: by, edges: src.NumEdges()}
	e.first, e.end = par.Split(e.edges, 1, m.Comm.Rank(), m.Comm.Size())
	var err error
	if e.temporary, err = m.Hosts.Mine.Split(0, m.Comm.Rank()); err != nil {
		return nil, err
	}
	if err := e.InTurn(e.countEntries, e.addHistograms); err != nil {
		_ = e.Close()
		return nil, err
	}
	return e, nil
}

// Close releases the memory of the construction, which is over.
func (e *Edges) Close() error {
	e.FreeCounts()
	e.Built()
	return errors.Join(e.counting.close(), e.temporary.Close())
}

// FreeCounts releases Entries and Out.
func (e *Edges) FreeCounts() {
	arena.Free(&e.Memory, e.Entries)
	arena.Free(&e.Memory, e.Out)
	e.Entries, e.Out = nil, nil
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

// eachBlock reads the edges of this rank on all threads. Once the construction is cancelled it
// reads no more: InTurn tells all ranks.
func (e *Edges) eachBlock(f func(worker int, edges []hops.Edge)) error {
	buffers := make([][]hops.Edge, e.Team.Size())
	err := e.Team.Try(e.end-e.first, blockEdges, func(worker int, from, to int64) error {
		if err := e.ctx.Err(); err != nil {
			return err
		}
		if buffers[worker] == nil {
			buffers[worker] = make([]hops.Edge, blockEdges)
		}
		edges := buffers[worker][:to-from]
		err := e.read(edges, nil, e.first+from)
		if err == nil {
			f(worker, edges)
		}
		return err
	})
	switch {
	case e.ctx.Err() != nil:
		return nil
	case err != nil:
		return err
	}
	return e.finishPass()
}

// fail keeps the first error of any thread.
func (e *Edges) fail(err error) { e.failed.CompareAndSwap(nil, &err) }

func (e *Edges) failure() error {
	if err := e.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// hostPlaces divides memory that the ranks of this host share among their vertices. It
// returns where the vertices of each worker lie, beside their labels, and the number of
// all of them.
func (e *Edges) hostPlaces(p *partition.Partition) (at []int64, total int64) {
	at = make([]int64, p.Workers())
	for r := range e.Comm.Size() {
		first, end := p.Rank(r)
		place := int64(elsewhere)
		if e.Comm.Host(r) == e.Comm.Host(e.Comm.Rank()) {
			place = total - int64(first)
			total += int64(end-first+63) &^ 63
		}
		for t := range p.Threads {
			at[r*p.Threads+t] = place
		}
	}
	return at, total
}

// In is the number of entries that lead into vertex i of this rank, duplicates included.
func (e *Edges) In(i uint32) uint32 {
	if e.Directed {
		return e.Entries[i] - e.Out[i]
	}
	return e.Entries[i]
}
