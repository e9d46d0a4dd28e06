package cluster

import (
	"context"
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

// Passes is the number of times that the edges are read.
const Passes = 2

// A builder holds what lives only during construction.
type builder struct {
	*deal.Edges
	opts    Options
	workers []worker
	filling []filling // of each worker
	heavy   heavy
	cut     int // the class from which vertices are heavy
}

// filling is the state of filling the rows of a worker.
type filling struct {
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
	err = edges.InTurn(b.divide, b.dealRows, b.order, b.finish)
	if e := edges.Close(); err == nil {
		err = e
	}
	if err != nil {
		return nil, err
	}
	return newMachine(member, b.workers, b.heavy, o)
}

func (b *builder) dealRows() error {
	for t := range b.workers {
		if err := b.layRows(&b.workers[t], &b.filling[t]); err != nil {
			return err
		}
	}
	return b.Deal(b)
}

// layRows makes room for the rows of the light vertices of a worker.
func (b *builder) layRows(w *worker, f *filling) (err error) {
	if w.offsets, err = arena.Make[int64](&b.Memory, int(w.count)+1); err != nil {
		return err
	}
	at := int64(0)
	for v := range w.count {
		w.offsets[v] = at
		if !b.isHeavy(w.first + v) {
			at += int64(b.Entries[w.first+v])
		}
	}
	w.offsets[w.count] = at
	if w.neighbors, err = arena.Make[uint32](&b.Memory, int(at)); err != nil {
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
		if !heavyU || heavyV {
			to = append(to, b.entry(u, v))
		}
		if !heavyV || heavyU {
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
	at := w.offsets[row] + int64(f.filled[row])
	if at < w.offsets[row+1] {
		w.neighbors[at] = neighbor
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

// order orders all rows by class and label of the neighbour, takes duplicates
// out and closes the gaps that they leave.
func (b *builder) order() error {
	b.Team.Run(func(t int) {
		var s deal.RowSorter
		w, f := &b.workers[t], &b.filling[t]
		end := int64(0)
		for v := range w.count {
			start := w.offsets[v]
			row := w.neighbors[start : start+int64(f.filled[v])]
			w.offsets[v] = end
			end += s.Order(row, b.Class, w.neighbors[end:])
		}
		w.offsets[w.count] = end
		slices.Sort(f.between)
		f.between = slices.Compact(f.between)
	})
	for t := range b.workers {
		w := &b.workers[t]
		arena.Free(&b.Memory, b.filling[t].filled)
		w.neighbors = arena.Shrink(&b.Memory, w.neighbors, int(w.offsets[w.count]))
	}
	return nil
}
