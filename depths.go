package hops

import (
	"iter"
	"math/bits"
	"slices"

	"github.com/gohops/hops/internal/base/arena"
)

// MaxRoots is how many roots can share a search: the bits of a word.
const MaxRoots = 64

// Depths are the result of a search from many roots: how many hops every vertex
// is from each of them. Several engines fill them.
//
// All words have one bit for each root. Reached[v] has the roots that reach v. Bits
// has the levels in binary: bit i of Bits[k][v] is bit k of the level of v from
// Roots[i]. Bits has as many arrays as the largest level has binary digits: three up to
// level 7, ten up to level 1,023.
type Depths struct {
	Roots   []Vertex
	Reached []uint64
	Bits    [][]uint64

	spare [][]uint64 // arrays that an earlier, deeper search needed
}

// NewDepths returns room for what a search finds in a graph of n vertices. It may
// be used for any number of searches.
func NewDepths(n Vertex) *Depths {
	return &Depths{Reached: arena.OnHeap[uint64](int(n))}
}

// Reserve makes room for levels of so many bits, whose values are undefined.
func (d *Depths) Reserve(bits int) {
	for len(d.Bits) > bits {
		last := len(d.Bits) - 1
		d.spare, d.Bits = append(d.spare, d.Bits[last]), d.Bits[:last]
	}
	for len(d.Bits) < bits {
		if last := len(d.spare) - 1; last >= 0 {
			d.Bits, d.spare = append(d.Bits, d.spare[last]), d.spare[:last]
			continue
		}
		d.Bits = append(d.Bits, arena.OnHeap[uint64](len(d.Reached)))
	}
}

// Len is the number of vertices.
func (d *Depths) Len() int { return len(d.Reached) }

// Level returns the number of hops from Roots[i] to v, or -1 if v is not reached.
func (d *Depths) Level(i int, v Vertex) int {
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

// Farthest returns, for every root, the lowest of the vertices that are farthest from it.
func (d *Depths) Farthest() []Vertex {
	sums, digits, missing := d.Sums(), make([]uint64, len(d.Bits)), uint64(0)
	for i, s := range sums {
		missing |= 1 << i
		for k := range digits {
			digits[k] |= uint64(s.Depth>>k&1) << i
		}
	}
	far := make([]Vertex, len(sums))
	for v := 0; missing != 0 && v < d.Len(); v++ {
		found := d.Reached[v] & missing
		for k, words := range d.Bits {
			found &^= words[v] ^ digits[k]
		}
		for missing &^= found; found != 0; found &= found - 1 {
			far[bits.TrailingZeros64(found)] = Vertex(v)
		}
	}
	return far
}

// PathTo returns a shortest path from Roots[i] to v, both included, or nil if v is
// not reached. It finds the path in the rows of g, the graph that was searched.
func (d *Depths) PathTo(g interface {
	InNeighbors(v Vertex) iter.Seq[Vertex]
}, i int, v Vertex,
) []Vertex {
	level := d.Level(i, v)
	if level < 0 {
		return nil
	}
	path := make([]Vertex, level+1)
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
