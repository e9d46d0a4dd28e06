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
	offsets := m.graph.Out.Offsets
	for _, v := range found {
		me.edges += offsets[v+1] - offsets[v]
	}
	m.queue, m.spare = found, m.queue
	m.hasQueue, m.hasFront = true, false
	if me.edges > m.state.Remaining/clearlySmall {
		m.sampleLight(me)
	}
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
		if v := m.queue[i]; !bitset.Set(m.graph.Heavy).Has(uint64(v)) {
			me.light += m.graph.Out.Degree(v) * int64(stride)
		}
	}
}
