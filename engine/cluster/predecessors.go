package cluster

import (
	"math/bits"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/bitset"
)

// Who finds a vertex on a grid knows its parent, and who owns it has its place in
// the tree: both are ranks of one row. If these are on one host, the owner reads
// what the finders have marked. Otherwise they send it: for each owner the bitmap
// of the vertices of its piece, and their parents in that order, two to a word.

// settle completes the tree.
func (g *grid) settle() error {
	if g.opts.Predecessors == "level" {
		return nil
	}
	return g.sendPredecessors()
}

// sendPredecessors tells the owners of the row the parents that were found for
// their vertices.
func (g *grid) sendPredecessors() error {
	if g.explorer != nil {
		if err := g.explorer.Parents(g.marks()[:g.count]); err != nil {
			return err
		}
	}
	if g.ownsAll() {
		return nil
	}
	if g.together.row {
		return g.readPredecessors()
	}
	out, cuts := g.predecessors[:0], make([]int64, g.columns+1)
	mine := &g.shares[g.j]
	base := int64(bitset.Words(int64(g.first)))
	for j := range g.columns {
		lo, hi := g.parts.words(g.i*g.columns + j)
		words := mine.assigned[lo-base : hi-base]
		if j == g.j {
			g.takeMarks(g.j, words)
		} else {
			out = g.packMarks(out, words, uint32(lo-base)<<6)
		}
		words.Clear()
		cuts[j+1] = int64(len(out))
	}
	g.predecessors = out
	if err := g.sending.exchange(out, cuts); err != nil {
		return err
	}
	return g.takePredecessors()
}

// readPredecessors reads what the ranks of the row have marked for this rank's
// piece, after all have marked, and lets nobody go on before all have read.
func (g *grid) readPredecessors() error {
	if g.opts.Predecessors == "level" || g.explorer != nil {
		if err := g.row.Barrier(); err != nil {
			return err
		}
	}
	lo, hi := g.piece()
	for j := range g.columns {
		words := g.shares[j].assigned[lo:hi]
		g.takeMarks(j, words)
		words.Clear()
	}
	return g.row.Barrier()
}

// takeMarks gives vertices of this rank's piece the parents that rank j of the row
// has marked.
func (g *grid) takeMarks(j int, words bitset.Set) {
	first, end := g.parts.rank(g.comm.Rank())
	marks := g.shares[j].marks[first-g.first:]
	parents := g.tree.Narrow[hops.Vertex(first)-g.tree.First:][:end-first]
	for i, word := range words {
		for ; word != 0; word &= word - 1 {
			v := i<<6 + bits.TrailingZeros64(word)
			parents[v] = marks[v]
		}
	}
}

// packMarks appends the bitmap of some vertices, the first of which is given as a
// number in the row, and their parents.
func (g *grid) packMarks(out []uint64, words bitset.Set, first uint32) []uint64 {
	out = append(out, words...)
	marks, odd := g.marks()[first:], false
	for v := range words.All {
		label := uint64(marks[v])
		if odd {
			out[len(out)-1] |= label << 32
		} else {
			out = append(out, label)
		}
		odd = !odd
	}
	return out
}

// takePredecessors reads what has been sent.
func (g *grid) takePredecessors() error {
	lo, hi := g.piece()
	first, end := g.parts.rank(g.comm.Rank())
	for j := range g.columns {
		if j == g.j {
			continue
		}
		bad := &malformed{g.i*g.columns + j, "parents of other vertices than it says"}
		from := g.sending.from(j, 0)
		if int64(len(from)) < hi-lo {
			return bad
		}
		set, labels := bitset.Set(from[:hi-lo]), from[hi-lo:]
		if int64(len(labels)) != (set.Count()+1)/2 {
			return bad
		}
		k := 0
		for v := range set.All {
			label := uint32(labels[k/2] >> (32 * (k % 2)))
			if v >= uint64(end-first) || label >= g.parts.n {
				return bad
			}
			g.tree.SetParent(hops.Vertex(first)+hops.Vertex(v), hops.Vertex(label))
			k++
		}
	}
	return nil
}
