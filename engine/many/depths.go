package many

import (
	"math/bits"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/arena"
)

// MaxRoots is how many roots can share a search: the bits of a word.
const MaxRoots = 64

// Depths are the result of a search from many roots: how many hops every vertex
// is from each of them.
//
// All words have one bit for each root. Reached[v] has the roots that reach v. Bits
// has the levels in binary: bit i of Bits[k][v] is bit k of the level of v from
// Roots[i]. Bits has as many arrays as the largest level has binary digits: three up to
// level 7, ten up to level 1,023.
type Depths struct {
	Roots   []hops.Vertex
	Reached []uint64
	Bits    [][]uint64

	spare [][]uint64 // arrays that an earlier, deeper search needed
}

// NewDepths returns room for what a search finds in a graph of n vertices. It may
// be used for any number of searches.
func NewDepths(n hops.Vertex) *Depths {
	d := &Depths{Reached: make([]uint64, n)}
	arena.PreferHugePages(d.Reached)
	return d
}

// reserve makes room for levels of so many bits, whose values are undefined.
func (d *Depths) reserve(bits int) {
	for len(d.Bits) > bits {
		last := len(d.Bits) - 1
		d.spare, d.Bits = append(d.spare, d.Bits[last]), d.Bits[:last]
	}
	for len(d.Bits) < bits {
		if last := len(d.spare) - 1; last >= 0 {
			d.Bits, d.spare = append(d.Bits, d.spare[last]), d.spare[:last]
			continue
		}
		words := make([]uint64, len(d.Reached))
		arena.PreferHugePages(words)
		d.Bits = append(d.Bits, words)
	}
}

// Len is the number of vertices.
func (d *Depths) Len() int { return len(d.Reached) }

// Level returns the number of hops from Roots[i] to v, or -1 if v is not reached.
func (d *Depths) Level(i int, v hops.Vertex) int {
	if d.Reached[v]>>i&1 == 0 {
		return -1
	}
	level := 0
	for k, words := range d.Bits {
		level |= int(words[v]>>i&1) << k
	}
	return level
}

// Levels writes the level of every vertex from Roots[i], -1 where it is not
// reached, into dst, which is replaced if it is too short, and returns it.
func (d *Depths) Levels(i int, dst []int32) []int32 {
	dst = slices.Grow(dst[:0], d.Len())[:d.Len()]
	for v, word := range d.Reached {
		dst[v] = int32(word>>i&1) - 1
	}
	for k, words := range d.Bits {
		for v, word := range words {
			dst[v] |= int32(word>>i&1) << k
		}
	}
	return dst
}

// PathTo returns a shortest path from Roots[i] to v, both included, or nil if v is
// not reached. It finds the path in the rows of g, the graph that was searched.
func (d *Depths) PathTo(g *graph.Graph, i int, v hops.Vertex) []hops.Vertex {
	level := d.Level(i, v)
	if level < 0 {
		return nil
	}
	path := make([]hops.Vertex, level+1)
	for path[level] = v; level > 0; level-- {
		for u := range g.InNeighbors(path[level]) {
			if d.Level(i, u) == level-1 {
				path[level-1] = u
				break
			}
		}
	}
	return path
}

// writeDepths translates the result from ranks to vertices. Isolated vertices share a
// rank, whose words are zero.
func (m *machine) writeDepths(d *Depths) {
	d.reserve(bits.Len(uint(m.deepest)))
	d.Roots = append(d.Roots[:0], m.roots...)
	m.team.For(int64(len(m.rows.rank)), blockSize, func(_ int, lo, hi int64) {
		rank := m.rows.rank[lo:hi]
		m.kernels.Pick(d.Reached[lo:hi], m.seen, rank)
		for k, words := range d.Bits {
			m.kernels.Pick(words[lo:hi], m.levels[k], rank)
		}
	})
	for i, root := range m.roots { // the search has left isolated roots out
		d.Reached[root] |= 1 << i
	}
}

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
	sums := make([]DepthSum, len(d.Roots))
	reached, levels := new([64]uint64), make([][64]uint64, len(d.Bits))
	for v := 0; v < d.Len(); v += 64 {
		transpose64(reached, d.Reached[v:])
		for k, words := range d.Bits {
			transpose64(&levels[k], words[v:])
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
