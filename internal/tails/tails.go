// Package tails keeps the neighbours that follow the head of each row once more,
// in columns, for bottom-up levels.
//
// Rows lie far apart in memory, most of which the hubs take up: a level that looks
// at a row after its head has missed pays a cache miss for each. And of the line
// that comes, it mostly needs one entry. So the next neighbours of 4,096 vertices, a
// block, are kept together: first the second neighbour of every vertex that has
// one, then all third ones, and so on. Within a block, vertices are ordered by
// falling length of their tails, so that a column is as long as there are
// rows that reach it, and the vertices of one column are the first of the one before.
//
// A level goes through a block column by column and keeps a list of the vertices
// that have found nobody yet. While it looks at one column the next is fetched.
package tails

import (
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/kernel"
	"github.com/gohops/hops/internal/par"
)

const (
	// BlockShift is the logarithm of the number of vertices in a block, whose
	// slots must fit in 16 bits.
	BlockShift = 12
	// Longest is how many neighbours after the head a tail holds.
	Longest = 15
)

// Tails are those of all rows of a graph.
type Tails struct {
	entries []uint32
	slot    []uint16 // of each vertex in its block
	blocks  []block  // and one more, where the last ends
}

type block struct {
	start int64 // of its first column in entries
	// reach[k] rows have more than k entries after the head: the length of
	// column k, and behind the last column the number of rows that go on.
	reach [Longest + 2]uint16
}

// New makes the tails of count rows.
func New(count int64, row func(v uint32) []uint32, team *par.Team, mem *arena.Arena) (t Tails, err error) {
	blocks := (count + 1<<BlockShift - 1) >> BlockShift
	if t.slot, err = arena.Make[uint16](mem, int(count)); err != nil {
		return t, err
	}
	t.blocks = make([]block, blocks+1)
	team.For(blocks, 1, func(_ int, b, _ int64) {
		t.blocks[b+1].start = t.measure(b, row)
	})
	for b := range blocks {
		t.blocks[b+1].start += t.blocks[b].start
	}
	if t.entries, err = arena.Make[uint32](mem, int(t.blocks[blocks].start)); err != nil {
		return t, err
	}
	team.For(blocks, 1, func(_ int, b, _ int64) {
		t.fill(b, row)
	})
	return t, nil
}

// Need is an upper bound of the bytes of tails for n rows with m entries.
func Need(n, m int64) int64 { return 2*n + 4*min(m, Longest*n) }

// vertices are those of a block.
func (t *Tails) vertices(b int64) (lo, hi int64) {
	return b << BlockShift, min((b+1)<<BlockShift, int64(len(t.slot)))
}

// measure orders the vertices of a block and returns how many entries it has.
func (t *Tails) measure(b int64, row func(v uint32) []uint32) (sum int64) {
	reach := &t.blocks[b].reach
	lo, hi := t.vertices(b)
	for v := lo; v < hi; v++ {
		for k := range length(row(uint32(v))) {
			reach[k]++
		}
	}
	next := *reach // slot of the next vertex of each length
	for v := lo; v < hi; v++ {
		k := length(row(uint32(v)))
		t.slot[v] = next[k]
		next[k]++
	}
	for _, entries := range reach[:Longest] {
		sum += int64(entries)
	}
	return sum
}

func (t *Tails) fill(b int64, row func(v uint32) []uint32) {
	lo, hi := t.vertices(b)
	for v := lo; v < hi; v++ {
		r := row(uint32(v))
		at := t.blocks[b].start + int64(t.slot[v])
		for k := range min(length(r), Longest) {
			t.entries[at] = r[1+k]
			at += int64(t.blocks[b].reach[k])
		}
	}
}

// length of a tail; one more than Longest if the row goes on behind it.
func length(row []uint32) int { return max(0, min(len(row)-1, Longest+1)) }

// Entries is the memory of the blocks in which vertices from lo up to hi are.
func (t *Tails) Entries(lo, hi int64) []uint32 {
	if lo >= hi {
		return nil
	}
	return t.entries[t.blocks[lo>>BlockShift].start:t.blocks[(hi+1<<BlockShift-1)>>BlockShift].start]
}

// A List is the vertices of a block that have found nobody yet, and room to work
// on them. It belongs to one worker.
type List struct {
	Vertices    []uint32
	slots, hits []uint32
	missed      int64 // vertices of the block before that came here
}

// NewList has room for a block.
func NewList() (l List) {
	for _, room := range []*[]uint32{&l.Vertices, &l.slots, &l.hits} {
		*room = make([]uint32, 1<<BlockShift+kernel.Slack)
	}
	return l
}

// A Probe is what a level looks for, and where it notes what it has found.
type Probe struct {
	Kernels kernel.Kernels
	Front   bitset.Set
	Next    bitset.Set
	Parents []uint32
	// Wants, if not nil, tells whether a vertex is still interested in entry k
	// of its row.
	Wants func(v uint32, k int) bool
}

// fetchShare is what part of a column must be needed for all of it to be fetched:
// one entry in so many.
const fetchShare = 8

// Expect is called for every block, before anybody knows which of its vertices will
// be looked at: it fetches its beginning, if there were many of the block before.
func (t *Tails) Expect(b int64, k kernel.Kernels, list *List) {
	if first := int64(t.blocks[b].reach[0]); list.missed*fetchShare > first {
		k.Prefetch(t.entries[t.blocks[b].start:][:first])
	}
	list.missed = 0 // unless Look is called
}

// Look finds parents in a block for the first missed vertices of the list, all of
// which have a tail. It returns how many entries it has looked at, and the
// vertices that found nobody and whose rows go on.
func (t *Tails) Look(b, missed int64, p *Probe, list *List) (examined int64, open []uint32) {
	for i, v := range list.Vertices[:missed] {
		list.slots[i] = uint32(t.slot[v])
	}
	list.missed = missed
	column, reach := t.entries[t.blocks[b].start:], &t.blocks[b].reach
	a := kernel.ColumnProbe{
		Front: &p.Front[0], Parents: &p.Parents[0], Count: missed,
		Vertices: &list.Vertices[0], Slots: &list.slots[0], Hits: &list.hits[0],
	}
	for k := range Longest {
		if p.Wants != nil {
			a.Count = list.keep(a.Count, k+1, p.Wants)
		}
		if a.Count == 0 {
			break
		}
		examined += a.Count
		a.Column, a.Longer = &column[0], uint64(reach[k+1])
		column = column[reach[k]:]
		if k+1 < Longest && a.Count*fetchShare > int64(reach[k+1]) {
			p.Kernels.Prefetch(column[:reach[k+1]])
		}
		p.Kernels.ProbeColumn(&a)
		for _, v := range list.hits[:a.Found] {
			p.Next[v>>6] |= 1 << (v & 63)
		}
	}
	return examined, list.Vertices[:a.Count]
}

// keep keeps the vertices that are interested in entry k of their rows.
func (l *List) keep(count int64, k int, wants func(uint32, int) bool) (kept int64) {
	for i, v := range l.Vertices[:count] {
		l.Vertices[kept], l.slots[kept] = v, l.slots[i]
		if wants(v, k) {
			kept++
		}
	}
	return kept
}
