package bottomup

import (
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
)

// A Layout says how long the arrays of rows are.
type Layout struct {
	Count  int64 // rows
	Labels int64 // all entries are below it
	Tails  int64 // bytes that the tails hold
}

// Layout returns the layout of count rows that NewRows has made.
func (r *Rows) Layout(count, labels int64) Layout {
	return Layout{Count: count, Labels: labels, Tails: int64(len(r.Tails.entries))}
}

// RowsIn returns the heads and tails of rows in memory that the cut hands out, which may
// belong to another process. Row is not among them.
func RowsIn(c *arena.Cut, l Layout) (r Rows) {
	words := int64(bitset.Words(l.Count))
	r.Head, r.More = arena.Next[uint32](c, 64*words), arena.Next[uint64](c, words)
	r.Tails = Tails{
		entries: arena.Next[byte](c, l.Tails),
		size:    entrySize(l.Labels),
		slot:    arena.Next[uint16](c, 64*words),
		blocks:  arena.Next[block](c, (l.Count+1<<BlockShift-1)>>BlockShift+1),
	}
	return r
}

// MoveTo copies heads and tails to rows of the same layout, and gives those that were made
// in mem back.
func (r *Rows) MoveTo(other *Rows, mem *arena.Arena) {
	copy(other.Head, r.Head)
	copy(other.More, r.More)
	copy(other.Tails.entries, r.Tails.entries)
	copy(other.Tails.slot, r.Tails.slot)
	copy(other.Tails.blocks, r.Tails.blocks)
	arena.Free(mem, r.Head)
	arena.Free(mem, r.More)
	arena.Free(mem, r.Tails.entries)
	arena.Free(mem, r.Tails.slot)
	other.Row = r.Row
	*r = *other
}
