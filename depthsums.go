package hops

import (
	"math/bits"
	"runtime"
	"sync"

	"github.com/gohops/hops/internal/base/par"
)

// A DepthSum sums up the levels of all vertices from one root.
type DepthSum struct {
	Reached int64 // vertices reached, the root included
	Hops    int64 // sum of their levels
	Depth   int   // level of the farthest
}

// Sums returns the sums for every root. The closeness of a root is (Reached-1) / Hops.
//
// Sums counts 64 vertices at a time. It transposes their words: a word then has the
// same binary digit of the levels of 64 vertices from one root, and one instruction
// counts its bits.
func (d *Depths) Sums() []DepthSum {
	workers := max(1, min(runtime.GOMAXPROCS(0), d.Len()/minSummed))
	parts := make([][]DepthSum, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			lo, hi := par.Split(int64(d.Len()), 64, w, workers)
			parts[w] = d.sumOf(int(lo), int(hi))
		})
	}
	wg.Wait()
	sums := parts[0]
	for _, part := range parts[1:] {
		for i, s := range part {
			sums[i].Reached += s.Reached
			sums[i].Hops += s.Hops
			sums[i].Depth = max(sums[i].Depth, s.Depth)
		}
	}
	return sums
}

// minSummed is how many vertices a worker sums up at least: some 100 µs.
const minSummed = 1 << 12

// sumOf sums up the vertices lo up to hi, of which lo is a multiple of 64.
func (d *Depths) sumOf(lo, hi int) []DepthSum {
	sums := make([]DepthSum, len(d.Roots))
	reached, levels := new([64]uint64), make([][64]uint64, len(d.Bits))
	for v := lo; v < hi; v += 64 {
		transpose64(reached, d.Reached[v:hi])
		for k, words := range d.Bits {
			transpose64(&levels[k], words[v:hi])
		}
		for i := range sums {
			sums[i].add(i, reached[i], levels)
		}
	}
	return sums
}

// add counts 64 vertices for root i. reached has a bit for each of them that is
// reached from the root.
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

// transpose64 transposes the first 64 words as a 64 × 64 bit matrix. Missing words
// count as zero. The halves of the matrix change places first, then the quarters within
// them, and so on (Warren, Hacker's Delight, 7-3).
func transpose64(square *[64]uint64, words []uint64) {
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
