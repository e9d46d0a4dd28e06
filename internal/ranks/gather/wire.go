package gather

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/ranks/rank"
)

const (
	// SparseBelow: parts are sent as lists if less than one vertex in so many is a
	// member. A step of a list takes a byte where steps are short, and 8 vertices of
	// a bitmap take one too.
	SparseBelow = 12
	// stageSlack is the number of bytes that a part may take beyond its words.
	stageSlack = 16

	denseForm, sparseForm = 0, 1
)

// A Wire gathers parts of bitmaps among the ranks of a group. On the wire a part is
// a byte for the form, and then its words or, where that is shorter, the steps from
// one member to the next.
type Wire struct {
	stage []byte // for parts on their way
	sizes []uint64
	limit int64
}

// NewWire makes room for gathering all of a bitmap of some words among ranks. Up to
// a limit of members it sends lists.
func NewWire(mem *arena.Arena, words, ranks int, limit int64) (w Wire, err error) {
	w.limit = limit
	if w.stage, err = arena.Make[byte](mem, 8*words+stageSlack*(ranks+1)); err != nil {
		return w, err
	}
	w.sizes, err = arena.Make[uint64](mem, ranks)
	return w, err
}

// WireLimit is the limit of members for bitmaps of n vertices. Dense bitmaps never
// travel as lists.
func WireLimit(n int64, dense bool) int64 {
	if dense {
		return -1
	}
	return n / SparseBelow
}

// Gather gathers parts of set, in bytes, one of each rank of a group. All ranks give
// the same number of members: about how many the whole set has. Before lists are
// sent, the ranks tell each other how long theirs are.
func (w *Wire) Gather(c rank.Comm, set bitset.Set, parts []rank.Span, members int64) error {
	if members > w.limit {
		return c.Gather(arena.Bytes(set), parts)
	}
	me := parts[c.Rank()]
	sizes := w.sizes[:c.Size()]
	clear(sizes)
	// Where the part will stand is not known yet: it is encoded at the end of the
	// stage and moved.
	room := w.stage[int64(len(w.stage))-me.Size()-stageSlack:]
	sizes[c.Rank()] = uint64(encodeBits(room, set[me.Lo/8:me.Hi/8]))
	if err := rank.Reduced(c, rank.Sum, sizes); err != nil {
		return err
	}
	spans, at := make([]rank.Span, len(parts)), int64(0)
	for r, n := range sizes {
		spans[r] = rank.Span{Lo: at, Hi: at + int64(n)}
		at += int64(n)
	}
	mine := spans[c.Rank()]
	copy(w.stage[mine.Lo:mine.Hi], room)
	if err := c.Gather(w.stage, spans); err != nil {
		return err
	}
	for r, span := range spans {
		if r != c.Rank() && !decodeBits(w.stage[span.Lo:span.Hi], set[parts[r].Lo/8:parts[r].Hi/8]) {
			return fmt.Errorf("gather: malformed bitmap from rank %d of %d: %d bytes", r, c.Size(), span.Size())
		}
	}
	return nil
}

// encodeBits writes a set to out and returns the number of bytes.
func encodeBits(out []byte, set bitset.Set) int {
	dense := 8 * len(set)
	out[0] = sparseForm
	size, last := 1, -1
	for i, word := range set {
		for ; word != 0; word &= word - 1 {
			v := i<<6 + bits.TrailingZeros64(word)
			if size += binary.PutUvarint(out[size:], uint64(v-last)); size > dense {
				out[0] = denseForm
				return 1 + copy(out[1:], arena.Bytes(set))
			}
			last = v
		}
	}
	return size
}

// decodeBits reads a set that fills all of data. It reports false, and may have
// written anything into the set, if that is not what data holds.
func decodeBits(data []byte, set bitset.Set) bool {
	if len(set) == 0 && len(data) <= 1 {
		return true
	}
	if len(data) == 0 {
		return false
	}
	if data[0] == denseForm {
		return copy(arena.Bytes(set), data[1:]) == 8*len(set) && len(data) == 1+8*len(set)
	}
	set.Clear()
	v := uint64(0) // one past the last
	for data = data[1:]; len(data) > 0; {
		step, used := binary.Uvarint(data)
		if used <= 0 || step == 0 || step > uint64(64*len(set)) || v+step > uint64(64*len(set)) {
			return false
		}
		v += step
		set.Add(v - 1)
		data = data[used:]
	}
	return true
}
