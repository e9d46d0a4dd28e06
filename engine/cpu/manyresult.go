package cpu

import (
	"math/bits"

	"github.com/gohops/hops/graph"
)

// deliver translates the result from ranks to vertices, in input order. Isolated
// vertices share a rank, whose words are zero.
func (m *many) deliver(d *graph.Depths) {
	used := bits.Len(uint(m.deepest))
	d.Reserve(used)
	d.Roots = append(d.Roots[:0], m.roots...)
	m.team.For(int64(len(m.rows.rank)), manyBlock, func(_ int, lo, hi int64) {
		rank := m.rows.rank[lo:hi]
		m.kernels.Pick(d.Reached[lo:hi], m.seen, rank)
		for k, words := range d.Bits {
			m.kernels.Pick(words[lo:hi], m.levels[k], rank)
		}
	})
	for i, root := range m.roots { // an isolated one was not searched from
		d.Reached[root] |= 1 << i
	}
}
