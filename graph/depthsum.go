package graph

import "math/bits"

// A DepthSum is how a root lies in its graph, as far as a search has seen it.
type DepthSum struct {
	Reached int64 // vertices, the root itself included
	Hops    int64 // to all of them together
	Depth   int   // to the farthest
}

// Sums adds the levels of all vertices up, for every root. Closeness is what
// follows: (Reached-1) / Hops.
//
// Sixty-four vertices are added up at a time. Their words are a square of bits,
// which is turned: a word then has the same bit of the levels of 64 vertices from
// one root, and to count it is one instruction.
func (d *Depths) Sums() []DepthSum {
	sums := make([]DepthSum, len(d.Roots))
	reached, levels := new([64]uint64), make([][64]uint64, len(d.Bits))
	for v := 0; v < d.Len(); v += 64 {
		turn(reached, d.Reached[v:])
		for k, words := range d.Bits {
			turn(&levels[k], words[v:])
		}
		for i := range sums {
			sums[i].add(i, reached[i], levels)
		}
	}
	return sums
}

// add counts 64 vertices, of which those of the set are reached from root i.
func (s *DepthSum) add(i int, reached uint64, levels [][64]uint64) {
	s.Reached += int64(bits.OnesCount64(reached))
	farthest, depth := reached, 0
	for k := len(levels) - 1; k >= 0; k-- {
		word := levels[k][i]
		s.Hops += int64(bits.OnesCount64(word)) << k
		if word&farthest != 0 {
			farthest &= word
			depth |= 1 << k
		}
	}
	s.Depth = max(s.Depth, depth)
}

// turn makes the rows of a square of bits its columns. Rows that are missing at
// the end of words are zero. Halves change places first, then quarters within
// them, and so on (Warren, Hacker's Delight, 7-3).
func turn(square *[64]uint64, words []uint64) {
	n := copy(square[:], words)
	clear(square[n:])
	for size, mask := 32, uint64(1<<32-1); size > 0; size, mask = size/2, mask^mask<<(size/2) {
		for i := 0; i < 64; i = (i + size + 1) &^ size {
			swap := (square[i]>>size ^ square[i+size]) & mask
			square[i] ^= swap << size
			square[i+size] ^= swap
		}
	}
}
