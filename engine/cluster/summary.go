package cluster

import (
	"math/bits"

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/par"
)

// The summary of the frontier has one bit for every so many vertices: it stays in
// a nearer cache than the frontier itself, and where its bit is not set the
// frontier need not be looked at. Cui et al. found 256 vertices a bit the best.
// The vector kernels look at 16 vertices at a time and gain nothing by it, so
// that it is off by default.

// newSummary makes room for the summary, which the ranks of a host have in common
// if they have the frontier in common.
func (m *machine) newSummary() error {
	if m.opts.Summary == 0 {
		return nil
	}
	m.summaryShift = uint(bits.TrailingZeros(uint(m.opts.Summary)))
	words := bitset.Words(int64(m.n)>>m.summaryShift + 1)
	if !m.gatherer.shared {
		m.summary = make(bitset.Set, words)
		return nil
	}
	mem, err := m.share(m.comm, 8*int64(words))
	if err == nil {
		m.summary = arena.View[uint64](mem)
	}
	return err
}

// summarize makes the summary of the gathered frontier, each rank of a host its
// share of one that they have in common.
func (m *machine) summarize() error {
	if m.opts.Summary == 0 {
		return nil
	}
	lo, hi := int64(0), int64(len(m.summary))
	if m.gatherer.shared {
		lo, hi = par.Split(hi, 1, m.hosts.local, m.hosts.mine.Size())
	}
	m.summary[lo:hi].Clear()
	first, end := min(lo<<m.summaryShift, int64(len(m.in))), min(hi<<m.summaryShift, int64(len(m.in)))
	for i, word := range m.in[first:end] {
		if word != 0 {
			m.summary.Add(uint64(first+int64(i)) << 6 >> m.summaryShift)
		}
	}
	if !m.gatherer.shared {
		return nil
	}
	return m.hosts.mine.Barrier()
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
