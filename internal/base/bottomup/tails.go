package bottomup

import (
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/kernel"
	"github.com/gohops/hops/internal/base/par"
)

// Rows lie far apart in memory, most of which the rows of the hubs take up: a level
// that reads a row after its head has missed pays a cache miss for each row, and
// mostly needs one entry of the cache line. So the entries that follow the heads are
// kept once more, in columns. The rows of a block are ordered by falling length of
// their tails. The first column has the second entry of every row that has one, the
// next column all third entries, and so on: a column is as long as there are rows that
// reach it, and its rows are the first ones of the column before.
//
// An entry has three bytes where labels have 24 bits: the columns are most of what a level reads
// where heads miss. Slots count bytes, so that nothing else depends on that.
//
// A level goes through a block column by column and keeps a list of the rows that have
// found no parent yet. While it looks at one column the next is prefetched.

const (
	// BlockShift is the logarithm of the number of rows in a block. Their slots, up to four
	// times as many, must fit in 16 bits.
	BlockShift = kernel.BlockShift
	// Longest is the number of entries after the head that a tail holds.
	Longest = 15
)

// Tails are the entries that follow the heads of all rows of a graph.
type Tails struct {
	entries []byte   // and one more, see kernel.ColumnProbe
	size    int64    // of an entry in bytes
	slot    []uint16 // of each row in its block, by whole words of the bitmaps
	blocks  []block  // and one more, where the last ends
}

type block struct {
	start int64 // of its first column in Tails.entries
	// reach[k] rows have more than k entries after the head: the length of
	// column k, and behind the last column the number of rows that go on.
	reach [Longest + 2]uint16
}

// NewTails makes the tails of count rows whose entries are below labels.
func NewTails(count, labels int64, row func(v uint32) []uint32, team *par.Team, mem *arena.Arena) (t Tails, err error) {
	t.size = entrySize(labels)
	blocks := (count + 1<<BlockShift - 1) >> BlockShift
	if t.slot, err = arena.Make[uint16](mem, 64*bitset.Words(count)); err != nil {
		return t, err
	}
	t.blocks = make([]block, blocks+1)
	team.For(blocks, 1, func(_ int, b, _ int64) {
		t.blocks[b+1].start = t.measure(b, min(count, (b+1)<<BlockShift), row)
	})
	for b := range blocks {
		t.blocks[b+1].start += t.blocks[b].start
	}
	if t.entries, err = arena.Make[byte](mem, int(t.blocks[blocks].start)+1); err != nil {
		return t, err
	}
	team.For(blocks, 1, func(_ int, b, _ int64) {
		t.fill(b, min(count, (b+1)<<BlockShift), row)
	})
	return t, nil
}

// entrySize is how many bytes an entry below labels has.
func entrySize(labels int64) int64 {
	if labels <= 1<<24 {
		return 3
	}
	return 4
}

// none tells that there are no tails.
func (t *Tails) none() bool { return t.slot == nil }

// Need is an upper bound of the bytes of tails for n rows with m entries.
func Need(n, m int64) int64 { return 2*n + 4*min(m, Longest*n) }

// measure orders the rows of a block, up to end, and returns the bytes of its entries.
func (t *Tails) measure(b, end int64, row func(v uint32) []uint32) (sum int64) {
	reach := &t.blocks[b].reach
	var lengths [Longest + 2]uint16 // rows of each
	for v := b << BlockShift; v < end; v++ {
		lengths[length(row(uint32(v)))]++
	}
	for k := Longest; k >= 0; k-- {
		reach[k] = reach[k+1] + lengths[k+1]
	}
	next := *reach // slot of the next row of each length
	for v := b << BlockShift; v < end; v++ {
		k := length(row(uint32(v)))
		t.slot[v] = next[k] * uint16(t.size)
		next[k]++
	}
	for _, entries := range reach[:Longest] {
		sum += int64(entries) * t.size
	}
	return sum
}

func (t *Tails) fill(b, end int64, row func(v uint32) []uint32) {
	for v := b << BlockShift; v < end; v++ {
		r := row(uint32(v))
		at := t.blocks[b].start + int64(t.slot[v])
		for k := range min(length(r), Longest) {
			u := r[1+k]
			t.entries[at], t.entries[at+1], t.entries[at+2] = byte(u), byte(u>>8), byte(u>>16)
			if t.size == 4 {
				t.entries[at+3] = byte(u >> 24)
			}
			at += t.column(b, k)
		}
	}
}

// column is the length of a column in bytes.
func (t *Tails) column(b int64, k int) int64 { return int64(t.blocks[b].reach[k]) * t.size }

// length of a tail; one more than Longest if the row goes on behind it.
func length(row []uint32) int { return max(0, min(len(row)-1, Longest+1)) }

// Entries is the memory of the blocks in which the rows from lo up to hi are.
func (t *Tails) Entries(lo, hi int64) []byte {
	if lo >= hi || t.none() {
		return nil
	}
	return t.entries[t.blocks[lo>>BlockShift].start:t.blocks[(hi+1<<BlockShift-1)>>BlockShift].start]
}

// Misses are the rows of a block that have found no parent yet, and room to work on
// them. They belong to one worker.
type Misses struct {
	rows          []uint32 // labels
	list          []uint32 // numbers in the block and slots, see kernel.ColumnProbe
	hits, parents []uint32 // rows that found a parent in the tails, and their parents
	before        int64    // rows of the block before that came to the tails
	whole         bool     // the first column of the block is prefetched as a whole
	Touched       Touched
}

// NewMisses has room for a block.
func NewMisses() (m Misses) {
	for _, room := range []*[]uint32{&m.rows, &m.list, &m.hits, &m.parents} {
		*room = make([]uint32, 1<<BlockShift+kernel.Slack)
	}
	return m
}

// prefetchShare: a column is prefetched as a whole if more than one of so many of its
// entries is needed: then most of its cache lines are.
const prefetchShare = 24

// manyMisses is from how many rows of a block on that miss at their heads the slots of all rows
// are read with the heads: then most lines of them are needed. In levels of few misses they
// would be two bytes more for every vertex, beside four of its head and eight of its parent.
// Two workers, of the time with slots looked up afterwards: 0.96 to 0.98 at scales 20 and 22
// from 128 misses on, 0.96 to 0.98 from 64, 0.99 to 1.02 from 256.
const manyMisses = 1 << BlockShift / 32

// expect is called for every block, before it is known which of its rows will be
// looked at, and tells whether there were many in the block before. If there were, relative
// to the length of the first column, it prefetches that.
func (t *Tails) expect(b int64, k kernel.Kernels, m *Misses) (many bool) {
	if m.whole = m.before*prefetchShare > int64(t.blocks[b].reach[0]); m.whole {
		m.Touched.Streamed += t.column(b, 0)
		k.PrefetchBytes(t.entries[t.blocks[b].start:][:t.column(b, 0)])
	}
	many = m.before >= manyMisses
	m.before = 0 // unless look is called
	return many
}

// findSlots adds the slots of the first missed rows of a block to the list.
func (t *Tails) findSlots(b, missed int64, m *Misses) {
	slots, list := t.slot[b<<BlockShift:], m.list[:missed]
	for i, row := range list {
		list[i] = uint32(slots[row])<<16 | row
	}
}

// rowMask has the bits of the number of a row in its block.
const rowMask = kernel.BlockMask

// look finds parents in a block for the rows in the list, which missed at their heads and
// have a tail. It returns the number of entries that it has looked at, and the rows that
// found no parent and go on after their tails.
func (t *Tails) look(b, missed int64, l *Level, m *Misses) (examined int64, open []uint32) {
	m.before = missed
	first := uint32(b << BlockShift)
	column, hits, whole := t.entries[t.blocks[b].start:], int64(0), m.whole
	a := kernel.ColumnProbe{Front: &l.Front[0], List: &m.list[0], Count: missed, Mask: 1<<(8*t.size) - 1}
	for k := range Longest {
		if l.Wants != nil {
			a.Count = m.keep(a.Count, first, k+1, l.Wants)
		}
		if a.Count == 0 {
			break
		}
		examined += a.Count
		if !whole {
			m.Touched.look(a.Count, t.column(b, k))
		}
		longer := t.column(b, k+1)
		a.Column, a.Longer = &column[0], uint64(longer)<<16
		a.Hits, a.Parents = &m.hits[hits], &m.parents[hits]
		column = column[t.column(b, k):]
		if whole = k+1 < Longest && a.Count*prefetchShare*t.size > longer; whole {
			m.Touched.Streamed += longer
			a.Expect(column[:longer])
		} else {
			a.Expect(nil)
		}
		l.Kernels.ProbeColumn(&a)
		hits += a.Found
	}
	m.note(hits, first, l)
	for i, row := range m.list[:a.Count] {
		m.rows[i] = first + row&rowMask
	}
	return examined, m.rows[:a.Count]
}

// note stores the parents of the first hits, the rows of a block.
func (m *Misses) note(hits int64, first uint32, l *Level) {
	parents, next, found := l.Parents[first:], l.Next[first/64:], m.parents[:hits]
	for i, row := range m.hits[:hits] {
		v := row & rowMask
		parents[v] = found[i]
		next[v>>6] |= 1 << (v & 63)
	}
}

// keep keeps the rows of a block that are interested in their entry k.
func (m *Misses) keep(count int64, first uint32, k int, wants func(uint32, int) bool) (kept int64) {
	for _, row := range m.list[:count] {
		m.list[kept] = row
		if wants(first+row&rowMask, k) {
			kept++
		}
	}
	return kept
}
