package many

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/gohops/hops/level"
)

// A level is split by roots: roots with small frontiers are searched top-down, the
// others bottom-up. Top-down costs the row entries of the frontiers that take part.
// Bottom-up, each vertex reads its row until it has met all roots that it misses, so
// that the sparsest frontier decides the cost. The roots are sorted by the row entries
// of their frontiers, a sample of rows is read, and of all ways to cut the sorted
// roots in two the cheapest is taken.

const (
	// samples is how many rows are read for the choice, and sampleDepth how many
	// entries of each at most: some 50 µs of two workers.
	samples     = 256
	sampleDepth = 64
	// topDownCost is the cost of an entry top-down, which changes a word, in halves
	// of the cost of an entry bottom-up, which reads a word.
	topDownCost = 3

	// countedWords is the number of bitmap words, from the first on, in which the row
	// entries of all found vertices are added up. These are the vertices of the highest
	// degrees. Of the others, one in 64 is looked up.
	countedWords = 64
)

// A rootSplit is the choice for one level.
type rootSplit struct {
	chosen bool
	dense  uint64 // roots that are searched bottom-up
}

// direction is the direction of a level with these active roots.
func (s rootSplit) direction(active uint64) level.Direction {
	switch s.dense {
	case 0:
		return level.TopDown
	case active:
		return level.BottomUp
	}
	return level.Split
}

// choose splits the next level. It computes the choice once a level.
func (m *machine) choose() rootSplit {
	if m.split.chosen {
		return m.split
	}
	order := make([]int, 0, 64)
	for rest := m.active; rest != 0; rest &= rest - 1 {
		order = append(order, bits.TrailingZeros64(rest))
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(m.entries[a], m.entries[b]) })
	upwards := m.trial(order)
	downwards, least := int64(0), int64(math.MaxInt64)
	m.split.chosen = true
	dense := m.active
	for k := range len(order) + 1 {
		if cost := upwards[k] + min(downwards, m.state.Edges)*topDownCost/2; cost < least {
			least, m.split.dense = cost, dense
		}
		if k < len(order) {
			downwards += m.entries[order[k]]
			dense &^= 1 << order[k]
		}
	}
	return m.split
}

// trial returns, for every k, an estimate of the entries that are examined bottom-up
// if the first k roots in order are searched top-down.
func (m *machine) trial(order []int) (examined [65]int64) {
	n := int64(m.rows.count)
	stride := n/samples + 1
	taken := (n + stride - 1) / stride
	m.team.For(taken, samples/16, func(id int, lo, hi int64) {
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

// tryRow returns, for each root that v misses, how many entries of its row v reads
// until it finds that root. It is 0 for the other roots.
func (m *machine) tryRow(v uint32) (found [64]int64) {
	missing := m.active &^ m.seen[v]
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

// sampleEntries adds the row entries of the vertices found in word w, or of a sample
// of them, to the counts of the worker.
func (m *machine) sampleEntries(w int64, fresh uint64, me *worker) {
	times := int64(1)
	if w >= countedWords {
		fresh, times = fresh&(1<<(w&63)), 64
	}
	for ; fresh != 0; fresh &= fresh - 1 {
		v := uint32(w)<<6 + uint32(bits.TrailingZeros64(fresh))
		entries := times * m.rows.out.Degree(v)
		me.edges += entries
		addEntries(&me.entries, m.before[v]&^m.seen[v], entries)
	}
}
