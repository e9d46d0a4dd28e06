package cpu

import (
	"math"

	"github.com/gohops/hops/internal/base/bottomup"
)

// bottomUp looks from every unvisited vertex for a neighbour in the frontier, block by
// block, as internal/base/bottomup does it. A worker takes its own blocks first and then
// those that others have left, so that nothing here is atomic but the claims.
func (m *machine) bottomUp() {
	m.needFront()
	m.direct.open = false
	if m.state.Unvisited <= m.maxUnvisited() {
		m.bottomUpListed()
		return
	}
	p := m.prices
	p.start(p.forms[p.bottomUp()].step, func(int) float64 { return p.up(m.state.Unvisited) })
	m.lookBottomUp()
	p.stop(p.up(m.examined()))
	m.front, m.next = m.next, m.front
	m.hasQueue, m.hasFront = false, true
}

// examined is how many entries the running level has examined.
func (m *machine) examined() (sum int64) {
	for w := range m.workers {
		sum += m.workers[w].examined
	}
	return sum
}

// lookBottomUp runs the blocks of a level. A split level looks for hubs alone.
func (m *machine) lookBottomUp() {
	m.newLook()
	if m.splitting {
		m.look.Wants, m.look.Rest = m.hubs.wants, m.hubs.rest
	}
	m.team.Run(m.phases.bottomUp)
	m.counts.maps += mapsUp
}

// newLook makes a bottom-up phase that looks for the frontier as it is now.
func (m *machine) newLook() {
	m.look = bottomup.Level{Rows: &m.rows, Kernels: m.kernels, Front: m.front, Next: m.next, Parents: m.parents}
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
	me.examined += m.look.Block(lo, hi, m.visited[lo:hi], &me.misses)
	for w := lo; w < hi; w++ {
		if found := m.next[w]; found != 0 {
			m.visited[w] |= found
			m.countWord(w, found, me)
		}
	}
}

// hubRest returns the hubs among the neighbours of v that its tail leaves out.
func (m *machine) hubRest(v uint32) []uint32 {
	row := m.graph.In.Row(v)
	if hubs := m.graph.Parents.HubPrefix[v]; hubs < math.MaxUint8 {
		row = row[:hubs]
	}
	return row[min(m.rows.Kept(), len(row)):]
}

// unvisitedShare is the share of all vertices that the lists of unvisited vertices
// have room for: one in so many. Longer lists take more memory, and pay in few levels.
const unvisitedShare = 512

// maxUnvisited is the number of unvisited vertices up to which levels go by list.
func (m *machine) maxUnvisited() int64 { return int64(len(m.unvisited)) }

// bottomUpListed is bottomUp by list. The unvisited vertices are listed once in a
// search, each worker its own.
func (m *machine) bottomUpListed() {
	if !m.hasUnvisited {
		m.queueEnd.Store(0)
		m.team.Run(m.phases.listUnvisited)
		m.hasUnvisited = true
		m.counts.maps++
	}
	m.queueEnd.Store(0)
	m.queue = m.queue[:cap(m.queue)]
	m.newLook()
	m.counts.maps, m.counts.listed = m.counts.maps+1, true
	m.team.Run(m.phases.probeListed)
	m.queue = m.queue[:m.queueEnd.Load()]
	m.front, m.next = m.next, m.front
	m.hasQueue, m.hasFront = true, true
}

// listUnvisitedWorker lists the unvisited vertices of this worker.
func (m *machine) listUnvisitedWorker(id int) {
	me := &m.workers[id]
	count := (me.hi-me.lo)*64 - m.visited[me.lo:me.hi].Count()
	first := m.queueEnd.Add(count) - count
	me.unvisited = bottomup.AppendUnvisited(m.unvisited[first:first:first+count], m.visited[me.lo:me.hi], me.lo)
}

// probeListedWorker looks for parents of the unvisited vertices of this worker.
func (m *machine) probeListedWorker(id int) {
	me := &m.workers[id]
	clear(m.next[me.lo:me.hi])
	left, found, examined := m.look.List(me.unvisited, m.visited)
	me.unvisited = left
	me.examined += examined
	me.found += int64(len(found))
	for _, v := range found {
		m.addEntries(v, me)
	}
	copy(m.queue[m.queueEnd.Add(int64(len(found)))-int64(len(found)):], found)
}

// split runs a level in both directions, for a frontier for which neither direction
// is good: it has too many edges to be read top-down, because of a few hubs, and too
// few vertices to be found early in every row bottom-up.
//
// Rows are ordered by falling degree, and HubPrefix says how many hubs stand at the
// front of each. So unvisited vertices look for the hubs of the frontier, which have
// most of its edges, bottom-up in these few entries of each row; the rows of all other
// frontier vertices are read top-down. On a Kronecker graph of scale 20, a frontier of
// 1,330 vertices has 2.66 M edges; bottom-up examines 1.52 M entries for it, the split
// 0.92 M bottom-up and 0.16 M top-down.
func (m *machine) split() {
	m.needQueue()
	m.needFront()
	m.splitting = true
	m.lookBottomUp()
	for w := range m.workers { // finishWorker counts what both halves have found
		m.counts.upward += m.workers[w].examined
		m.workers[w].found, m.workers[w].edges, m.workers[w].nonHub = 0, 0, 0
	}
	m.readRows()
	m.splitting = false
	m.front, m.next = m.next, m.front
	m.hasQueue, m.hasFront = false, true
}

// isHubEntry tells whether entry k of the row of v is a hub.
func (m *machine) isHubEntry(v uint32, k int) bool { return k < int(m.graph.Parents.HubPrefix[v]) }
