package cpu

import (
	"unsafe"

	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/kernel"
)

// A small top-down level is run by the calling worker alone, from queue to
// queue. Graphs of high diameter have thousands of these, and their cost is
// waiting: for rows that are not in the cache, and for branches on whether a
// neighbour is new, which nobody can predict. So a level goes through its queue
// in passes without such branches, in which no iteration waits for another:
//
//  1. the rows of the frontier are read, those ahead fetched, and neighbours that
//     are not visited listed together with the vertex they were reached from. A
//     vertex may be on the list several times;
//  2. all of these are stored as parents. The last one to reach a vertex stays;
//  3. whoever finds itself to be the parent keeps the vertex, so that each is
//     kept once;
//  4. what was kept is marked as visited, and its rows are added up, which also
//     brings their offsets into the cache for the next level.

func (m *machine) topDownSerial() {
	me := &m.workers[0]
	list, from := me.probe.hits, me.probe.pos
	out := m.spare[:0]
	for rest := m.queue; len(rest) > 0; {
		h := kernel.Harvest{
			Queue: &rest[0], Count: int64(len(rest)), Visited: &m.visited[0],
			Offsets: &m.graph.Out.Offsets[0], Neighbors: unsafe.SliceData(m.graph.Out.Neighbors),
			Out: &list[0], From: &from[0], Room: blockWords * 64,
		}
		m.kernels.Harvest(&h)
		me.examined += h.Examined
		out = m.settle(list[:h.Kept], from, out, me)
		rest = rest[h.Done:]
		if h.Done == 0 { // a row that is longer than the list
			out = m.harvestLong(rest[0], out, me)
			rest = rest[1:]
		}
	}
	me.found = int64(len(out))
	m.queue, m.spare = out, m.queue
	m.hasQueue, m.hasFront = true, false
	if me.edges > m.state.Remaining/clearlySmall {
		m.sampleLight(me)
	}
}

// harvestLong reads a row piece by piece.
func (m *machine) harvestLong(v uint32, out []uint32, me *worker) []uint32 {
	row := m.graph.Out.Row(v)
	me.examined += int64(len(row))
	for from := me.probe.pos; len(row) > 0; row = row[min(pieceSize, len(row)):] {
		list := m.expand(row[:min(pieceSize, len(row))], 0, ^uint32(0), me)
		for i := range list {
			from[i] = v
		}
		out = m.settle(list, from, out, me)
	}
	return out
}

// settle appends the vertices of the list to the queue, each once.
func (m *machine) settle(list, from, out []uint32, me *worker) []uint32 {
	parents, from := m.parents, from[:len(list)]
	for i, u := range list {
		parents[u] = from[i]
	}
	kept := out[len(out):cap(out)]
	count := 0
	for i, u := range list {
		kept[count] = u
		mine := 0
		if parents[u] == from[i] {
			mine = 1
		}
		count += mine
	}
	offsets, edges := m.graph.Out.Offsets, int64(0)
	for _, u := range kept[:count] {
		m.visited[u>>6] |= 1 << (u & 63)
		edges += offsets[u+1] - offsets[u]
	}
	me.edges += edges
	return out[:len(out)+count]
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
