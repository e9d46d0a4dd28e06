package check

import (
	"math"
	"math/bits"

	"github.com/gohops/hops"
)

// One 32-bit word per vertex holds all that the edge pass needs of it: in the
// high bits the code of its level, in as few as the depth of the tree asks for;
// below, as many of the low bits of its parent as there is room for.
//
//	31        log₂ layout       0
//	┌────────────┬──────────────┐
//	│ level code │ parent, low  │
//	└────────────┴──────────────┘
//
// With levels on top, neither comparing two of them nor looking for a parent
// takes a shift.

// A level is stored as its code. Vertices outside the tree have code 0, which
// differs by more than one from the code of every level, so that an edge that
// leads out of the tree is found by the same comparison as one that skips levels.
type level = uint32

const (
	rootCode level = 2

	// deepest is the largest code. Above it there would be a code that differs
	// from 0 by one, modulo 2^32.
	deepest level = math.MaxUint32 - 1
)

// levelOf is the level of a code, -1 outside the tree.
func levelOf(code level) int64 {
	if code == 0 {
		return -1
	}
	return int64(code - rootCode)
}

// A layout is the value of a level code's lowest bit, a power of two.
type layout uint32

// layoutOf is the layout with the fewest bits for codes up to last, and one code
// above it, which would be the neighbour of 0.
func layoutOf(last level) layout { return 1 << (32 - bits.Len32(last+1)) }

func (l layout) pack(code level, parent uint64) uint32 {
	return code*uint32(l) | uint32(parent)&uint32(l-1)
}

// code is the level code in a word.
func (l layout) code(word uint32) level { return word / uint32(l) }

// apart tells whether the levels in two words differ by more than one.
func (l layout) apart(a, b uint32) bool {
	one := uint32(l)
	return a&-one-b&-one+one > 2*one // unsigned: accepts -1, 0 and 1
}

// likely tells whether p may be the parent in a word; false is certain.
func (l layout) likely(word uint32, p hops.Vertex) bool {
	return (word^uint32(p))&uint32(l-1) == 0
}
