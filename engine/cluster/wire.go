package cluster

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/rank"
)

// Parts of a bitmap on the wire: a byte that says how, and then either the words
// as they are or, where that is smaller, the steps from one bit to the next.

const (
	// sparseBelow: lists are tried if less than one vertex in so many is in the
	// frontier. A step takes a byte where they are dense, as do 8 vertices of a
	// bitmap.
	sparseBelow = 12
	// stageSlack is what a part may take beyond its words.
	stageSlack = 16

	denseForm, sparseForm = 0, 1
)

// A wire gathers parts of bitmaps.
type wire struct {
	stage []byte // for parts on their way
	sizes []uint64
}

// newWire makes room for gathering all of a bitmap of some words among ranks.
func newWire(mem *arena.Arena, words, ranks int) (w wire, err error) {
	if w.stage, err = arena.Make[byte](mem, 8*words+stageSlack*(ranks+1)); err != nil {
		return w, err
	}
	w.sizes, err = arena.Make[uint64](mem, ranks)
	return w, err
}

// gather gathers parts of set, in bytes, one of each rank of a group: as they are
// or, if lists, after everybody has said how long theirs is.
func (w *wire) gather(c rank.Comm, set bitset.Set, parts []rank.Span, lists bool) error {
	if !lists {
		return c.Gather(arena.Bytes(set), parts)
	}
	me := parts[c.Rank()]
	sizes := w.sizes[:c.Size()]
	clear(sizes)
	// Where the part will stand is not known yet; it is made at the end of the
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
			return fmt.Errorf("cluster: malformed bitmap from rank %d of %d: %d bytes", r, c.Size(), span.Size())
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
