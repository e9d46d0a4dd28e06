package cpu

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
		m.workers[w].found, m.workers[w].edges, m.workers[w].nonHub = 0, 0, 0
	}
	m.team.Run(m.phases.saveVisited)
	m.expandAll()
	m.team.Run(m.phases.finish)
	m.splitting = false
	m.front, m.next = m.next, m.front
	m.hasQueue, m.hasFront = false, true
}

// isHubEntry tells whether entry k of the row of v is a hub.
func (m *machine) isHubEntry(v uint32, k int) bool { return k < int(m.graph.Parents.HubPrefix[v]) }
