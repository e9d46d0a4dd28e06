package cpu

import "github.com/gohops/hops/internal/bottomup"

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
	}
	m.queueEnd.Store(0)
	m.queue = m.queue[:cap(m.queue)]
	m.newLook()
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
		m.addEntries(v, 1, me)
	}
	copy(m.queue[m.queueEnd.Add(int64(len(found)))-int64(len(found)):], found)
}
