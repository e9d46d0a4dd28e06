package cpu

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/gohops/hops/level"
)

// A level is split by roots: those with small frontiers top-down, the others
// bottom-up. Top-down costs the row entries of all frontiers that take part.
// Bottom-up costs, for every vertex, the way along its row to where it has met all
// roots that it misses: the sparsest frontier decides. So the roots are put in order
// of their frontiers' entries, a sample of rows is read, and of all ways to cut
// this order in two the cheapest is taken.

const (
	// manySamples is how many rows are read, at most sampleDepth entries of each:
	// some 50 µs of two workers.
	manySamples = 256
	// passOnCost is what an entry costs top-down, a word to be changed, beside one
	// bottom-up, a word to be read, in halves.
	passOnCost = 3

	// Entries of frontiers are counted for the heaviest vertices, those in the
	// first words of the bitmaps, and of the others for one in 64.
	countedWords = 64
)

// A rootSplit says which roots are looked for bottom-up.
type rootSplit struct {
	chosen bool
	dense  uint64
}

// direction is that of a level of some roots.
func (s rootSplit) direction(alive uint64) level.Direction {
	switch s.dense {
	case 0:
		return level.TopDown
	case alive:
		return level.BottomUp
	}
	return level.Split
}

// choose splits the next level.
func (m *many) choose() rootSplit {
	if m.split.chosen {
		return m.split
	}
	order := make([]int, 0, 64)
	for rest := m.alive; rest != 0; rest &= rest - 1 {
		order = append(order, bits.TrailingZeros64(rest))
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(m.edges[a], m.edges[b]) })
	upwards := m.trial(order)
	downwards, least := int64(0), int64(math.MaxInt64)
	m.split.chosen = true
	dense := m.alive
	for k := range len(order) + 1 {
		if cost := upwards[k] + min(downwards, m.state.Edges)*passOnCost/2; cost < least {
			least, m.split.dense = cost, dense
		}
		if k < len(order) {
			downwards += m.edges[order[k]]
			dense &^= 1 << order[k]
		}
	}
	return m.split
}

// trial returns, for every k, how many entries are examined bottom-up if the first
// k roots in order are not looked for.
func (m *many) trial(order []int) (examined [65]int64) {
	n := int64(m.rows.count)
	stride := n/manySamples + 1
	taken := (n + stride - 1) / stride
	m.team.For(taken, manySamples/16, func(id int, lo, hi int64) {
		me := &m.workers[id]
		for i := lo; i < hi; i++ {
			found, last := m.tryRow(uint32(i*stride)), int64(0)
			for k := len(order) - 1; k >= 0; k-- {
				last = max(last, found[order[k]])
				me.tried[k] += last
			}
		}
	})
	for w := range m.workers {
		me := &m.workers[w]
		for k := range order {
			examined[k] += me.tried[k]
			me.tried[k] = 0
		}
	}
	for k := range order {
		examined[k] = examined[k] * n / taken
	}
	return examined
}

// tryRow returns how many neighbours v would ask until it finds each root, none for
// those that it does not miss.
func (m *many) tryRow(v uint32) (found [64]int64) {
	missing := m.alive &^ m.seen[v]
	row := m.rows.in.Row(v)
	for i, u := range row[:min(len(row), sampleDepth)] {
		for got := m.seen[u] & missing; got != 0; got &= got - 1 {
			found[bits.TrailingZeros64(got)] = int64(i) + 1
		}
		if missing &^= m.seen[u]; missing == 0 {
			return found
		}
	}
	addEntries(&found, missing, int64(len(row)))
	return found
}

// sample counts the row entries of vertices in word w that were found.
func (m *many) sample(w int64, fresh uint64, me *manyWorker) {
	times := int64(1)
	if w >= countedWords {
		fresh, times = fresh&(1<<(w&63)), 64
	}
	for ; fresh != 0; fresh &= fresh - 1 {
		v := uint32(w)<<6 + uint32(bits.TrailingZeros64(fresh))
		entries := times * m.rows.out.Degree(v)
		me.entries += entries
		addEntries(&me.edges, m.before[v]&^m.seen[v], entries)
	}
}
