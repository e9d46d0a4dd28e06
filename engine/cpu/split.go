package cpu

// A split level is for a frontier for which neither direction is good: it has
// too many edges to be read top-down, because of a few heavy vertices, and too
// few vertices to be met early by every row bottom-up.
//
// Rows are ordered by falling degree, and it is known how many heavy neighbours
// stand at the front of each. So the heavy vertices of the frontier, with most of
// its edges, are looked for bottom-up, in these few entries of each row; the
// light ones, with few edges, are read top-down. On a Kronecker graph of scale
// 20, a frontier of 1,330 vertices has 2.66 M edges; bottom-up examines 1.52 M
// entries for it, the split 0.92 M and 0.16 M.
func (m *machine) split() {
	m.wantQueue()
	m.wantFront()
	m.splitting = true
	m.team.Run(m.phases.bottomUp)
	for w := range m.workers { // finish counts what both halves found
		m.workers[w].found, m.workers[w].edges, m.workers[w].light = 0, 0, 0
	}
	m.team.Run(m.phases.remember)
	m.expandAll()
	m.team.Run(m.phases.finish)
	m.splitting = false
	m.front, m.next = m.next, m.front
	m.hasQueue, m.hasFront = false, true
}

// heavyFirst tells whether entry k of the row of v is a heavy neighbour.
func (m *machine) heavyFirst(v uint32, k int) bool { return k < int(m.graph.Parents.HubPrefix[v]) }
