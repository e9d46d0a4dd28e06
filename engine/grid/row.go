package grid

import (
	"math/bits"

	"github.com/gohops/hops/internal/base/bottomup"
	"github.com/gohops/hops/internal/ranks/block"
)

// gatherRow lets the ranks of the row know what each has found in this pass.
func (m *machine) gatherRow(most int64) error {
	if m.columns == 1 {
		return nil
	}
	start := m.Now()
	defer func() { m.waiting += m.Since(start) }()
	return m.side.gatherRow(most)
}

func (m onThreads) gatherRow(most int64) error {
	if m.prefix != nil {
		return m.prefix.gather()
	}
	if m.oneHost.row {
		return m.row.Barrier()
	}
	return m.found.wire.Gather(m.row, m.found.out[m.found.pass], m.outParts, most)
}

// gatherColumn makes the frontier of the column whole.
func (m *machine) gatherColumn() error {
	if m.frontier.whole {
		return nil
	}
	start := m.Now()
	defer func() { m.waiting += m.Since(start) }()
	m.frontier.whole = true
	return m.side.gather()
}

func (m onThreads) admit() error {
	m.Team.Run(m.phases.admit)
	return nil
}

func (m onThreads) unite() error {
	m.Team.Run(m.phases.unite)
	m.frontier.in, m.frontier.next = m.frontier.next, m.frontier.in
	return nil
}

// admitBand marks what the row has found in the first pass as visited.
func (m *machine) admitBand(t int) {
	b := &m.bands[t]
	for j := range m.columns {
		unite(m.found.visited[b.lo:b.hi], m.part(0, j)[b.lo:b.hi])
	}
}

// uniteBand computes, from what all ranks of the row have found, which vertices fall
// to this rank, and the union. For the piece of this rank the union is the next
// frontier: uniteBand counts its vertices, and a sample of the row entries here.
func (m *machine) uniteBand(t int) {
	b := &m.bands[t]
	sets := m.columns
	if m.prefix != nil {
		sets = min(sets, 3) // the others are empty
	}
	b.tally.united += int64(sets+2) * (b.hi - b.lo)
	for lo := b.lo; lo < b.hi; lo += bottomup.BlockWords {
		m.uniteWords(b, lo, min(lo+bottomup.BlockWords, b.hi))
	}
}

// uniteWords does the same for the words from lo up to hi, at most a block.
func (m *machine) uniteWords(b *band, lo, hi int64) {
	var found [bottomup.BlockWords]uint64
	all, assigned := found[:hi-lo], m.found.shares[m.j].assigned[lo:hi]
	some := uint64(0)
	for j := range m.columns {
		theirs := m.part(m.found.pass, j)[lo:hi]
		if j == m.j {
			for i, own := range theirs {
				assigned[i] |= own &^ all[i]
			}
		}
		some |= unite(all, theirs)
	}
	if m.found.two { // in the first pass no other rank looked for these
		unite(assigned, m.mine(0)[lo:hi])
		for j := range m.columns {
			some |= unite(all, m.part(0, j)[lo:hi])
		}
	}
	m.writePiece(b, all, lo)
	if some != 0 {
		unite(m.found.visited[lo:hi], all)
		m.sample(b, all, lo)
	}
}

// unite adds another set to a set, and returns the OR of the words of the other.
func unite(set, other []uint64) (union uint64) {
	set = set[:len(other)]
	for i, word := range other {
		set[i] |= word
		union |= word
	}
	return union
}

// writePiece writes some words, from lo on, to the next frontier, as far as they belong to this
// rank's piece.
func (m *machine) writePiece(b *band, all []uint64, lo int64) {
	from, to := m.piece()
	first, end := max(from, lo), min(to, lo+int64(len(all)))
	if first >= end {
		return
	}
	mine := all[first-lo : end-lo]
	copy(m.frontier.next[m.inParts[m.i].Lo/8+first-from:], mine)
	stride := m.sampleStride()
	for i, word := range mine {
		b.tally.found += int64(bits.OnesCount64(word))
		if at := first + int64(i); m.out != nil && at%stride == 0 {
			for ; word != 0; word &= word - 1 {
				b.tally.edges += stride * int64(m.out[(at-from)<<6+int64(bits.TrailingZeros64(word))])
			}
		}
	}
}

// sampleStride is the distance of the words that are sampled.
func (m *machine) sampleStride() int64 {
	b := block.Block{Height: int64(m.count)}
	return b.Stride()
}

// sample adds the row entries of some of the vertices of some words. In a directed
// graph these lead into the vertices: writePiece adds those that lead out of them.
func (m *machine) sample(b *band, all []uint64, lo int64) {
	if m.out != nil {
		return
	}
	stride := m.sampleStride()
	for i := int64(0); i < int64(len(all)); i += stride {
		b.tally.edges += stride * m.entriesOf(uint32(lo+i), all[i])
	}
}

// entriesOf is how many entries the rows of some vertices of a word have here.
func (m *machine) entriesOf(word uint32, found uint64) (sum int64) {
	for found &= m.block.rows.full[word]; found != 0; found &= found - 1 {
		lo, hi := m.block.rows.span(word, uint32(bits.TrailingZeros64(found)))
		sum += hi - lo
	}
	return sum
}
