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

// gatherLists gathers parts after everybody has said how long theirs is.
func (m *machine) gatherLists(c rank.Comm, parts []rank.Span) error {
	g := &m.gatherer
	me := parts[c.Rank()]
	sizes := g.sizes[:c.Size()]
	clear(sizes)
	// Where the part will stand is not known yet; it is made at the end of the
	// stage and moved.
	room := g.stage[int64(len(g.stage))-me.Size()-stageSlack:]
	sizes[c.Rank()] = uint64(encodeBits(room, m.in[me.Lo/8:me.Hi/8]))
	if err := rank.Reduced(c, rank.Sum, sizes); err != nil {
		return err
	}
	spans, at := make([]rank.Span, len(parts)), int64(0)
	for r, n := range sizes {
		spans[r] = rank.Span{Lo: at, Hi: at + int64(n)}
		at += int64(n)
	}
	mine := spans[c.Rank()]
	copy(g.stage[mine.Lo:mine.Hi], room)
	if err := c.Gather(g.stage, spans); err != nil {
		return err
	}
	for r, span := range spans {
		if r == c.Rank() {
			continue
		}
		if !decodeBits(g.stage[span.Lo:span.Hi], m.in[parts[r].Lo/8:parts[r].Hi/8]) {
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
