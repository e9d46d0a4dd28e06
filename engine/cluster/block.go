package cluster

import (
	"fmt"
	"math/bits"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
)

// A block is a part of the adjacency matrix as rows. Most of them may be empty,
// the more the larger the grid, and take one bit: a row is found by counting the
// rows before it that are not empty.
type block struct {
	full    bitset.Set // rows that are not empty
	before  []uint32   // of these, those before each word
	offsets []int64    // of these rows, and the end
	entries []uint32
	labels  []uint32 // of these rows, where they are listed
}

// row returns the neighbours of v.
func (b *block) row(v uint32) []uint32 {
	if !b.full.Has(uint64(v)) {
		return nil
	}
	return b.rowAt(b.place(v>>6, v&63))
}

// rowAt is the row with that place.
func (b *block) rowAt(k uint32) []uint32 { return b.entries[b.offsets[k]:b.offsets[k+1]] }

// place is the number of a row, which is not empty, among those that are not.
func (b *block) place(word, bit uint32) uint32 {
	return b.before[word] + uint32(bits.OnesCount64(b.full[word]&(1<<bit-1)))
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
	j := b.parts.owner(u) % b.grid.columns
	thread := uint64(v-first) * uint64(b.team.Size()) / uint64(count)
	return routed{uint32((i*b.grid.columns+j)*b.team.Size()) + uint32(thread), uint64(v-first)<<32 | uint64(u)}
}

func (b byBlock) place(_ int, entries []uint64) error {
	g := b.grid
	for _, x := range entries {
		v, u := uint32(x>>32), uint32(x)
		if v >= g.count || u >= g.parts.n || g.parts.owner(u)%g.columns != g.j {
			return fmt.Errorf("an entry from %d to row %d in a block of column %d with %d rows", u, v, g.j, g.count)
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

func (b *block) free(mem *arena.Arena) {
	arena.Free(mem, b.full)
	arena.Free(mem, b.before)
	arena.Free(mem, b.offsets)
	arena.Free(mem, b.entries)
}
