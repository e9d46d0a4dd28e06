package cpu

import (
	"unsafe"

	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/kernel"
)

// A small top-down level is run by the calling worker alone, from queue to
// queue. Graphs of high diameter have thousands of these, and their cost is
// waiting for memory: a vertex found needs its offsets, then its row, and then
// the words and parents of its neighbours, each a cache miss that depends on the
// one before. So the level that finds a vertex fetches its offsets, and the next
// fetches its row some vertices before it is read. With that, the branch on
// whether a neighbour is new costs less than any way around it that was tried.

func (m *machine) topDownSerial() {
	me := &m.workers[0]
	found := m.spare[:0]
	for rest := m.queue; len(rest) > 0; {
		a := kernel.Advance{
			Queue: &rest[0], Count: int64(len(rest)), Visited: &m.visited[0], Parents: &m.parents[0],
			Offsets: &m.graph.Out.Offsets[0], Neighbors: unsafe.SliceData(m.graph.Out.Neighbors),
			Out: unsafe.SliceData(found[len(found):cap(found)]),
		}
		m.kernels.Advance(&a)
		me.examined += a.Examined
		found = found[:len(found)+int(a.Found)]
		if rest = rest[a.Done:]; len(rest) > 0 { // a long row
			found = m.advanceLong(rest[0], found, me)
			rest = rest[1:]
		}
	}
	me.found = int64(len(found))
	me.edges = m.entries(found, me.examined <= shortRows*int64(len(m.queue)))
	m.queue, m.spare = found, m.queue
	m.hasQueue, m.hasFront = true, false
	m.state.Remaining += m.state.Edges - me.examined // what was an estimate is now known
	if !clearlySmall(me.edges, &m.state) {
		m.sampleLight(me)
	}
}

const (
	// shortRows is the mean length up to which the rows of a level count as alike.
	shortRows = 8
	// everyOf is the distance of the vertices whose rows are looked up then. Their
	// offsets are still on the way from memory: adding up all of them took a third
	// of the search of a grid.
	everyOf = 8
)

// entries adds up the rows of the vertices found, by a sample if they are alike
// and many.
func (m *machine) entries(found []uint32, alike bool) (sum int64) {
	stride := 1
	if alike && len(found) > 8*everyOf {
		stride = everyOf
	}
	taken := int64(0)
	for i := 0; i < len(found); i += stride {
		sum += m.graph.Out.Degree(found[i])
		taken++
	}
	return sum * int64(len(found)) / max(taken, 1)
}

// advanceLong reads a row piece by piece, with vectors.
func (m *machine) advanceLong(v uint32, found []uint32, me *worker) []uint32 {
	row := m.graph.Out.Row(v)
	me.examined += int64(len(row))
	for ; len(row) > 0; row = row[min(pieceSize, len(row)):] {
		for _, u := range m.expand(row[:min(pieceSize, len(row))], 0, ^uint32(0), me) {
			m.adopt(u, v)
			found = append(found, u)
		}
	}
	return found
}

// sampleLight adds up the rows of the light vertices of the queue, by a sample.
func (m *machine) sampleLight(me *worker) {
	const enough = 512
	stride := len(m.queue)/enough + 1
	for i := 0; i < len(m.queue); i += stride {
		if v := m.queue[i]; !bitset.Set(m.graph.Parents.Hub).Has(uint64(v)) {
			me.light += m.graph.Out.Degree(v) * int64(stride)
		}
	}
}
