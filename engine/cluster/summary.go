package cluster

import (
	"math/bits"

	"github.com/gohops/hops/internal/bitset"
)

// The summary of the frontier has one bit for every so many vertices: it stays in
// a nearer cache than the frontier itself, and where its bit is not set the
// frontier need not be looked at. Cui et al. found 256 vertices a bit the best.
// The vector kernels look at 16 vertices at a time and gain nothing by it, so
// that it is off by default.

// summarize makes the summary of the gathered frontier.
func (m *machine) summarize() {
	if m.opts.Summary == 0 {
		return
	}
	if m.summary == nil {
		m.summary = bitset.New(int64(m.n)/int64(m.opts.Summary) + 1)
		m.summaryShift = uint(bits.TrailingZeros(uint(m.opts.Summary)))
	}
	m.summary.Clear()
	for i, word := range m.in {
		if word != 0 {
			m.summary.Add(uint64(i) << 6 >> m.summaryShift)
		}
	}
}

// probeSummarized looks for a parent of every open vertex of some words.
func (m *machine) probeSummarized(me, w *worker, next bitset.Set, lo, hi int64) {
	for i := lo; i < hi; i++ {
		next[i] = 0
		for open := ^w.visited[i]; open != 0; open &= open - 1 {
			v := uint32(i)<<6 + uint32(bits.TrailingZeros64(open))
			for _, u := range w.row(v) {
				me.tally.examined++
				if m.summary.Has(uint64(u>>m.summaryShift)) && m.in.Has(uint64(u)) {
					w.parents[v] = u
					next.Add(uint64(v))
					break
				}
			}
		}
	}
}
