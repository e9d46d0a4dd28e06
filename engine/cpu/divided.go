package cpu

import (
	"cmp"
	"slices"

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
)

// The first levels of a search are often a few hubs that lead to a good part of the graph.
// To read their rows is little work for many workers; to bring what they find, in pairs, to
// the workers who own it is much more.
//
// So with many workers the longest rows of hubs are there twice: each worker has a copy
// of those entries that are its own vertices. It reads them alone, and sends nothing. Up to
// fewWorkers workers read all of such a row instead, and pick: copies would take 0.97 of the
// time of a search, but a sixth more memory and construction 6 % longer (two workers).

// dividedShare is the share of all row entries that the copies have, at most: one in so many.
// On sixteen cores searches take 0.85 of the time with one in four, 0.87 with one in eight
// and 0.84 with one in two at scale 22; 0.89, 0.91 and 0.87 at scale 24.
const dividedShare = 4

// leastPart is how many entries of a divided row each worker has at the mean, at least. It is a
// choice: for fewer, a worker would take longer to look the row up than to read it.
const leastPart = 64

// leastDivided is the length of a row, at least, that is divided among so many workers.
func leastDivided(workers int64) int64 { return max(longRow, leastPart*workers) }

// dividedRows are the hubs whose rows are divided among the workers. Rows have numbers, by label.
type dividedRows struct {
	vertices []uint32 // in ascending order
	frontier longRows // numbers of those in the frontier, in top-down levels
}

// ownEntries are the entries of the divided rows that are vertices of one worker. Those of
// row i are entries[starts[i]:starts[i+1]].
type ownEntries struct {
	starts  []int64
	entries []uint32
}

func (o *ownEntries) row(i uint32) []uint32 { return o.entries[o.starts[i]:o.starts[i+1]] }

// number is that of the row of v, if it is divided.
func (d *dividedRows) number(v uint32) (i int, ok bool) { return slices.BinarySearch(d.vertices, v) }

// needDivided is the memory that divided rows take with so many workers in a graph with n
// vertices and so many entries.
func needDivided(n, workers, entries int64) int64 {
	least := leastDivided(workers)
	if workers <= fewWorkers || n < least { // no row has n entries
		return 0
	}
	vertices := entries/(dividedShare*least) + 1
	return 4*entries/dividedShare + (2*4+8*workers)*vertices
}

// divideRows chooses the rows and divides them.
func (m *machine) divideRows() error {
	if len(m.workers) <= fewWorkers {
		return nil
	}
	vertices := m.longestRows()
	if len(vertices) == 0 {
		return nil
	}
	slices.Sort(vertices)
	m.divided.vertices, m.divided.frontier.vertices = vertices, make([]uint32, len(vertices))
	m.countParts(vertices)
	for w := range m.workers {
		own, err := &m.workers[w].divided, error(nil)
		if own.entries, err = arena.Make[uint32](&m.mem, int(own.starts[len(vertices)])); err != nil {
			return err
		}
	}
	m.copyParts(vertices)
	return nil
}

// longestRows returns the hubs with the longest rows, as many as the copies have room for.
func (m *machine) longestRows() []uint32 {
	out := &m.graph.Out
	least := leastDivided(int64(len(m.workers)))
	var hubs []uint32
	for v := range bitset.Set(m.graph.Parents.Hub).All {
		if out.Degree(uint32(v)) >= least {
			hubs = append(hubs, uint32(v))
		}
	}
	slices.SortStableFunc(hubs, func(u, v uint32) int { return cmp.Compare(out.Degree(v), out.Degree(u)) })
	room := m.graph.NumEntries() / dividedShare
	for i, v := range hubs {
		if room -= out.Degree(v); room < 0 {
			return hubs[:i]
		}
	}
	return hubs
}

const divideGrain = 16 // rows at a time

// countParts finds out where the rows of each worker begin.
func (m *machine) countParts(vertices []uint32) {
	for w := range m.workers {
		m.workers[w].divided.starts = make([]int64, len(vertices)+1)
	}
	m.team.For(int64(len(vertices)), divideGrain, func(_ int, lo, hi int64) {
		counts := make([]int64, len(m.workers))
		for i := lo; i < hi; i++ {
			clear(counts)
			for _, u := range m.graph.Out.Row(vertices[i]) {
				counts[m.owner[u>>blockShift]]++
			}
			for w, n := range counts {
				m.workers[w].divided.starts[i+1] = n
			}
		}
	})
	for w := range m.workers {
		starts := m.workers[w].divided.starts
		for i := range vertices {
			starts[i+1] += starts[i]
		}
	}
}

// copyParts copies every entry to its owner.
func (m *machine) copyParts(vertices []uint32) {
	m.team.For(int64(len(vertices)), divideGrain, func(_ int, lo, hi int64) {
		next := make([]int64, len(m.workers))
		for i := lo; i < hi; i++ {
			for w := range next {
				next[w] = m.workers[w].divided.starts[i]
			}
			for _, u := range m.graph.Out.Row(vertices[i]) {
				o := m.owner[u>>blockShift]
				m.workers[o].divided.entries[next[o]] = u
				next[o]++
			}
		}
	})
}

// adoptDivided makes the vertices of the frontier whose rows are divided the parents of their unvisited
// neighbours that a worker owns.
func (m *machine) adoptDivided(me *worker) {
	for _, i := range m.divided.frontier.all() {
		row := me.divided.row(i)
		me.examined += int64(len(row))
		m.adoptOwn(m.divided.vertices[i], row, me)
	}
}
