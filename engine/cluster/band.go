package cluster

import (
	"math/bits"
	"unsafe"

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/kernel"
	"github.com/gohops/hops/internal/tails"
)

// A block is explored in bands of its rows, one for each thread, which alone finds
// and marks the vertices there: no word has two owners. Bottom-up a band looks for
// its unvisited vertices; top-down it reads its share of the columns, those entries
// of the frontier's columns that are rows of the band.
type band struct {
	lo, hi  int64 // words of the row
	columns block // of its rows
	tally   tally
	list    tails.List
	closed  bitset.Set // of one block of words
	unseen  []uint32   // entries of a piece of a column
}

const (
	// columnPiece is how many entries of a long column are read at a time: they
	// stay in the first-level cache.
	columnPiece = 2048
	// shortColumn is the length up to which vectors gain nothing.
	shortColumn = 16
)

func newBand(lo, hi int64) band {
	return band{
		lo: lo, hi: hi, list: tails.NewList(), closed: make(bitset.Set, blockWords),
		unseen: make([]uint32, columnPiece+kernel.Slack),
	}
}

// topDownBand follows the edges of the frontier of the column.
func (g *grid) topDownBand(t int) {
	b := &g.bands[t]
	g.mine(0)[b.lo:b.hi].Clear()
	for i, piece := range g.inParts {
		full := b.columns.full[g.columnStart[i]:]
		for k, word := range g.in[piece.Lo/8 : piece.Hi/8] {
			for word &= full[k]; word != 0; word &= word - 1 {
				g.follow(b, b.columns.place(uint32(g.columnStart[i])+uint32(k), uint32(bits.TrailingZeros64(word))))
			}
		}
	}
}

// follow reads a column.
func (g *grid) follow(b *band, place uint32) {
	column, label := b.columns.rowAt(place), b.columns.labels[place]
	b.tally.examined += int64(len(column))
	if len(column) <= shortColumn {
		for _, v := range column {
			g.mark(v, label)
		}
		return
	}
	for ; len(column) > 0; column = column[min(columnPiece, len(column)):] {
		x := kernel.Expansion{
			Row: unsafe.SliceData(column), Length: int64(min(columnPiece, len(column))),
			Visited: &g.visited[0], Out: &b.unseen[0], Last: ^uint32(0),
		}
		g.kernels.Expand(&x)
		for _, v := range b.unseen[:x.Kept] {
			g.mark(v, label)
		}
	}
}

// mark makes u, a label, the parent of v unless it has one.
func (g *grid) mark(v, u uint32) {
	if g.visited.Has(uint64(v)) {
		return
	}
	g.visited.Add(uint64(v))
	g.mine(0).Add(uint64(v))
	g.marks()[v] = u
}

// bottomUpBand looks for a parent of the unvisited vertices of the row that are
// asked for in this pass, in the frontier of the column.
func (g *grid) bottomUpBand(t int) {
	b := &g.bands[t]
	out := g.mine(g.pass)
	if g.compact() {
		g.scanCompact(b, out)
		return
	}
	p := probing{
		kernels: g.kernels, rows: &g.byRow, head: g.head, long: g.long, tails: &g.tails,
		front: g.in, parents: g.marks(),
	}
	for lo := b.lo; lo < b.hi; lo += blockWords {
		hi := min(lo+blockWords, b.hi)
		open := uint64(0)
		for i := lo; i < hi; i++ {
			wanted := g.asked(i) &^ g.visited[i]
			b.closed[i-lo] = ^wanted
			open |= wanted
		}
		if open == 0 {
			out[lo:hi].Clear()
			continue
		}
		b.tally.examined += p.words(&b.list, b.closed[:hi-lo], out, lo, hi)
	}
}

// asked returns those vertices of a word that this rank looks for in this pass.
func (g *grid) asked(word int64) uint64 {
	switch {
	case !g.two:
		return g.byRow.full[word]
	case g.pass == 0:
		return g.home[word]
	}
	return g.byRow.full[word] &^ g.home[word]
}

// scanCompact does the same in a block of which most rows are empty.
func (g *grid) scanCompact(b *band, out bitset.Set) {
	marks := g.marks()
	for i := b.lo; i < b.hi; i++ {
		found := uint64(0)
		for open := g.asked(i) &^ g.visited[i]; open != 0; open &= open - 1 {
			bit := uint32(bits.TrailingZeros64(open))
			row := g.byRow.rowAt(g.byRow.place(uint32(i), bit))
			at := g.kernels.ScanRow(row, &g.in[0])
			if at < 0 {
				b.tally.examined += int64(len(row))
				continue
			}
			b.tally.examined += int64(at) + 1
			marks[uint32(i)<<6+bit] = row[at]
			found |= 1 << bit
		}
		out[i] = found
	}
}

// cutBands divides the rows among the threads, by entries, between blocks of
// words.
func (g *grid) cutBands() {
	words, threads := int64(len(g.byRow.full)), int64(g.team.Size())
	total := int64(len(g.byRow.entries)) + vertexWeight*64*words
	lo := int64(0)
	for t := range threads {
		hi := lo
		for hi < words && (t == threads-1 || threads*(g.byRow.offsets[g.byRow.before[hi]]+vertexWeight*64*hi) < total*(t+1)) {
			hi = min(hi+blockWords, words)
		}
		g.bands = append(g.bands, newBand(lo, hi))
		lo = hi
	}
}

// fillColumns makes the columns of a band.
func (g *grid) fillColumns(b *band, mem *arena.Arena) (err error) {
	first, end := uint32(64*b.lo), uint32(min(64*b.hi, int64(g.count)))
	counts := make([]uint32, g.numbers())
	for v := first; v < end; v++ {
		for _, u := range g.byRow.row(v) {
			counts[g.number(u)]++
		}
	}
	if b.columns, err = newBlock(counts, mem); err != nil {
		return err
	}
	if b.columns.labels, err = arena.Make[uint32](mem, len(b.columns.offsets)-1); err != nil {
		return err
	}
	clear(counts)
	for v := first; v < end; v++ {
		for _, u := range g.byRow.row(v) {
			k := g.number(u)
			place := b.columns.place(k>>6, k&63)
			b.columns.labels[place] = u
			b.columns.entries[b.columns.offsets[place]+int64(counts[k])] = v
			counts[k]++
		}
	}
	return nil
}
