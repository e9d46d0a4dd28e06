package cpu

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/bitset"
)

// The first levels of a search are often a few hubs that lead to a good part of the graph.
// To read their rows is little work for many workers; to bring what they find, in pairs, to
// the workers who own it is much more.
//
// So with many workers the rows of the heaviest hubs are there twice: each worker has a copy
// of those entries that are its own vertices. It reads them alone, and sends nothing. Up to
// fewWorkers workers read all of such a row instead, and pick: copies would take 0.97 of the
// time of a search, but a sixth more memory and construction 6 % longer (two workers).

// heavyShare is the share of all row entries that the copies have, at most: one in so many.
// On sixteen cores searches take 0.85 of the time with one in four, 0.87 with one in eight
// and 0.84 with one in two at scale 22; 0.89, 0.91 and 0.87 at scale 24.
const heavyShare = 4

// heavyPart is how many entries of a heavy row each worker has at the mean, at least. It is a
// choice: for fewer, a worker would take longer to look the row up than to read it.
const heavyPart = 64

// heavyRows are the hubs whose rows are divided among the workers.
type heavyRows struct {
	in       bitset.Set // all of them; nil: there are none
	before   []uint32   // how many there are before each word of in
	frontier longRows   // those in the frontier, in top-down levels
}

// ownEntries are the entries of the heavy rows that are vertices of one worker. Those of
// heavy vertex i are entries[starts[i]:starts[i+1]].
type ownEntries struct {
	starts  []int64
	entries []uint32
}

func (o *ownEntries) row(i uint32) []uint32 { return o.entries[o.starts[i]:o.starts[i+1]] }

// has tells whether the row of v is divided.
func (h *heavyRows) has(v uint32) bool { return h.in != nil && h.in.Has(uint64(v)) }

// index is the number of a heavy vertex among all of them, by label.
func (h *heavyRows) index(v uint32) uint32 {
	return h.before[v>>6] + uint32(bits.OnesCount64(h.in[v>>6]&(1<<(v&63)-1)))
}

// needHeavy is the memory that heavy rows take with so many workers in a graph with n
// vertices and so many entries.
func needHeavy(n, workers, entries int64) int64 {
	if workers <= fewWorkers {
		return 0
	}
	vertices := entries/(heavyShare*longRow) + 1
	return n/8 + n/16 + 4*entries/heavyShare + (4+8*workers)*vertices
}

// makeHeavy chooses the heavy vertices and divides their rows.
func (m *machine) makeHeavy() error {
	if len(m.workers) <= fewWorkers {
		return nil
	}
	vertices := m.heaviest()
	if len(vertices) == 0 {
		return nil
	}
	slices.Sort(vertices)
	h := &m.heavy
	h.frontier.vertices = make([]uint32, len(vertices))
	if err := cmp.Or(arena.MakeAll(&m.mem, len(m.visited), &h.in), arena.MakeAll(&m.mem, len(m.visited), &h.before)); err != nil {
		return err
	}
	for _, v := range vertices {
		h.in.Add(uint64(v))
	}
	sum := 0
	for i, w := range h.in {
		h.before[i] = uint32(sum)
		sum += bits.OnesCount64(w)
	}
	m.countHeavy(vertices)
	for w := range m.workers {
		own, err := &m.workers[w].heavy, error(nil)
		if own.entries, err = arena.Make[uint32](&m.mem, int(own.starts[len(vertices)])); err != nil {
			return err
		}
	}
	m.divideHeavy(vertices)
	return nil
}

// heaviest returns the hubs with the longest rows, as many as the copies have room for.
func (m *machine) heaviest() []uint32 {
	out := &m.graph.Out
	least := int64(max(longRow, heavyPart*len(m.workers)))
	var hubs []uint32
	for v := range bitset.Set(m.graph.Parents.Hub).All {
		if out.Degree(uint32(v)) >= least {
			hubs = append(hubs, uint32(v))
		}
	}
	slices.SortStableFunc(hubs, func(u, v uint32) int { return cmp.Compare(out.Degree(v), out.Degree(u)) })
	room := m.graph.NumEntries() / heavyShare
	for i, v := range hubs {
		if room -= out.Degree(v); room < 0 {
			return hubs[:i]
		}
	}
	return hubs
}

const heavyGrain = 16 // heavy rows at a time

// countHeavy finds out where the rows of each worker begin.
func (m *machine) countHeavy(vertices []uint32) {
	for w := range m.workers {
		m.workers[w].heavy.starts = make([]int64, len(vertices)+1)
	}
	m.team.For(int64(len(vertices)), heavyGrain, func(_ int, lo, hi int64) {
		counts := make([]int64, len(m.workers))
		for i := lo; i < hi; i++ {
			clear(counts)
			for _, u := range m.graph.Out.Row(vertices[i]) {
				counts[m.owner[u>>blockShift]]++
			}
			for w, n := range counts {
				m.workers[w].heavy.starts[i+1] = n
			}
		}
	})
	for w := range m.workers {
		starts := m.workers[w].heavy.starts
		for i := range vertices {
			starts[i+1] += starts[i]
		}
	}
}

// divideHeavy copies every entry to its owner.
func (m *machine) divideHeavy(vertices []uint32) {
	m.team.For(int64(len(vertices)), heavyGrain, func(_ int, lo, hi int64) {
		next := make([]int64, len(m.workers))
		for i := lo; i < hi; i++ {
			for w := range next {
				next[w] = m.workers[w].heavy.starts[i]
			}
			for _, u := range m.graph.Out.Row(vertices[i]) {
				o := m.owner[u>>blockShift]
				m.workers[o].heavy.entries[next[o]] = u
				next[o]++
			}
		}
	})
}

// adoptHeavy makes the heavy vertices of the frontier the parents of their unvisited
// neighbours that a worker owns.
func (m *machine) adoptHeavy(me *worker) {
	for _, v := range m.heavy.frontier.all() {
		row := me.heavy.row(m.heavy.index(v))
		me.examined += int64(len(row))
		m.adoptOwn(v, row, me)
	}
}
