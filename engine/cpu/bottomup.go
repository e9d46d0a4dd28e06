package cpu

import (
	"math"

	"github.com/gohops/hops/internal/kernel"
	"github.com/gohops/hops/internal/tails"
)

// bottomUp looks from every unvisited vertex for a neighbour in the frontier.
//
// A worker takes blocks of 4,096 vertices, its own first and then what others
// have left, so that nothing here is atomic but the handing out. For each block:
//
//  1. the heads of all open vertices are probed: an array read in order against
//     a bitmap that fits in the second-level cache. On a Kronecker graph this
//     settles nearly everything;
//  2. those that missed and have more neighbours form a list, for which the next
//     ones are probed, a column of the tails at a time;
//  3. rows that go on where these tails are cut off are scanned to their end;
//  4. what was found is booked.
func (m *machine) bottomUp() {
	m.needFront()
	if m.state.Unvisited <= m.maxUnvisited() {
		m.bottomUpListed()
		return
	}
	m.team.Run(m.phases.bottomUp)
	m.front, m.next = m.next, m.front
	m.hasQueue, m.hasFront = false, true
}

func (m *machine) bottomUpWorker(id int) {
	me := &m.workers[id]
	for _, owner := range me.stealOrder {
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
		Visited: &m.visited[lo], Next: &m.next[lo], More: &m.graph.Parents.More[lo],
		Head: &m.graph.Parents.Head[lo*64], Front: &m.front[0], Parents: &m.parents[lo*64],
		Misses: &me.list.Vertices[0], Words: hi - lo, First: uint64(lo * 64),
	}
	block := lo / blockWords
	m.tails.Expect(block, m.kernels, &me.list)
	m.kernels.ProbeHeads(&heads)
	me.examined += heads.Examined
	if heads.Missed > 0 {
		m.probeTails(block, heads.Missed, me)
	}
	for w := lo; w < hi; w++ {
		if found := m.next[w]; found != 0 {
			m.visited[w] |= found
			m.countWord(w, found, me)
		}
	}
}

// probeTails looks at what follows the heads of the vertices on the list. A split
// level is interested in the heavy neighbours alone.
func (m *machine) probeTails(block, missed int64, me *worker) {
	probe := tails.Probe{Kernels: m.kernels, Front: m.front, Next: m.next, Parents: m.parents}
	if m.splitting {
		probe.Wants = m.wantsHub
	}
	examined, open := m.tails.Look(block, missed, &probe, &me.list)
	me.examined += examined
	for _, v := range open {
		m.scanRest(v, m.rest(v), me)
	}
}

// rest is what the tail of v leaves out.
func (m *machine) rest(v uint32) []uint32 {
	row := m.graph.In.Row(v)
	if heavy := m.graph.Parents.HubPrefix[v]; m.splitting && heavy < math.MaxUint8 {
		row = row[:heavy]
	}
	return row[min(1+tails.Longest, len(row)):]
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
