package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/deal"
	"github.com/gohops/hops/internal/distributed"
)

// Construction, in which every rank reads only its share of the edges, twice, and
// keeps only the rows of its own vertices:
//
//  1. count   the entries of every row (internal/deal)
//  2. divide  the vertices among the workers; take the heavy ones out
//  3. deal    every entry to the owner of its row
//  4. order   rows by falling degree of the neighbour, without duplicates
//  5. finish  what the steps of a search use beside the rows
//
// For a directed graph, 3 and 4 are run twice: for the rows out of its vertices, and
// for the rows into them.

// Passes is the number of times that the edges are read; those of a directed graph
// are read once more.
const Passes = 2

// A direction says which rows the entries of an edge (u, v) belong to.
type direction uint8

const (
	both  direction = iota // v to the row of u, and u to the row of v
	outOf                  // v to the row of u
	into                   // u to the row of v
)

// A builder holds what lives only during construction.
type builder struct {
	*deal.Edges
	opts      Options
	workers   []worker
	direction direction // of the rows that are made
	filling   []filling // of each worker
	heavy     heavy
	cut       int // the class from which vertices are heavy
}

// filling is the state of filling rows of a worker.
type filling struct {
	adjacency
	filled  []uint32          // entries of each row
	heavy   map[uint32]uint32 // index of each heavy vertex of the worker
	between []uint64          // entries between heavy vertices: index, label
}

func build(ctx context.Context, member *distributed.Member, src hops.Source, o Options) (*machine, error) {
	edges, err := deal.Count(ctx, member, src)
	if err != nil {
		return nil, err
	}
	threads := member.Team.Size()
	b := &builder{Edges: edges, opts: o, workers: make([]worker, threads), filling: make([]filling, threads)}
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
	return newMachine(member, b.workers, b.heavy, o)
}

// deal fills the rows of a direction.
func (b *builder) deal(d direction) func() error {
	return func() error {
		b.direction = d
		for t := range b.workers {
			b.filling[t] = filling{}
			if err := b.layRows(&b.workers[t], &b.filling[t]); err != nil {
				return err
			}
		}
		return b.Deal(b)
	}
}

// layRows makes room for the rows of the light vertices of a worker.
func (b *builder) layRows(w *worker, f *filling) (err error) {
	if f.offsets, err = arena.Make[int64](&b.Memory, int(w.count)+1); err != nil {
		return err
	}
	at := int64(0)
	for v := range w.count {
		f.offsets[v] = at
		switch label := w.first + v; {
		case b.isHeavy(label):
		case b.direction == into:
			at += int64(b.In(label))
		default:
			at += int64(b.Out[label])
		}
	}
	f.offsets[w.count] = at
	if f.neighbors, err = arena.Make[uint32](&b.Memory, int(at)); err != nil {
		return err
	}
	f.heavy = make(map[uint32]uint32)
	for i, v := range b.heavy.labels {
		if v-w.first < w.count {
			f.heavy[v-w.first] = uint32(i)
		}
	}
	f.filled, err = arena.Make[uint32](&b.Memory, int(w.count))
	return err
}

// Route implements deal.Layout: an entry goes to the owner of its row, as the row
// within the owner's range and the neighbour. The entry of a heavy vertex is left
// out: it is stored with the other end, unless that is heavy too.
func (b *builder) Route(edges []hops.Edge, to []deal.Routed) []deal.Routed {
	for _, e := range edges {
		u, v := uint32(e.U), uint32(e.V)
		if u == v {
			continue
		}
		heavyU, heavyV := b.isHeavy(u), b.isHeavy(v)
		if b.direction != into && (!heavyU || heavyV) {
			to = append(to, b.entry(u, v))
		}
		if b.direction != outOf && (!heavyV || heavyU) {
			to = append(to, b.entry(v, u))
		}
	}
	return to
}

func (b *builder) entry(row, neighbor uint32) deal.Routed {
	w := b.Parts.Owner(row)
	return deal.Routed{Worker: uint32(w), Entry: uint64(row-b.Parts.Cuts[w])<<32 | uint64(neighbor)}
}

// Place implements deal.Layout.
func (b *builder) Place(thread int, entries []uint64) error {
	for _, x := range entries {
		if err := b.filling[thread].lay(&b.workers[thread], uint32(x>>32), uint32(x)); err != nil {
			return err
		}
	}
	return nil
}

// lay puts an entry into a row of a worker.
func (f *filling) lay(w *worker, row, neighbor uint32) error {
	if row >= w.count {
		return fmt.Errorf("a row %d, but worker %d has %d", row, w.id, w.count)
	}
	at := f.offsets[row] + int64(f.filled[row])
	if at < f.offsets[row+1] {
		f.neighbors[at] = neighbor
		f.filled[row]++
		return nil
	}
	i, ok := f.heavy[row]
	if !ok {
		return fmt.Errorf("more than the %d entries of vertex %d", f.filled[row], w.first+row)
	}
	f.between = append(f.between, uint64(i)<<32|uint64(neighbor))
	return nil
}

// order completes the rows that were dealt: it orders all of them by class and label
// of the neighbour, takes duplicates out and closes the gaps that they leave.
func (b *builder) order() error {
	b.Team.Run(func(t int) {
		var s deal.RowSorter
		f := &b.filling[t]
		end := int64(0)
		for v, n := range f.filled {
			start := f.offsets[v]
			row := f.neighbors[start : start+int64(n)]
			f.offsets[v] = end
			end += s.Order(row, b.Class, f.neighbors[end:])
		}
		f.offsets[len(f.filled)] = end
		slices.Sort(f.between)
		f.between = slices.Compact(f.between)
	})
	for t := range b.filling {
		f := &b.filling[t]
		f.neighbors = arena.Shrink(&b.Memory, f.neighbors, int(f.offsets[len(f.filled)]))
		arena.Free(&b.Memory, f.filled)
	}
	errs := make([]error, len(b.workers))
	b.Team.Run(func(t int) {
		w, f := &b.workers[t], &b.filling[t]
		errs[t] = f.findHeavyPrefixes(w.count, &b.heavy, f.between, &b.Memory)
		if w.in = f.adjacency; b.direction != into {
			w.out = f.adjacency
		}
	})
	return errors.Join(errs...)
}
