package cpu

import (
	"math/bits"

	"github.com/gohops/hops"
)

// deliver translates the result from ranks to vertices, in input order. A look at
// a rank is a cache miss, so that four words are put side by side first: a miss
// then yields all of a vertex on most graphs.
func (m *many) deliver(d *hops.Depths) {
	used := bits.Len(uint(m.deepest))
	d.Reserve(used)
	d.Roots = append(d.Roots[:0], m.roots...)
	from := append([][]uint64{m.seen}, m.levels[:used]...)
	to := append([][]uint64{d.Reached}, d.Bits...)
	for len(from) > 0 {
		some := min(4, len(from))
		m.gather(from[:some])
		m.hand(to[:some])
		from, to = from[some:], to[some:]
	}
	for i, root := range m.roots { // an isolated one was not searched from
		d.Reached[root] |= 1 << i
	}
}

// gather puts up to four words of every rank side by side.
func (m *many) gather(from [][]uint64) {
	m.team.For(int64(len(m.quads)), manyBlock, func(_ int, lo, hi int64) {
		for k, words := range from {
			for i, word := range words[lo:hi] {
				m.quads[lo+int64(i)][k] = word
			}
		}
	})
}

// hand gives every vertex the words of its rank. Isolated vertices share one, which
// is zero.
func (m *many) hand(to [][]uint64) {
	m.team.For(int64(len(m.rows.rank)), manyBlock, func(_ int, lo, hi int64) {
		rank, quads := m.rows.rank[lo:hi], m.quads
		if len(to) < 4 {
			for k, words := range to {
				for i, r := range rank {
					words[lo+int64(i)] = quads[r][k]
				}
			}
			return
		}
		a, b, c, d := to[0][lo:hi], to[1][lo:hi], to[2][lo:hi], to[3][lo:hi]
		for i, r := range rank {
			q := &quads[r]
			a[i], b[i], c[i], d[i] = q[0], q[1], q[2], q[3]
		}
	})
}
