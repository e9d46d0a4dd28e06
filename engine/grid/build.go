package grid

import (
	"context"
	"errors"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bottomup"
	"github.com/gohops/hops/internal/deal"
	"github.com/gohops/hops/internal/distributed"
	"github.com/gohops/hops/internal/par"
	"github.com/gohops/hops/internal/partition"
)

// A builder holds what lives only during construction. Entries are dealt twice, to
// count those of each row of the block and to place them.
type builder struct {
	*deal.Edges
	*machine
	counts  []uint32 // of the entries of each row of the block
	filled  []uint32
	placing bool // the second time, when the counts are known
}

func build(ctx context.Context, member *distributed.Member, src hops.Source, o Options) (*machine, error) {
	edges, err := deal.Count(ctx, member, src)
	if err != nil {
		return nil, err
	}
	m := newMachine(o)
	b := &builder{Edges: edges, machine: m}
	err = edges.InTurn(func() error { return b.divide(member, o) }, b.dealBlock, b.finish)
	if e := edges.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = m.prepare(o)
	}
	if err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// divide divides the vertices into pieces and finds this rank's place.
func (b *builder) divide(member *distributed.Member, o Options) error {
	ranks := member.Comm.Size()
	rows, columns, err := o.shape(ranks, member.Hosts.Count)
	if err != nil {
		return err
	}
	member.Parts = partition.New(b.Entries, ^uint32(0), ranks, 1)
	if b.place, err = findPlace(member, rows, columns); err != nil {
		return err
	}
	lo, hi := member.Parts.Rank(member.Comm.Rank())
	for v := lo; v < hi; v++ {
		if in := int64(b.In(v)); in > 0 {
			b.total.entries += in
			b.total.reachable++
		}
	}
	if b.Directed {
		b.out, err = arena.Make[uint32](&b.Memory, int(hi-lo))
		copy(b.out, b.Out[lo:hi])
	}
	return err
}

// dealBlock deals twice: to count, and to place.
func (b *builder) dealBlock() (err error) {
	mem := &b.Memory
	for _, list := range []*[]uint32{&b.counts, &b.filled} {
		if *list, err = arena.Make[uint32](mem, int(b.count)); err != nil {
			return err
		}
	}
	if err := b.Deal(b); err != nil {
		return err
	}
	if b.block.rows, err = newSparseRows(b.counts, mem); err != nil {
		return err
	}
	b.placing = true
	return b.Deal(b)
}

// Route implements deal.Layout: an entry that leads from u to v goes to the rank in
// the row of v and the column of u, to the thread that has this share of the row.
func (b *builder) Route(edges []hops.Edge, to []deal.Routed) []deal.Routed {
	for _, e := range edges {
		if e.U == e.V {
			continue
		}
		to = append(to, b.entry(uint32(e.U), uint32(e.V)))
		if !b.Directed {
			to = append(to, b.entry(uint32(e.V), uint32(e.U)))
		}
	}
	return to
}

func (b *builder) entry(u, v uint32) deal.Routed {
	parts, threads := b.Parts, b.Team.Size()
	i := parts.Owner(v) / b.columns
	first := parts.Cuts[i*b.columns]
	count := parts.Cuts[(i+1)*b.columns] - first
	j := parts.Owner(u) % b.columns
	thread := uint64(v-first) * uint64(threads) / uint64(count)
	return deal.Routed{Worker: uint32((i*b.columns+j)*threads) + uint32(thread), Entry: uint64(v-first)<<32 | uint64(u)}
}

// Place implements deal.Layout.
func (b *builder) Place(_ int, entries []uint64) error {
	parts := b.Parts
	for _, x := range entries {
		v, u := uint32(x>>32), uint32(x)
		if v >= b.count || u >= parts.N || parts.Owner(u)%b.columns != b.j {
			return fmt.Errorf("an entry from %d to row %d in a block of column %d with %d rows", u, v, b.j, b.count)
		}
		if !b.placing {
			b.counts[v]++
			continue
		}
		row := b.block.rows.row(v)
		if int(b.filled[v]) >= len(row) {
			return fmt.Errorf("more than the %d entries of row %d", len(row), v)
		}
		row[b.filled[v]] = u
		b.filled[v]++
	}
	return nil
}

// finish orders the rows, takes duplicates out, and makes what searches use beside
// them.
func (b *builder) finish() error {
	if err := b.orderRows(); err != nil {
		return err
	}
	if err := b.chooseHomes(b.Class); err != nil {
		return err
	}
	if int64(len(b.block.rows.offsets)-1)*hypersparse >= int64(b.count) {
		look, err := bottomup.NewRows(int64(b.count), b.block.rows.row, &b.Memory)
		if err != nil {
			return err
		}
		b.block.look = &look
	}
	b.cutBands()
	errs := make([]error, len(b.bands))
	b.Team.Run(func(t int) { errs[t] = b.fillColumns(&b.bands[t]) })
	return errors.Join(errs...)
}

// orderRows orders the rows by class and label of the neighbour, and closes the
// gaps that duplicates leave.
func (b *builder) orderRows() (err error) {
	mem := &b.Memory
	b.Team.Run(func(t int) {
		var s deal.RowSorter
		lo, hi := par.Split(int64(b.count), 64, t, b.Team.Size())
		for v := uint32(lo); v < uint32(hi); v++ {
			row := b.block.rows.row(v)
			b.counts[v] = uint32(s.Order(row, b.Class, row))
		}
	})
	full := b.block.rows
	if b.block.rows, err = newSparseRows(b.counts, mem); err != nil {
		return err
	}
	for v := range b.count {
		copy(b.block.rows.row(v), full.row(v))
	}
	full.free(mem)
	arena.Free(mem, b.counts)
	arena.Free(mem, b.filled)
	return nil
}
