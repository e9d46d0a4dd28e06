package grid

import (
	"math/bits"
	"unsafe"

	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/bottomup"
	"github.com/gohops/hops/internal/base/kernel"
	"github.com/gohops/hops/internal/ranks/partition"
	"github.com/gohops/hops/level"
)

// A band is the part of the rows of a block that one thread searches. It alone finds
// and marks the vertices there: no word has two owners. Bottom-up a band looks for its
// unvisited vertices; top-down it reads its share of the columns, those entries of the
// frontier's columns that are rows of the band.
type band struct {
	lo, hi  int64      // words of the row
	columns sparseRows // of its rows
	tally   tally
	misses  bottomup.Misses
	closed  bitset.Set // of one block of words
	unseen  []uint32   // entries of a piece of a column
}

// tally is what a band counts in a level.
type tally struct {
	found, edges, examined int64
	swept, united          int64 // words of bitmaps that were looked at, and combined
	_                      [64]byte
}

const (
	// columnPiece is the number of entries of a long column that are read at a time:
	// they stay in the first-level cache.
	columnPiece = 2048
	// shortColumn is the length of a column up to which vector kernels gain nothing.
	shortColumn = 16
)

func newBand(lo, hi int64) band {
	return band{
		lo: lo, hi: hi, misses: bottomup.NewMisses(), closed: make(bitset.Set, bottomup.BlockWords),
		unseen: make([]uint32, columnPiece+kernel.Slack),
	}
}

// onThreads searches the block on the threads of the rank.
type onThreads struct{ *machine }

func (m onThreads) search(d level.Direction) error {
	if d == level.TopDown {
		m.Team.Run(m.phases.topDown)
	} else {
		m.Team.Run(m.phases.bottomUp)
	}
	return nil
}

// gather gathers the frontier in the memory of the host.
func (m onThreads) gather() error {
	if m.oneHost.column {
		return nil
	}
	return m.frontier.wire.Gather(m.column, m.frontier.in, m.inParts, m.state.Vertices)
}

func (m onThreads) seed(root uint64) error {
	piece := m.inParts[m.i]
	m.frontier.in[piece.Lo/8 : piece.Hi/8].Clear()
	m.found.visited.Clear()
	m.found.shares[m.j].assigned.Clear()
	if m.Parts.Owner(root) == m.Comm.Rank() {
		m.frontier.in.Add(uint64(m.numbers.of(root)))
	}
	if root-m.first < uint64(m.count) {
		m.found.visited.Add(root - m.first)
	}
	return nil
}

func (m onThreads) tell() error              { return m.predecessors.tell() }
func (onThreads) complete() error            { return nil }
func (onThreads) moved() (bus, direct int64) { return 0, 0 }
func (onThreads) close()                     {}

// topDownBand follows the edges of the frontier of the column.
func (m *machine) topDownBand(t int) {
	b := &m.bands[t]
	m.mine(0)[b.lo:b.hi].Clear()
	b.tally.swept += b.hi - b.lo + int64(len(m.frontier.in))
	for k, word := range m.frontier.in {
		for word &= b.columns.full[k]; word != 0; word &= word - 1 {
			m.follow(b, uint32(k), uint32(bits.TrailingZeros64(word)))
		}
	}
}

// follow reads a column.
func (m *machine) follow(b *band, word, bit uint32) {
	column, number := b.columns.fullRow(word, bit), word<<6+bit
	b.tally.examined += int64(len(column))
	if len(column) <= shortColumn {
		for _, v := range column {
			m.mark(v, number)
		}
		return
	}
	for ; len(column) > 0; column = column[min(columnPiece, len(column)):] {
		x := kernel.Expansion{
			Row: unsafe.SliceData(column), Length: int64(min(columnPiece, len(column))),
			Visited: &m.found.visited[0], Out: &b.unseen[0], Last: ^uint32(0),
		}
		m.kernels.Expand(&x)
		for _, v := range b.unseen[:x.Kept] {
			m.mark(v, number)
		}
	}
}

// mark makes u, a number in the column, the parent of v unless it has one.
func (m *machine) mark(v, u uint32) {
	if m.found.visited.Has(uint64(v)) {
		return
	}
	m.found.visited.Add(uint64(v))
	m.mine(0).Add(uint64(v))
	m.marks()[v] = u
}

// bottomUpBand looks for a parent of the unvisited vertices of the row that are
// asked for in this pass, in the frontier of the column.
func (m *machine) bottomUpBand(t int) {
	b := &m.bands[t]
	out := m.mine(m.found.pass)
	b.tally.swept += 2 * (b.hi - b.lo)
	if m.block.look == nil {
		m.scanSparse(b, out)
		return
	}
	look := bottomup.Level{Rows: m.block.look, Kernels: m.kernels, Front: m.frontier.in, Next: out, Parents: m.marks()}
	for lo := b.lo; lo < b.hi; lo += bottomup.BlockWords {
		hi := min(lo+bottomup.BlockWords, b.hi)
		open := uint64(0)
		for i := lo; i < hi; i++ {
			wanted := m.asked(i) &^ m.found.visited[i]
			b.closed[i-lo] = ^wanted
			open |= wanted
		}
		if open == 0 {
			out[lo:hi].Clear()
			continue
		}
		b.tally.examined += look.Block(lo, hi, b.closed[:hi-lo], &b.misses)
	}
}

// asked returns those vertices of a word that this rank looks for in this pass.
func (m *machine) asked(word int64) uint64 {
	switch {
	case !m.found.two:
		return m.block.rows.full[word]
	case m.found.pass == 0:
		return m.block.home[word]
	}
	return m.block.rows.full[word] &^ m.block.home[word]
}

// scanSparse does the same in a block of which most rows are empty.
func (m *machine) scanSparse(b *band, out bitset.Set) {
	marks := m.marks()
	for i := b.lo; i < b.hi; i++ {
		found := uint64(0)
		for open := m.asked(i) &^ m.found.visited[i]; open != 0; open &= open - 1 {
			bit := uint32(bits.TrailingZeros64(open))
			row := m.block.rows.fullRow(uint32(i), bit)
			at := m.kernels.ScanRow(row, &m.frontier.in[0])
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
func (m *machine) cutBands() {
	words, threads := int64(len(m.block.rows.full)), int64(m.Team.Size())
	total := int64(len(m.block.rows.entries)) + partition.VertexWeight*64*words
	lo := int64(0)
	for t := range threads {
		hi := lo
		for hi < words && (t == threads-1 || threads*(m.block.rows.firstOf(uint32(hi))+partition.VertexWeight*64*hi) < total*(t+1)) {
			hi = min(hi+bottomup.BlockWords, words)
		}
		m.bands = append(m.bands, newBand(lo, hi))
		lo = hi
	}
}
