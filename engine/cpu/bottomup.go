package cpu

import "unsafe"

// bottomUp looks from every unvisited vertex for a neighbour in the frontier.
//
// A worker takes blocks of 4,096 vertices, its own first and then what others
// have left, so that nothing here is atomic but the handing out. For each block:
//
//  1. the heads of all open vertices are probed: an array read in order against
//     a bitmap that fits in the second-level cache. On a Kronecker graph this
//     settles nearly everything;
//  2. those that missed, and have more neighbours, form a list; their next
//     neighbours are probed, one of each at a time, a few times over;
//  3. the few that are still undecided are scanned to the end of their rows;
//  4. what was found is booked.
func (m *machine) bottomUp() {
	m.wantFront()
	m.team.Run(m.phases.bottomUp)
	m.front, m.next = m.next, m.front
	m.hasQueue, m.hasFront = false, true
}

// tailRounds is how many neighbours are probed row by row before the rest is
// scanned along the row. After eight, what is left of a list no longer fills
// the lanes.
const tailRounds = 8

// scratch is room for the lists of one block.
type scratch struct {
	vertices, pos, end, hits []uint32
}

func newScratch() scratch {
	const room = blockWords*64 + vectorSlack
	all := make([]uint32, 4*room)
	return scratch{all[:room:room], all[room:][:room:room], all[2*room:][:room:room], all[3*room:]}
}

func (m *machine) bottomUpWorker(id int) {
	me := &m.workers[id]
	for i := range m.workers {
		owner := (id + i) % len(m.workers)
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
	heads := headProbe{
		visited: &m.visited[lo], next: &m.next[lo], tail: &m.graph.Tail[lo],
		head: &m.graph.Head[lo*64], front: &m.front[0], parents: &m.parents[lo*64],
		misses: &me.probe.vertices[0], words: hi - lo, first: uint64(lo * 64),
	}
	m.kernels.probeHeads(&heads)
	me.examined += heads.examined
	if heads.missed > 0 {
		m.probeTails(me, heads.missed)
	}
	for w := lo; w < hi; w++ {
		if found := m.next[w]; found != 0 {
			m.visited[w] |= found
			m.book(w, found, me)
		}
	}
}

// probeTails looks at what follows the heads of the vertices on the list.
func (m *machine) probeTails(me *worker, missed int64) {
	list := &me.probe
	base := m.graph.Offsets[list.vertices[0]]
	count := int64(0)
	for _, v := range list.vertices[:missed] {
		start, end := m.graph.Offsets[v], m.graph.Offsets[v+1]
		if m.splitting {
			end = min(end, start+int64(m.graph.HeavyPrefix[v]))
		}
		list.vertices[count], list.pos[count], list.end[count] = v, uint32(start+1-base), uint32(end-base)
		if start+1 < end {
			count++
		}
	}
	tails := tailProbe{
		neighbors: unsafe.SliceData(m.graph.Neighbors[base:]), front: &m.front[0], parents: &m.parents[0],
		vertices: &list.vertices[0], pos: &list.pos[0], end: &list.end[0], hits: &list.hits[0], count: count,
	}
	for round := 0; round < tailRounds && tails.count > vectorSlack; round++ {
		me.examined += tails.count
		m.kernels.probeTails(&tails)
		for _, v := range list.hits[:tails.found] {
			m.next[v>>6] |= 1 << (v & 63)
		}
	}
	for i, v := range list.vertices[:tails.count] {
		m.scanRest(v, m.graph.Neighbors[base:][list.pos[i]:list.end[i]], me)
	}
}

// scanRest looks at the neighbours of v that are left.
func (m *machine) scanRest(v uint32, rest []uint32, me *worker) {
	i := m.kernels.scanRow(rest, &m.front[0])
	if i < 0 {
		me.examined += int64(len(rest))
		return
	}
	me.examined += int64(i) + 1
	m.parents[v] = rest[i]
	m.next.Add(uint64(v))
}
