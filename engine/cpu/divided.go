package cpu

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/base/bitset"
)

// The first levels of a search are often a few hubs that lead to a good part of the graph.
// To read their rows is little work for many workers; to bring what they find, in pairs, to
// the workers who own it is much more.
//
// So the longest rows of hubs are there twice: each worker has a copy of those entries that
// are its own vertices. It reads them alone, and sends nothing. Few workers have them in ascending
// order, not in that of degrees: a worker goes through visited set and parents from one end to
// the other instead of to and fro. To sixteen workers the order made no difference, and
// construction took 1.04 to 1.2 times as long with it (scales 22 and 24).

// dividedShare is the share of all row entries that the copies have, at most: one in so many.
// On sixteen cores searches take 0.85 of the time with one in four, 0.87 with one in eight
// and 0.84 with one in two at scale 22; 0.89, 0.91 and 0.87 at scale 24. On two cores, where
// each worker reads all of a row that is not divided, they take 0.92 to 0.97 with one in four,
// 0.94 to 0.97 with one in sixteen and 0.93 to 0.98 with one in 32 (scales 20 and 22).
func dividedShare(workers int64) int64 {
	if workers <= fewWorkers {
		return 16
	}
	return 4
}

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
	least, share := leastDivided(workers), dividedShare(workers)
	if workers == 1 || n < least { // no row has n entries
		return 0
	}
	vertices := entries/(share*least) + 1
	need := 4*entries/share + (2*4+8*workers)*vertices
	if workers <= fewWorkers {
		need += 8 * workers * needSorter(n)
	}
	return need
}

// divideRows chooses the rows and divides them. One worker has nobody to send anything to, and
// gains by the order alone: 0.98 and 1.00 of the time (scales 22 and 20).
func (m *machine) divideRows() error {
	if len(m.workers) == 1 {
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
	return m.copyParts(vertices)
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
	room := m.graph.NumEntries() / dividedShare(int64(len(m.workers)))
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

// copyParts copies every entry to its owner, for few workers in ascending order.
func (m *machine) copyParts(vertices []uint32) error {
	sorters, err := m.newSorters()
	if err != nil {
		return err
	}
	defer arena.Free(&m.mem, sorters)
	m.team.For(int64(len(vertices)), divideGrain, func(worker int, lo, hi int64) {
		next := make([]int64, len(m.workers))
		each := func(u uint32) {
			o := m.owner[u>>blockShift]
			m.workers[o].divided.entries[next[o]] = u
			next[o]++
		}
		for i := lo; i < hi; i++ {
			for w := range next {
				next[w] = m.workers[w].divided.starts[i]
			}
			row := m.graph.Out.Row(vertices[i])
			if sorters == nil {
				for _, u := range row {
					each(u)
				}
				continue
			}
			m.sorter(sorters, worker).sort(row, each)
		}
	})
	return nil
}

// A sorter puts the entries of a row into ascending order: they are a bitmap, and the words of it
// that are not zero another.
type sorter struct{ vertices, words bitset.Set }

// needSorter is the number of words that a sorter for n vertices takes.
func needSorter(n int64) int64 {
	words := int64(bitset.Words(n))
	return words + int64(bitset.Words(words))
}

// newSorters makes the memory of a sorter for each worker, if they are few.
func (m *machine) newSorters() ([]uint64, error) {
	if len(m.workers) > fewWorkers {
		return nil, nil
	}
	return arena.Make[uint64](&m.mem, len(m.workers)*int(needSorter(int64(m.graph.NumVertices()))))
}

// sorter is that of one worker.
func (m *machine) sorter(memory []uint64, worker int) sorter {
	n := int64(m.graph.NumVertices())
	need, words := int(needSorter(n)), bitset.Words(n)
	own := memory[worker*need:][:need]
	return sorter{own[:words], own[words:]}
}

// sort calls a function for each entry of a row in ascending order.
func (s sorter) sort(row []uint32, each func(u uint32)) {
	for _, u := range row {
		s.vertices.Add(uint64(u))
		s.words.Add(uint64(u) >> 6)
	}
	for w := range s.words.All {
		for left := s.vertices[w]; left != 0; left &= left - 1 {
			each(uint32(w)<<6 + uint32(bits.TrailingZeros64(left)))
		}
		s.vertices[w] = 0
	}
	s.words.Clear()
}

// adoptDivided makes the vertices of the frontier whose rows are divided the parents of their unvisited
// neighbours that a worker owns.
func (m *machine) adoptDivided(me *worker) {
	found := int64(0)
	for _, i := range m.divided.frontier.all() {
		row := me.divided.row(i)
		me.examined += int64(len(row))
		found += m.adoptOwn(m.divided.vertices[i], row, me)
	}
	if len(m.workers) <= fewWorkers {
		me.counts.ordered += found
	}
}
