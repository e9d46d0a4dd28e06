package cpu

import (
	"unsafe"

	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/kernel"
)

// topDownSerial runs a top-down level on the calling worker alone, from queue to
// queue. Graphs of high diameter have thousands of these levels, and their cost is
// waiting for memory: a vertex found needs its offsets, then its row, and then the
// words and parents of its neighbours, each a cache miss that depends on the one
// before. So the level that finds a vertex prefetches its offsets, and the next level
// prefetches its row some vertices before it reads it. With that, a branch on whether a
// neighbour is new costs less than all branch-free forms that were tried.
func (m *machine) topDownSerial() {
	me := &m.workers[0]
	found := m.spare[:0]
	for rest := m.queue; len(rest) > 0; {
		a := kernel.Advance{
			Queue: &rest[0], Count: int64(len(rest)), Visited: &m.visited[0], Parents: &m.parents[0],
			Offsets: &m.graph.Out.Offsets[0], Neighbors: unsafe.SliceData(m.graph.Out.Neighbors),
			Out: unsafe.SliceData(found[len(found):cap(found)]), Room: int64(cap(found) - len(found)),
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
	me.edges, me.long = m.entries(found, me.examined <= shortRows*int64(len(m.queue)))
	m.queue, m.spare = found, m.queue
	m.hasQueue, m.hasFront = true, false
	m.state.Remaining += m.state.Edges - me.examined // replaces an estimate by the count
	if !clearlySmall(me.edges, &m.state) {
		m.sampleNonHubs(me)
	}
}

const (
	// shortRows is the mean row length of a frontier up to which its rows are short.
	shortRows = 8
	// degreeStride is the distance of the vertices whose row lengths are sampled, at
	// least, once there are many. The offsets of vertices just found are still on their way from
	// memory: adding up the lengths of all of them took a third of the search of a grid,
	// and on a Kronecker graph twice as long as finding them.
	degreeStride = 8
	// shortExact and longExact are how many vertices are added up without sampling:
	// after short rows, and after long ones, whose first entries are hubs.
	shortExact = 16
	longExact  = 256
	// shortSamples is how many of the others are sampled after short rows, at most.
	shortSamples = 16
)

// entries adds up the lengths of the rows of the vertices found, and of the long ones among them.
// It counts the first ones and samples the others, if they are many: rows are ordered by falling
// degree, and so the lengths of those that are sampled hardly differ from one to the next.
func (m *machine) entries(found []uint32, short bool) (sum, long int64) {
	exact, stride := longExact, degreeStride
	if short {
		exact, stride = shortExact, max(degreeStride, len(found)/shortSamples)
	}
	first := found[:min(exact, len(found))]
	for _, v := range first {
		length := m.graph.Out.Degree(v)
		if sum += length; length >= longRow {
			long += length
		}
	}
	rest := found[len(first):]
	sampled, sampledLong, taken := int64(0), int64(0), int64(0)
	for i := stride / 2; i < len(rest); i += stride {
		length := m.graph.Out.Degree(rest[i])
		if sampled += length; length >= longRow {
			sampledLong += length
		}
		taken++
	}
	taken = max(taken, 1)
	each := int64(len(rest))
	return sum + sampled*each/taken, long + sampledLong*each/taken
}

// advanceLong reads a row that is too long for the kernel Advance, piece by piece.
func (m *machine) advanceLong(v uint32, found []uint32, me *worker) []uint32 {
	row := m.graph.Out.Row(v)
	me.examined += int64(len(row))
	for ; len(row) > 0; row = row[min(pieceSize, len(row)):] {
		for _, u := range m.expand(row[:min(pieceSize, len(row))], 0, ^uint32(0), me) {
			if m.visited.Has(uint64(u)) {
				continue // an entry that is twice in the row
			}
			m.adopt(u, v)
			found = append(found, u)
		}
	}
	return found
}

// sampleNonHubs estimates the row entries of the vertices of the queue that are no hubs.
func (m *machine) sampleNonHubs(me *worker) {
	if m.unasked {
		return
	}
	const sampled = 512
	stride := len(m.queue)/sampled + 1
	for i := 0; i < len(m.queue); i += stride {
		if v := m.queue[i]; !bitset.Set(m.graph.Parents.Hub).Has(uint64(v)) {
			me.nonHub += m.graph.Out.Degree(v) * int64(stride)
		}
	}
}
