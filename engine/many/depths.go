package many

import (
	"math/bits"

	"github.com/gohops/hops"
	"github.com/gohops/hops/depths"
)

// MaxRoots is how many roots can share a search: the bits of a word.
const MaxRoots = depths.MaxRoots

// Depths are the result of a search: see package depths.
type Depths = depths.Depths

// A DepthSum sums up the levels of all vertices from one root.
type DepthSum = depths.Sum

// NewDepths returns room for what a search finds in a graph of n vertices. It may
// be used for any number of searches.
func NewDepths(n hops.Vertex) *Depths { return depths.New(n) }

// writeDepths translates the result from ranks to vertices. Isolated vertices share a
// rank, whose words are zero.
func (m *machine) writeDepths(d *Depths) {
	d.Reserve(bits.Len(uint(m.deepest)))
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
