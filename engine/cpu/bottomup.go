package cpu

import (
	"math"

	"github.com/gohops/hops/internal/bottomup"
)

// bottomUp looks from every unvisited vertex for a neighbour in the frontier, block by
// block, as internal/bottomup does it. A worker takes its own blocks first and then
// those that others have left, so that nothing here is atomic but the claims.
func (m *machine) bottomUp() {
	m.needFront()
	if m.state.Unvisited <= m.maxUnvisited() {
		m.bottomUpListed()
		return
	}
	m.lookBottomUp()
	m.front, m.next = m.next, m.front
	m.hasQueue, m.hasFront = false, true
}

// lookBottomUp runs the blocks of a level. A split level looks for hubs alone.
func (m *machine) lookBottomUp() {
	m.newLook()
	if m.splitting {
		m.look.Wants, m.look.Rest = m.hubs.wants, m.hubs.rest
	}
	m.team.Run(m.phases.bottomUp)
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
	return row[min(1+bottomup.Longest, len(row)):]
}
