package cpu

import (
	"math"
	"unsafe"

	"github.com/gohops/hops/internal/kernel"
)

// bottomUp looks from every unvisited vertex for a neighbour in the frontier.
//
// A worker takes blocks of 4,096 vertices, its own first and then what others
// have left, so that nothing here is atomic but the handing out. For each block:
//
//  1. the heads of all open vertices are probed: an array read in order against
//     a bitmap that fits in the second-level cache. On a Kronecker graph this
//     settles nearly everything;
//  2. those that missed and have more neighbours form a list; the next ones are
//     probed, one of each row at a time, until few rows are left, which are
//     scanned one by one;
//  3. rows that go on where these tails are cut off are scanned to their end;
//  4. what was found is booked.
func (m *machine) bottomUp() {
	m.wantFront()
	if m.state.Unvisited <= m.fewLeft() {
		m.bottomUpLeft()
		return
	}
	m.team.Run(m.phases.bottomUp)
	m.front, m.next = m.next, m.front
	m.hasQueue, m.hasFront = false, true
}

// scratch is room for the lists of one block.
type scratch struct {
	vertices, pos, end, hits, long []uint32
}

func newScratch() (s scratch) {
	const room = blockWords*64 + kernel.Slack
	for _, list := range []*[]uint32{&s.vertices, &s.pos, &s.end, &s.hits, &s.long} {
		*list = make([]uint32, room)
	}
	return s
}

func (m *machine) bottomUpWorker(id int) {
	me := &m.workers[id]
	for _, owner := range me.help {
		for {
			lo, hi, ok := m.claimBlock(owner)
			if !ok {
				break
			}
			m.probeBlock(lo, hi, me)
		}
	}
}

func (m *machine) probeBlock(lo, hi int64, me *worker) {
	heads := kernel.HeadProbe{
		Visited: &m.visited[lo], Next: &m.next[lo], Tail: &m.graph.Tail[lo],
		Head: &m.graph.Head[lo*64], Front: &m.front[0], Parents: &m.parents[lo*64],
		Misses: &me.probe.vertices[0], Words: hi - lo, First: uint64(lo * 64),
	}
	m.kernels.ProbeHeads(&heads)
	me.examined += heads.Examined
	if heads.Missed > 0 {
		m.probeTails(lo/blockWords, heads.Missed, me)
	}
	for w := lo; w < hi; w++ {
		if found := m.next[w]; found != 0 {
			m.visited[w] |= found
			m.book(w, found, me)
		}
	}
}

// probeTails looks at what follows the heads of the vertices on the list.
func (m *machine) probeTails(block, missed int64, me *worker) {
	list := &me.probe
	count, long := m.listTails(block, missed, list)
	entries := m.tails.entries[m.tails.base[block]:]
	probe := kernel.TailProbe{
		Neighbors: unsafe.SliceData(entries), Front: &m.front[0], Parents: &m.parents[0],
		Vertices: &list.vertices[0], Pos: &list.pos[0], End: &list.end[0], Hits: &list.hits[0], Count: count,
	}
	for probe.Count > kernel.Slack {
		me.examined += probe.Count
		m.kernels.ProbeTails(&probe)
		for _, v := range list.hits[:probe.Found] {
			m.next[v>>6] |= 1 << (v & 63)
		}
	}
	for i, v := range list.vertices[:probe.Count] {
		m.scanRest(v, entries[list.pos[i]:list.end[i]], me)
	}
	for _, v := range list.long[:long] {
		if !m.next.Has(uint64(v)) {
			m.scanRest(v, m.rest(v), me)
		}
	}
}

// rest is what the tail of v leaves out.
func (m *machine) rest(v uint32) []uint32 {
	row := m.graph.In.Row(v)
	if heavy := m.graph.HeavyPrefix[v]; m.splitting && heavy < math.MaxUint8 {
		row = row[:heavy]
	}
	return row[min(1+longestTail, len(row)):]
}

// listTails finds the tails of the vertices on the list, and lists those that
// may be cut off. A split level is interested in the heavy neighbours alone.
func (m *machine) listTails(block, missed int64, list *scratch) (count, long int64) {
	pos := m.tails.pos[block:]
	for _, v := range list.vertices[:missed] {
		start, end := uint32(pos[v]), uint32(pos[v+1])
		if m.splitting {
			end = min(end, start+max(1, uint32(m.graph.HeavyPrefix[v]))-1)
		}
		list.vertices[count], list.pos[count], list.end[count] = v, start, end
		if start < end {
			count++
		}
		list.long[long] = v
		if end-start == longestTail {
			long++
		}
	}
	return count, long
}

// scanRest looks at the neighbours of v that are left.
func (m *machine) scanRest(v uint32, rest []uint32, me *worker) {
	i := m.kernels.ScanRow(rest, &m.front[0])
	if i < 0 {
		me.examined += int64(len(rest))
		return
	}
	me.examined += int64(i) + 1
	m.parents[v] = rest[i]
	m.next.Add(uint64(v))
}
