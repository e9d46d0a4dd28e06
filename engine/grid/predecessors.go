package grid

import (
	"fmt"
	"math/bits"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/ranks/alltoall"
)

// The rank that finds a vertex knows its parent, and the rank that owns the vertex has
// its place in the tree: both are ranks of one row. If these are on one host, the
// owner reads the marks of the finders. Otherwise the finders send, for each owner,
// the bitmap of the vertices of its piece, and their parents in that order, two to a
// word, as numbers in the column of the finder.

// predecessors tells the owners the parents of their vertices: at the end of every
// level, or once after the search.
type predecessors struct {
	*machine
	exchange *alltoall.Exchange
	out      []uint64
}

func newPredecessors(m *machine) *predecessors {
	return &predecessors{machine: m, exchange: alltoall.New(m.row, 1, &m.Memory)}
}

// tell tells the owners of the row the parents that were found for their vertices.
func (t *predecessors) tell() error {
	if t.found.ownsAll {
		return nil
	}
	if !t.oneHost.row {
		return t.send()
	}
	// After the search the ranks have met since they marked: they have added up the
	// last level.
	if t.tellsInEveryLevel {
		if err := t.row.Barrier(); err != nil {
			return err
		}
	}
	return t.read()
}

// read reads the marks of the ranks of the row for this rank's piece, and returns
// when all of them have read.
func (t *predecessors) read() error {
	lo, hi := t.piece()
	for j := range t.columns {
		words := t.found.shares[j].assigned[lo:hi]
		t.takeMarks(j, words)
		words.Clear()
	}
	return t.row.Barrier()
}

// send sends the marks of this rank to the owners and takes the marks of the others.
func (t *predecessors) send() error {
	out, cuts := t.out[:0], make([]int64, t.columns+1)
	mine := &t.found.shares[t.j]
	base := int64(bitset.Words(int64(t.first)))
	for j := range t.columns {
		lo, hi := t.Parts.Words(t.i*t.columns + j)
		words := mine.assigned[lo-base : hi-base]
		if j == t.j {
			t.takeMarks(t.j, words)
		} else {
			out = t.packMarks(out, words, uint32(lo-base)<<6)
		}
		words.Clear()
		cuts[j+1] = int64(len(out))
	}
	t.out = out
	if err := t.exchange.Send(out, cuts); err != nil {
		return err
	}
	t.before.Packed += 8 * int64(len(out)+len(t.exchange.All()))
	return t.takeSent()
}

// takeMarks gives vertices of this rank's piece the parents that rank j of the row
// has marked.
func (t *predecessors) takeMarks(j int, words bitset.Set) {
	first, _ := t.Parts.Rank(t.Comm.Rank())
	marks := t.found.shares[j].marks[first-t.first:]
	above, shift := t.numbers.labels[j], t.Parts.Shift&63 // see numbers.label
	for i, word := range words {
		for ; word != 0; word &= word - 1 {
			v := i<<6 + bits.TrailingZeros64(word)
			label := uint64(marks[v]) + above[uint64(marks[v])>>shift]
			t.tree.SetParent(hops.Vertex(first)+hops.Vertex(v), hops.Vertex(label))
		}
	}
}

// packMarks appends the bitmap of some vertices, the first of which is given as a
// number in the row, and their parents.
func (t *predecessors) packMarks(out []uint64, words bitset.Set, first uint32) []uint64 {
	out = append(out, words...)
	marks, odd := t.marks()[first:], false
	for v := range words.All {
		number := uint64(marks[v])
		if odd {
			out[len(out)-1] |= number << 32
		} else {
			out = append(out, number)
		}
		odd = !odd
	}
	return out
}

// takeSent reads what has been sent.
func (t *predecessors) takeSent() error {
	lo, hi := t.piece()
	first, end := t.Parts.Rank(t.Comm.Rank())
	for j := range t.columns {
		if j == t.j {
			continue
		}
		bad := fmt.Errorf("grid: rank %d sent parents of other vertices than it says", t.i*t.columns+j)
		from := t.exchange.From(j, 0)
		if int64(len(from)) < hi-lo {
			return bad
		}
		set, marks := bitset.Set(from[:hi-lo]), from[hi-lo:]
		if int64(len(marks)) != (set.Count()+1)/2 {
			return bad
		}
		k := 0
		for v := range set.All {
			mark := uint32(marks[k/2] >> (32 * (k % 2)))
			if v >= end-first || uint64(mark)>>t.Parts.Shift >= uint64(len(t.numbers.labels[j])) {
				return bad
			}
			t.tree.SetParent(hops.Vertex(first+v), hops.Vertex(t.numbers.label(j, mark)))
			k++
		}
	}
	return nil
}
