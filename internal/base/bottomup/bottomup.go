// Package bottomup looks for the parents of unvisited vertices among the entries of
// their rows, for all engines that run on the cores of a host.
//
// Rows are numbered from 0 and their entries are labels. The frontier is a bitmap by
// label; the unvisited vertices, the next frontier and the parents are by row. The
// unit of work is a block of 64 words of the bitmaps, 4,096 rows. For each block:
//
//  1. The heads of all open rows, their first entries, are probed: an array read in
//     order against a bitmap that fits in the second-level cache. On a Kronecker
//     graph nearly all vertices find their parents here.
//  2. Vertices that missed and have more entries form a list, for which the next
//     entries are probed, a column of the tails at a time (tails.go).
//  3. Rows that go on where the tails are cut off are scanned to their end, and all of
//     them where there are no tails.
//
// The last levels look for few vertices, most of them in small components that the
// search never reaches. Passing over the bitmaps is then nearly all of a level. A
// level by list goes over a list of the unvisited vertices instead (list.go).
package bottomup

import (
	"cmp"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/kernel"
	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/internal/base/prefetch"
)

// BlockWords is the number of words of the bitmaps in a block: 64, with 16 KiB of
// heads.
const BlockWords = 1 << BlockShift / 64

// rowsAhead is how many rows before its turn a row that is scanned is prefetched. With
// it, searches at scale 20 took 0.95 of the time, without tails 0.75 (two cores).
const rowsAhead = 12

// Rows are the rows of a graph as bottom-up levels read them.
type Rows struct {
	Head  []uint32                // the first entry of each row, by whole words of the bitmaps
	More  bitset.Set              // rows that go on after the head
	Tails Tails                   // the zero value: there are none
	Row   func(v uint32) []uint32 // the whole row
}

// Kept is how many entries of a row heads and tails hold at most.
func (r *Rows) Kept() int {
	if r.Tails.none() {
		return 1
	}
	return 1 + Longest
}

// NewRows makes the heads and tails of count rows whose entries are below labels.
func NewRows(count, labels int64, row func(v uint32) []uint32, mem *arena.Arena) (r Rows, err error) {
	words := bitset.Words(count)
	if err = cmp.Or(arena.MakeAll(mem, 64*words, &r.Head), arena.MakeAll(mem, words, &r.More)); err != nil {
		return r, err
	}
	for v := range uint32(count) {
		if row := row(v); len(row) > 0 {
			r.Head[v] = row[0]
			if len(row) > 1 {
				r.More.Add(uint64(v))
			}
		}
	}
	alone := par.NewTeam(1, nil)
	defer alone.Close()
	r.Row = row
	r.Tails, err = NewTails(count, labels, row, alone, mem)
	return r, err
}

// A Level is the rows that a level looks at, the frontier that it looks for, and
// where it notes what it has found.
type Level struct {
	*Rows
	Kernels kernel.Kernels
	Front   bitset.Set
	Next    bitset.Set
	Parents []uint32
	// Wants, if not nil, tells whether row v is still interested in its entry k. It
	// is asked about entries that are in the tails; Rest cuts off the others.
	Wants func(v uint32, k int) bool
	// Rest, if not nil, returns the entries of row v that follow its tail and are
	// looked at; otherwise all are.
	Rest func(v uint32) []uint32
}

// Block looks for parents of the rows in the words from lo up to hi, all of one
// block, that are not in closed, which has these words only. It writes these words
// of Next and returns the number of entries that it has looked at.
func (l *Level) Block(lo, hi int64, closed bitset.Set, misses *Misses) (examined int64) {
	examined, open := l.Begin(lo, hi, closed, misses)
	rest := l.Scan(open)
	misses.Touched.Lines += linesOfRow * int64(len(open))
	misses.Touched.Streamed += 4 * rest
	return examined + rest
}

// Begin is Block but for the rows that go on after what heads and tails hold. It returns,
// in the memory of misses, those rows that have found no parent yet: Scan is to look at the rest
// of them.
func (l *Level) Begin(lo, hi int64, closed bitset.Set, misses *Misses) (examined int64, open []uint32) {
	block := lo / BlockWords
	heads := kernel.HeadProbe{
		Visited: &closed[0], Next: &l.Next[lo], More: &l.More[lo],
		Head: &l.Head[lo*64], Front: &l.Front[0], Parents: &l.Parents[lo*64], Words: hi - lo,
	}
	if l.Tails.none() {
		heads.First, heads.Misses = uint64(lo*64), &misses.rows[0]
		l.Kernels.ProbeHeads(&heads)
		return heads.Examined, misses.rows[:heads.Missed]
	}
	heads.First, heads.Misses = uint64(lo*64)&rowMask, &misses.list[0]
	many := l.Tails.expect(block, l.Kernels, misses)
	if many {
		heads.Slots = &l.Tails.slot[lo*64]
		misses.Touched.Streamed += slotBytes * 64 * (hi - lo)
	}
	l.Kernels.ProbeHeads(&heads)
	if heads.Missed == 0 {
		return heads.Examined, nil
	}
	if !many {
		l.Tails.findSlots(block, heads.Missed, misses)
		misses.Touched.look(heads.Missed, slotBytes*64*(hi-lo))
	}
	examined, open = l.Tails.look(block, heads.Missed, l, misses)
	return heads.Examined + examined, open
}

// Scan looks at the entries of rows that neither heads nor tails hold, and returns at how
// many.
func (l *Level) Scan(open []uint32) (examined int64) {
	for i, v := range open {
		if i+rowsAhead < len(open) {
			prefetch.Row(&l.Row(open[i+rowsAhead])[0])
		}
		examined += l.scan(v, l.rest(v))
	}
	return examined
}

// rest returns the entries of row v that its tail leaves out.
func (l *Level) rest(v uint32) []uint32 {
	if l.Rest != nil {
		return l.Rest(v)
	}
	return l.Row(v)[l.Kept():]
}

// scan looks at some entries of row v and returns at how many.
func (l *Level) scan(v uint32, entries []uint32) int64 {
	i := l.Kernels.ScanRow(entries, &l.Front[0])
	if i < 0 {
		return int64(len(entries))
	}
	l.Parents[v] = entries[i]
	l.Next.Add(uint64(v))
	return int64(i) + 1
}
