package cluster

import (
	"math/bits"
	"time"
)

// gatherRow lets the ranks of the row know what each has found in this pass, which
// together is at most so many vertices of the graph.
func (g *grid) gatherRow(most int64) error {
	if g.columns == 1 {
		return nil
	}
	start := time.Now()
	defer func() { g.waiting += time.Since(start) }()
	if g.together.row {
		return g.row.Barrier()
	}
	return g.wires.row.gather(g.row, g.out[g.pass], g.outParts, g.lists(most))
}

// gatherColumn makes the frontier of the column whole.
func (g *grid) gatherColumn() error {
	if g.gathered || g.together.column && g.carry == nil {
		return nil
	}
	start := time.Now()
	defer func() { g.waiting += time.Since(start) }()
	g.gathered = true
	if g.carry != nil {
		return g.carryFront()
	}
	return g.wires.column.gather(g.column, g.in, g.inParts, g.lists(g.state.Vertices))
}

// lists tells whether bitmaps of so many vertices of the graph go as lists.
func (g *grid) lists(vertices int64) bool {
	return g.opts.Bitmaps != "dense" && vertices <= g.state.Size/sparseBelow
}

// admitBand takes note of what the row has found in the first pass.
func (g *grid) admitBand(t int) {
	b := &g.bands[t]
	for j := range g.columns {
		unite(g.visited[b.lo:b.hi], g.part(0, j)[b.lo:b.hi])
	}
}

// settleBand computes from what all ranks of the row have found which of it falls
// to this one, and all of it, which for its own piece is the next frontier, and
// counts that: the vertices of the piece, and the entries of a sample that it has.
func (g *grid) settleBand(t int) {
	b := &g.bands[t]
	for lo := b.lo; lo < b.hi; lo += blockWords {
		g.settleWords(b, lo, min(lo+blockWords, b.hi))
	}
}

// settleWords does it for the words from lo up to hi, at most a block.
func (g *grid) settleWords(b *band, lo, hi int64) {
	var found [blockWords]uint64
	all, assigned := found[:hi-lo], g.shares[g.j].assigned[lo:hi]
	some := uint64(0)
	for j := range g.columns {
		theirs := g.part(g.pass, j)[lo:hi]
		if j == g.j {
			for i, own := range theirs {
				assigned[i] |= own &^ all[i]
			}
		}
		some |= unite(all, theirs)
	}
	if g.two { // in the first pass nobody else looked for these
		unite(assigned, g.mine(0)[lo:hi])
		for j := range g.columns {
			some |= unite(all, g.part(0, j)[lo:hi])
		}
	}
	g.settlePiece(b, all, lo)
	if some != 0 {
		unite(g.visited[lo:hi], all)
		g.sample(b, all, lo)
	}
}

// unite adds the words of another set to a set, and returns their union.
func unite(set, other []uint64) (union uint64) {
	set = set[:len(other)]
	for i, word := range other {
		set[i] |= word
		union |= word
	}
	return union
}

// settlePiece writes those of some words, from lo on, that belong to this rank's
// piece to the next frontier.
func (g *grid) settlePiece(b *band, all []uint64, lo int64) {
	from, to := g.piece()
	first, end := max(from, lo), min(to, lo+int64(len(all)))
	if first >= end {
		return
	}
	mine := all[first-lo : end-lo]
	copy(g.next[g.inParts[g.i].Lo/8+first-from:], mine)
	for _, word := range mine {
		b.tally.found += int64(bits.OnesCount64(word))
	}
}

// sample adds the entries of some of the vertices of some words.
func (g *grid) sample(b *band, all []uint64, lo int64) {
	stride := int64(1)
	if len(g.visited) >= 64*sampleEvery {
		stride = sampleEvery
	}
	for i := int64(0); i < int64(len(all)); i += stride {
		b.tally.edges += stride * g.entriesOf(uint32(lo+i), all[i])
	}
}

// entriesOf is how many entries the rows of some vertices of a word have here.
func (g *grid) entriesOf(word uint32, found uint64) (sum int64) {
	for found &= g.byRow.full[word]; found != 0; found &= found - 1 {
		k := g.byRow.place(word, uint32(bits.TrailingZeros64(found)))
		sum += g.byRow.offsets[k+1] - g.byRow.offsets[k]
	}
	return sum
}
