package cluster

import (
	"fmt"
	"math/bits"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/par"
)

// A block is a part of the adjacency matrix as rows. Most of them may be empty,
// the more the larger the grid, and take one bit: a row is found by counting the
// rows before it that are not empty.
type block struct {
	full    bitset.Set // rows that are not empty
	before  []uint32   // of these, those before each word
	offsets []int64    // of these rows, and the end
	entries []uint32
	heads   []uint32 // the first entry of each of these rows
}

// row returns the neighbours of v.
func (b *block) row(v uint32) []uint32 {
	if !b.full.Has(uint64(v)) {
		return nil
	}
	k := b.place(v>>6, v&63)
	return b.entries[b.offsets[k]:b.offsets[k+1]]
}

// place is the number of a row, which is not empty, among those that are not.
func (b *block) place(word, bit uint32) uint32 {
	return b.before[word] + uint32(bits.OnesCount64(b.full[word]&(1<<bit-1)))
}

// findHeads copies the first entries.
func (b *block) findHeads(mem *arena.Arena) (err error) {
	if b.heads, err = arena.Make[uint32](mem, len(b.offsets)-1); err != nil {
		return err
	}
	for k := range b.heads {
		b.heads[k] = b.entries[b.offsets[k]]
	}
	return nil
}

// newBlock makes a block of rows with the given numbers of entries, which are
// still to be filled in.
func newBlock(counts []uint32, mem *arena.Arena) (b block, err error) {
	if b.full, err = arena.Make[uint64](mem, bitset.Words(int64(len(counts)))); err != nil {
		return b, err
	}
	rows := 0
	for v, n := range counts {
		if n > 0 {
			b.full.Add(uint64(v))
			rows++
		}
	}
	if b.before, err = arena.Make[uint32](mem, len(b.full)); err != nil {
		return b, err
	}
	if b.offsets, err = arena.Make[int64](mem, rows+1); err != nil {
		return b, err
	}
	k, at := 0, int64(0)
	for v, n := range counts {
		if v%64 == 0 {
			b.before[v/64] = uint32(k)
		}
		if n > 0 {
			b.offsets[k] = at
			at += int64(n)
			k++
		}
	}
	b.offsets[k] = at
	b.entries, err = arena.Make[uint32](mem, int(at))
	return b, err
}

// A fill is the state of filling the rows of a block.
type fill struct {
	counts  []uint32 // of the entries of each row
	filled  []uint32
	placing bool // the second time, when the counts are known
}

// byBlock is the layout with two dimensions: an entry that leads from u to v goes
// to the rank in the row of v and the column of u, to the thread that has this
// share of the row.
type byBlock struct{ *builder }

func (b byBlock) route(edges []hops.Edge, to []routed) []routed {
	for _, e := range edges {
		if e.U != e.V {
			to = append(to, b.entry(uint32(e.U), uint32(e.V)), b.entry(uint32(e.V), uint32(e.U)))
		}
	}
	return to
}

func (b byBlock) entry(u, v uint32) routed {
	i := b.parts.owner(v) / b.grid.columns
	first := b.parts.cuts[i*b.grid.columns]
	count := b.parts.cuts[(i+1)*b.grid.columns] - first
	j, number := b.grid.columnNumber(u)
	thread := uint64(v-first) * uint64(b.team.Size()) / uint64(count)
	return routed{uint32((i*b.grid.columns+j)*b.team.Size()) + uint32(thread), uint64(v-first)<<32 | uint64(number)}
}

func (b byBlock) place(_ int, entries []uint64) error {
	g := b.grid
	for _, x := range entries {
		v, u := uint32(x>>32), uint32(x)
		if v >= g.count || u >= g.pieces[g.rows] {
			return fmt.Errorf("an entry from %d to %d in a block of %d columns and %d rows", u, v, g.pieces[g.rows], g.count)
		}
		if !g.filling.placing {
			g.filling.counts[v]++
			continue
		}
		row := g.byRow.row(v)
		if int(g.filling.filled[v]) >= len(row) {
			return fmt.Errorf("more than the %d entries of row %d", len(row), v)
		}
		row[g.filling.filled[v]] = u
		g.filling.filled[v]++
	}
	return nil
}

// dealBlocks deals twice: to count, and to place.
func (b *builder) dealBlocks() (err error) {
	f := &b.grid.filling
	for _, list := range []*[]uint32{&f.counts, &f.filled} {
		if *list, err = arena.Make[uint32](&b.mem, int(b.grid.count)); err != nil {
			return err
		}
	}
	if err := b.deal(byBlock{b}); err != nil {
		return err
	}
	if b.grid.byRow, err = newBlock(f.counts, &b.mem); err != nil {
		return err
	}
	f.placing = true
	return b.deal(byBlock{b})
}

// finishGrid orders the rows, takes duplicates out, and makes the columns.
func (b *builder) finishGrid() (err error) {
	g := b.grid
	labels := make([]uint8, g.pieces[g.rows]) // classes by number in the column
	for i := range g.rows {
		lo, hi := b.parts.rank(i*g.columns + g.j)
		copy(labels[g.pieces[i]:], b.class[lo:hi])
	}
	f := &g.filling
	b.team.Run(func(t int) {
		var s rowSorter
		lo, hi := par.Split(int64(g.count), 64, t, b.team.Size())
		for v := uint32(lo); v < uint32(hi); v++ {
			row := g.byRow.row(v)
			f.counts[v] = uint32(s.order(row, labels, row))
		}
	})
	full := g.byRow
	if g.byRow, err = newBlock(f.counts, &b.mem); err != nil {
		return err
	}
	for v := range g.count {
		copy(g.byRow.row(v), full.row(v))
	}
	full.free(&b.mem)
	arena.Free(&b.mem, f.counts)
	arena.Free(&b.mem, f.filled)
	b.entryCount = int64(len(g.byRow.entries))
	if err := g.byRow.findHeads(&b.mem); err != nil {
		return err
	}
	return g.transpose()
}

func (b *block) free(mem *arena.Arena) {
	arena.Free(mem, b.full)
	arena.Free(mem, b.before)
	arena.Free(mem, b.offsets)
	arena.Free(mem, b.entries)
}

// transpose makes the columns of the block.
func (g *grid) transpose() (err error) {
	counts := make([]uint32, g.pieces[g.rows])
	for _, u := range g.byRow.entries {
		counts[u]++
	}
	if g.byColumn, err = newBlock(counts, &g.mem); err != nil {
		return err
	}
	clear(counts)
	for v := range g.count {
		for _, u := range g.byRow.row(v) {
			g.byColumn.row(u)[counts[u]] = v
			counts[u]++
		}
	}
	return nil
}
