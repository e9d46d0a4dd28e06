package cluster

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/prefetch"
	"github.com/gohops/hops/internal/ranks/deal"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/ranks/packet"
)

// Construction, in which every rank reads only its share of the edges, twice, and
// keeps only the rows of its own vertices:
//
//  1. count   the entries of every row (internal/ranks/deal)
//  2. divide  the vertices among the workers; take the heavy ones out
//  3. deal    every entry to the owner of its row
//  4. order   rows by falling degree of the neighbour, without duplicates
//  5. finish  what the steps of a search use beside the rows
//
// For a directed graph, 3 and 4 are run twice: for the rows out of its vertices, and
// for the rows into them.

// Passes is the number of times that the edges of an undirected graph are read. A directed
// graph is read once more.
const Passes = 2

// A direction says which rows the entries of an edge (u, v) belong to.
type direction uint8

const (
	both  direction = iota // v to the row of u, and u to the row of v
	outOf                  // v to the row of u
	into                   // u to the row of v
)

// A builder holds what lives only during construction.
type builder[L label] struct {
	*deal.Edges
	opts      Options
	workers   []worker[L]
	direction direction    // of the rows that are made
	filling   []filling[L] // of each worker
	heavy     heavy[L]
	long      long[L]
}

// filling is the state of filling rows of a worker.
type filling[L label] struct {
	adjacency[L]
	filled  []uint32          // entries of each row
	heavy   map[uint32]uint32 // index of each heavy vertex of the worker
	between []uint64          // entries between heavy vertices, by their indices
	done    int               // rows that were taken to be ordered
	ordered int               // rows that have been ordered
	end     int64             // of the entries of these
}

func build[L label](ctx context.Context, member *distributed.Member, src hops.Source, o Options) (*machine[L], error) {
	edges, err := deal.Count(ctx, member, src)
	if err != nil {
		return nil, err
	}
	threads := member.Team.Size()
	b := &builder[L]{Edges: edges, opts: o, workers: make([]worker[L], threads), filling: make([]filling[L], threads)}
	if edges.Directed {
		err = edges.InTurn(b.divide, b.deal(outOf), b.order, b.deal(into), b.order, b.finish)
	} else {
		err = edges.InTurn(b.divide, b.deal(both), b.order, b.finish)
	}
	if e := edges.Close(); err == nil {
		err = e
	}
	if err != nil {
		return nil, err
	}
	return newMachine(member, b.workers, b.heavy, b.long, o)
}

// divide finds the heavy vertices and divides the others among the workers.
func (b *builder[L]) divide() error {
	cut := b.heavyClass()
	if err := b.Divide(cut, b.Team.Size()); err != nil {
		return err
	}
	if err := packet.Fits(b.opts.Encoding, b.Parts); err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	vertices, err := b.From(cut)
	if err != nil {
		return err
	}
	b.heavy = newHeavy[L](vertices, cut)
	b.heavy.own(b.Parts.Rank(b.Comm.Rank()))
	if err := b.findLong(); err != nil {
		return err
	}
	for t := range b.workers {
		w := &b.workers[t]
		w.id = b.Comm.Rank()*b.Team.Size() + t
		w.thread, w.first, w.count = t, b.Parts.Cuts[w.id], b.Parts.Count(w.id)
		w.offset = uint32(w.first - b.workers[0].first)
	}
	return nil
}

// heavyClass is the class from which vertices are heavy: the highest classes are heavy as long
// as they have no more members together than wanted.
func (b *builder[L]) heavyClass() int {
	cut, total := deal.Classes, uint64(0)
	for cut > 1+leastHeavyClass && total+b.Histogram[cut-1] <= uint64(b.opts.heavy()) {
		cut--
		total += b.Histogram[cut]
	}
	return cut
}

// leastHeavyClass is the class of a degree of 64. In small graphs it keeps vertices
// with short rows from being heavy.
var leastHeavyClass = int(deal.ClassOf(64))

// deal fills the rows of a direction.
func (b *builder[L]) deal(d direction) func() error {
	return func() error {
		b.direction = d
		for t := range b.workers {
			b.filling[t] = filling[L]{}
			if err := b.layRows(&b.workers[t], &b.filling[t]); err != nil {
				return err
			}
		}
		if d != outOf { // which is followed by another direction
			b.FreeCounts()
		}
		return b.Deal(b)
	}
}

// layRows makes room for the rows of the light vertices of a worker.
func (b *builder[L]) layRows(w *worker[L], f *filling[L]) (err error) {
	f.heavy = make(map[uint32]uint32)
	for i, v := range b.heavy.labels {
		if at := uint64(v) - w.first; at < uint64(w.count) {
			f.heavy[uint32(at)] = uint32(i)
		}
	}
	first, _ := b.Parts.Rank(b.Comm.Rank())
	skip := uint32(w.first - first)
	entries := func(v uint32) uint32 {
		n := b.Out[skip+v]
		if b.direction == into {
			n = b.In(skip + v)
		}
		if n > 0 && int(deal.ClassOf(b.Entries[skip+v])) >= b.heavy.cut {
			return 0
		}
		return n
	}
	if err := f.layRows(w.count, entries, b.Wide, &b.Memory); err != nil {
		return err
	}
	f.filled, err = arena.Make[uint32](&b.Memory, len(f.offsets)-1)
	return err
}

// Route implements deal.Layout: an entry goes to the owner of its row, as the row
// within the owner's range and the neighbour. The entry of a heavy vertex is left
// out: it is stored with the other end, unless that is heavy too.
func (b *builder[L]) Route(edges []hops.Edge, to []deal.Routed) []deal.Routed {
	for _, e := range edges {
		u, v := L(e.U), L(e.V)
		if u == v {
			continue
		}
		heavyU, heavyV := b.heavy.has(u), b.heavy.has(v)
		if b.direction != into && (!heavyU || heavyV) {
			to = b.appendEntry(to, u, v)
		}
		if b.direction != outOf && (!heavyV || heavyU) {
			to = b.appendEntry(to, v, u)
		}
	}
	return to
}

// appendEntry appends an entry: one word, or two where labels are wide.
func (b *builder[L]) appendEntry(to []deal.Routed, row, neighbor L) []deal.Routed {
	w := b.Parts.Owner(uint64(row))
	at := uint64(row) - b.Parts.Cuts[w]
	if b.Wide {
		return append(to, deal.Routed{Worker: uint32(w), Entry: at}, deal.Routed{Worker: uint32(w), Entry: uint64(neighbor)})
	}
	return append(to, deal.Routed{Worker: uint32(w), Entry: at<<32 | uint64(neighbor)})
}

// Place implements deal.Layout.
func (b *builder[L]) Place(thread int, entries []uint64) error {
	f, w := &b.filling[thread], &b.workers[thread]
	for len(entries) > 0 {
		row, neighbor := entries[0]>>32, entries[0]&math.MaxUint32
		if b.Wide {
			row, neighbor = entries[0], entries[1]
			entries = entries[1:]
		} else {
			f.fetch(entries)
		}
		entries = entries[1:]
		if row >= uint64(w.count) || neighbor >= uint64(b.N) {
			return fmt.Errorf("a row %d with neighbour %d, but worker %d has %d of %d vertices", row, neighbor, w.id, w.count, b.N)
		}
		if err := b.lay(f, w, uint32(row), L(neighbor)); err != nil {
			return err
		}
	}
	return nil
}

// Rows are prefetched so many entries before they are filled, and where they begin as many before that.
const entriesAhead = 12

// fetch prefetches what entries further on are laid into. A row that does not exist is refused when its entry comes.
func (f *filling[L]) fetch(entries []uint64) {
	if len(entries) <= 2*entriesAhead {
		return
	}
	soon, later := entries[entriesAhead]>>32, entries[2*entriesAhead]>>32
	if rows := uint64(len(f.filled)); soon >= rows || later >= rows {
		return
	}
	at := min(f.offsets[soon]+int64(f.filled[soon]), int64(len(f.neighbors)-1))
	if at >= 0 {
		prefetch.Lines(unsafe.Pointer(&f.neighbors[at]), unsafe.Pointer(&f.offsets[later]), unsafe.Pointer(&f.filled[later]))
	}
}

// lay puts an entry into a row of a worker.
func (b *builder[L]) lay(f *filling[L], w *worker[L], row uint32, neighbor L) error {
	if k, ok := f.number(row); ok {
		if at := f.offsets[k] + int64(f.filled[k]); at < f.offsets[k+1] {
			f.neighbors[at] = neighbor
			f.filled[k]++
			return nil
		}
	}
	i, ok := f.heavy[row]
	j, both := b.heavy.number(neighbor)
	if !ok || !both {
		return fmt.Errorf("more entries than were counted for vertex %d", w.label(row))
	}
	f.between = append(f.between, uint64(i)<<32|uint64(j))
	return nil
}

// order completes the rows that were dealt: it orders all of them by class and label
// of the neighbour, takes duplicates out and closes the gaps that they leave.
func (b *builder[L]) order() error {
	if err := deal.OrderRows[L](b.Edges, b, uint64(b.N)); err != nil {
		return err
	}
	for t := range b.filling {
		f := &b.filling[t]
		f.offsets[len(f.filled)] = f.end
		f.neighbors = arena.Shrink(&b.Memory, f.neighbors, int(f.end))
		arena.Free(&b.Memory, f.filled)
	}
	errs := make([]error, len(b.workers))
	b.Team.Run(func(t int) {
		w, f := &b.workers[t], &b.filling[t]
		slices.Sort(f.between)
		f.between = slices.Compact(f.between)
		errs[t] = f.findHeavyPrefixes(w.count, &b.heavy, f.between, &b.Memory)
		if w.in = f.adjacency; b.direction != into {
			w.out = f.adjacency
		}
	})
	return errors.Join(errs...)
}

// Next implements deal.Rows.
func (b *builder[L]) Next(thread int) (row []L, more bool) {
	f := &b.filling[thread]
	if f.done == len(f.filled) {
		return nil, false
	}
	start := f.offsets[f.done]
	row = f.neighbors[start : start+int64(f.filled[f.done])]
	f.done++
	return row, true
}

// Locate implements deal.Rows.
func (b *builder[L]) Locate(label L) (worker int, vertex uint64) {
	return b.Parts.Owner(uint64(label)), uint64(label)
}

// Ordered implements deal.Rows. The entries move to the end of those before.
func (b *builder[L]) Ordered(thread int, keys deal.Keys) {
	f := &b.filling[thread]
	f.offsets[f.ordered] = f.end
	f.ordered++
	deal.Put(keys, f.neighbors[f.end:])
	f.end += int64(len(keys))
}
