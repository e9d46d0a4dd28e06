package grid

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bottomup"
	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/internal/ranks/block"
	"github.com/gohops/hops/internal/ranks/deal"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/ranks/rank"
)

// A builder holds what lives only during construction. Entries are dealt twice, to
// count the entries of each row of the block and to place them.
type builder struct {
	*deal.Edges
	*machine
	counts  []uint32 // of the entries of each row of the block, then of those that are still to come
	starts  []int64  // of the rows, when the counts are known: entries are placed
	head    []uint8  // class of the first entry of each row
	threads []ordering
	device  bool // searches the block
}

// findMaker returns the Maker of this rank if every rank has one.
func findMaker(m *distributed.Member, src hops.Source, o Options) (block.Maker, error) {
	if o.devices().Maker == nil {
		return nil, nil
	}
	maker, err := o.devices().Maker(src, m.Hosts.Local, m.Hosts.Mine.Size(), m.Comm.Size())
	if err != nil {
		return nil, err
	}
	without := []uint64{0}
	if maker == nil {
		without[0] = 1
	}
	if err = rank.Reduced(m.Comm, rank.Max, without); maker != nil && (err != nil || without[0] > 0) {
		err = errors.Join(err, maker.Close())
		maker = nil
	}
	return maker, err
}

// ordering is how far a thread is with its rows.
type ordering struct{ done, ordered, end uint32 }

func build(ctx context.Context, member *distributed.Member, src hops.Source, o Options) (*machine, error) {
	m := newMachine(o)
	var err error
	if m.maker, err = findMaker(member, src, o); err != nil {
		return nil, err
	}
	var counter deal.Counter
	if m.maker != nil {
		counter = m.maker.Count
	}
	edges, err := deal.CountBy(ctx, member, src, counter)
	if err != nil {
		m.closeMaker()
		return nil, err
	}
	if o.TreesOnDevice {
		m.source = src
	}
	b := &builder{Edges: edges, machine: m, device: o.Device != nil}
	divide, construct := func() error { return b.divide(member, o) }, []func() error{b.dealBlock, b.finish}
	if m.maker != nil {
		construct = []func() error{func() error { return b.makeBlock(ctx) }}
	}
	err = edges.InTurn(append([]func() error{divide}, construct...)...)
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

// divide divides the vertices into pieces and finds this rank's row and column.
func (b *builder) divide(member *distributed.Member, o Options) error {
	rows, columns, err := o.shape(member.Comm.Size(), member.Hosts.Count, member.N)
	if err != nil {
		return err
	}
	if err := b.Divide(deal.Classes, 1); err != nil {
		return err
	}
	if b.gridRank, err = newGridRank(member, rows, columns); err != nil {
		return err
	}
	for v := range b.Entries {
		if in := int64(b.In(uint32(v))); in > 0 {
			b.total.entries += in
			b.total.reachable++
		}
	}
	if b.Directed {
		b.out, err = arena.Make[uint32](&b.Memory, len(b.Out))
		copy(b.out, b.Out)
	}
	b.FreeCounts()
	return err
}

// makeBlock has the device make the block.
func (b *builder) makeBlock(ctx context.Context) error {
	made, err := b.maker.Make(ctx, b.describe())
	if err != nil {
		return fmt.Errorf("grid: rank %d: %w", b.Comm.Rank(), err)
	}
	heads, err := arena.Make[uint8](&b.Memory, int(b.count))
	if err != nil {
		return err
	}
	if b.block.lengths, err = arena.Make[uint32](&b.Memory, int(b.count)); err != nil {
		return err
	}
	b.Team.For(int64(b.count), countGrain, func(_ int, lo, hi int64) {
		for v := lo; v < hi; v++ {
			b.block.lengths[v], heads[v] = made[v].Length, deal.ClassOf(made[v].Head)
		}
	})
	b.bands = []band{newBand(0, 0)} // which has the counts of the device
	return b.chooseHomes(heads)
}

// dealBlock deals twice: to count, and to place.
func (b *builder) dealBlock() (err error) {
	mem := &b.Memory
	if b.counts, err = arena.Make[uint32](mem, int(b.count)); err != nil {
		return err
	}
	if err := b.Deal(b); err != nil {
		return err
	}
	if b.block.rows, err = newRows(b.counts, mostNarrow, mem); err != nil {
		return err
	}
	if b.starts, err = arena.Make[int64](mem, int(b.count)); err != nil {
		return err
	}
	at := int64(0)
	for v, n := range b.counts {
		b.starts[v] = at
		at += int64(n)
	}
	err = b.Deal(b)
	arena.Free(mem, b.starts)
	return err
}

// Route implements deal.Layout: an entry that leads from u to v goes to the rank in
// the row of v and the column of u, to the thread that has this share of the row.
func (b *builder) Route(edges []hops.Edge, to []deal.Routed) []deal.Routed {
	for _, e := range edges {
		if e.U == e.V {
			continue
		}
		to = append(to, b.entry(uint64(e.U), uint64(e.V)))
		if !b.Directed {
			to = append(to, b.entry(uint64(e.V), uint64(e.U)))
		}
	}
	return to
}

func (b *builder) entry(u, v uint64) deal.Routed {
	parts, threads := b.Parts, b.Team.Size()
	i := parts.Owner(v) / b.columns
	first := parts.Cuts[i*b.columns]
	count := parts.Cuts[(i+1)*b.columns] - first
	j := parts.Owner(u) % b.columns
	thread := (v - first) * uint64(threads) / count
	return deal.Routed{Worker: uint32((i*b.columns+j)*threads) + uint32(thread), Entry: (v-first)<<32 | uint64(b.numbers.of(u))}
}

// Place implements deal.Layout.
func (b *builder) Place(_ int, entries []uint64) error {
	counts, starts, placed, numbered := b.counts, b.starts, b.block.rows.entries, uint64(b.numbered())
	for _, x := range entries {
		v, u := x>>32, x&math.MaxUint32
		if v >= uint64(len(counts)) || u >= numbered {
			return fmt.Errorf("an entry from number %d to row %d in a block with %d rows, of a column of %d", u, v, b.count, numbered)
		}
		if starts == nil {
			counts[v]++
			continue
		}
		left := counts[v]
		if left == 0 {
			return fmt.Errorf("more than the %d entries of row %d", b.block.rows.length(uint32(v)), v)
		}
		counts[v] = left - 1
		placed[starts[v]+int64(left)-1] = uint32(u)
	}
	return nil
}

// finish orders the rows, takes duplicates out, and makes what searches use beside
// them.
func (b *builder) finish() error {
	if err := b.orderRows(); err != nil {
		return err
	}
	if err := b.chooseHomes(b.head); err != nil {
		return err
	}
	if !b.device && int64(b.block.rows.count())*hypersparse >= int64(b.count) {
		look, err := bottomup.NewRows(int64(b.count), 1<<32, b.block.rows.row, &b.Memory)
		if err != nil {
			return err
		}
		b.block.look = &look
	}
	b.cutBands()
	if b.device {
		return b.fillColumns()
	}
	return b.fillBands()
}

// orderRows orders the rows by class and number of the neighbour, and closes the
// gaps that duplicates leave.
func (b *builder) orderRows() (err error) {
	mem := &b.Memory
	if b.head, err = arena.Make[uint8](mem, int(b.count)); err != nil {
		return err
	}
	b.threads = make([]ordering, b.Team.Size())
	for t := range b.threads {
		lo, hi := par.Split(int64(b.count), 64, t, b.Team.Size())
		b.threads[t] = ordering{uint32(lo), uint32(lo), uint32(hi)}
	}
	if err := deal.OrderRows[uint32](b.Edges, b, uint64(b.numbered())); err != nil {
		return err
	}
	full := b.block.rows
	if b.block.rows, err = newRows(b.counts, mostNarrow, mem); err != nil {
		return err
	}
	b.Team.Run(func(t int) {
		lo, hi := par.Split(int64(b.count), 64, t, b.Team.Size())
		for v := uint32(lo); v < uint32(hi); v++ {
			copy(b.block.rows.row(v), full.row(v))
		}
	})
	full.free(mem)
	arena.Free(mem, b.counts)
	return nil
}

// Next implements deal.Rows.
func (b *builder) Next(thread int) (row []uint32, more bool) {
	o := &b.threads[thread]
	if o.done == o.end {
		return nil, false
	}
	o.done++
	return b.block.rows.row(o.done - 1), true
}

// Locate implements deal.Rows.
func (b *builder) Locate(number uint32) (worker int, vertex uint64) {
	vertex = b.numbers.label(b.j, number)
	return b.Parts.Owner(vertex), vertex
}

// Ordered implements deal.Rows.
func (b *builder) Ordered(thread int, keys deal.Keys) {
	v := b.threads[thread].ordered
	b.threads[thread].ordered++
	deal.Put(keys, b.block.rows.row(v))
	b.counts[v], b.head[v] = uint32(len(keys)), keys.Class()
}
