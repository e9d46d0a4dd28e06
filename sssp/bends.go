package sssp

import (
	"sort"
	"unsafe"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/par"
)

// bendsStep is the name of the level that gives the bends of chains their distances.
const bendsStep = "top-down-chains"

// seedBend starts a search from a bend, whose slot is not that of a crossing: the ends of its chain are reached.
func (m *queues[D]) seedBend(root uint32) {
	c := m.chains
	bend := c.bendAt[int(root)-m.slots()-1]
	m.rootChain = sort.Search(len(c.list), func(i int) bool { return c.list[i].first > bend }) - 1
	m.rootBend = bend
	l, before := &c.list[m.rootChain], c.before[bend]
	m.queued, m.seeded = 0, 0
	for end, far := range [2]D{D(before), D(l.sum - before)} {
		if at := &m.places[l.ends[end]]; far < at.far {
			if at.far == inf[D]() {
				m.seeded++
			}
			*at = place[D]{far, root}
			m.queued++
			m.add(&m.workers[0], far, l.ends[end])
		}
	}
}

// runBends gives all bends their distances, when those of the crossings are final.
func (m *queues[D]) runBends(l *hops.Level) {
	m.bendsLeft = false
	l.Step, l.Frontier, l.Bucket.Phases = bendsStep, m.found, 1
	m.team.Run(m.bend)
	for i := range m.workers {
		m.inexact = m.inexact || m.workers[i].farthest >= m.exactBelow()
	}
	if m.rootChain >= 0 {
		m.fillRootChain()
		m.workers[0].found += m.seeded - 1 // the root is a bend that was found before
	}
}

// exactBelow is the bound below which sums of integers are exact.
func (m *queues[D]) exactBelow() D {
	if unsafe.Sizeof(D(0)) == 4 {
		return exactSums
	}
	return 1 << 53
}

// bendShare gives distances to the bends of a worker's share of the chains, and notes how far they are at
// most.
func (m *queues[D]) bendShare(w int) {
	me, c := &m.workers[w], m.chains
	me.farthest = 0
	lo, hi := par.Split(int64(len(c.list)-1), 1, w, m.team.Size())
	for i := lo; i < hi; i++ {
		m.fillChain(me, &c.list[i], c.list[i+1].first)
	}
	lo, hi = par.Split(int64(m.slots()), 64, w, m.team.Size())
	for _, at := range m.places[lo:hi] {
		if at.far != inf[D]() {
			me.farthest = max(me.farthest, at.far)
		}
	}
	me.farthest += D(c.longest)
}

// fillChain gives distances to the bends of one chain, from the end by which the way is shorter. Which it
// is no one can predict, so that there is no branch.
func (m *queues[D]) fillChain(me *queueWorker[D], l *chain, behind uint32) {
	c, places := m.chains, m.places[m.slots()+1:]
	path := c.bends[l.first:behind]
	before, at := c.before[l.first:behind][:len(path)], c.place[l.first:behind][:len(path)]
	from, to := m.places[l.ends[0]].far, m.places[l.ends[1]].far
	if from == inf[D]() { // and so is the other end
		for _, p := range at {
			places[p] = place[D]{inf[D](), none}
		}
		return
	}
	first, second := int64(from), int64(to)+int64(l.sum)
	last, parent := m.label[l.ends[1]], m.label[l.ends[0]]
	for i, label := range path {
		next := last
		if i+1 < len(path) {
			next = path[i+1]
		}
		far, other := first+int64(before[i]), second-int64(before[i])
		if other < far {
			parent = next
		}
		places[at[i]] = place[D]{D(min(far, other)), parent}
		parent = label
	}
	count := int64(len(path))
	me.examined, me.found, me.lowerings = me.examined+count, me.found+count, me.lowerings+count
}

// fillRootChain lowers the distances of the bends that are nearer to the root, a bend of their chain, than by
// way of an end.
func (m *queues[D]) fillRootChain() {
	c, places := m.chains, m.places[m.slots()+1:]
	root, l := m.rootBend, c.list[m.rootChain:]
	places[c.place[root]] = place[D]{0, c.bends[root]}
	for i := root + 1; i < l[1].first; i++ {
		if far := D(c.before[i] - c.before[root]); far < places[c.place[i]].far {
			places[c.place[i]] = place[D]{far, c.bends[i-1]}
		}
	}
	for i := root; i > l[0].first; i-- {
		if far := D(c.before[root] - c.before[i-1]); far < places[c.place[i-1]].far {
			places[c.place[i-1]] = place[D]{far, c.bends[i]}
		}
	}
}

// relabelCrossings puts labels in place of the slots of the parents of crossings: that of the neighbour
// from which the chain leads on.
func (m *queues[D]) relabelCrossings(w int) {
	lo, hi := par.Split(int64(m.slots()), 64, w, m.team.Size())
	for s := uint32(lo); s < uint32(hi); s++ {
		switch at := &m.places[s]; {
		case at.parent == none:
		case at.parent == s: // the root
			at.parent = m.label[s]
		case int(at.parent) > m.slots():
			at.parent = m.nextOnRootChain(s, at.far)
		default:
			at.parent = m.viaOf(s, *at)
		}
	}
}

// viaOf returns the neighbour from which a crossing was reached: the one by which it leads to its parent
// over the distance between them.
func (m *queues[D]) viaOf(slot uint32, at place[D]) uint32 {
	for {
		q := &m.quads[slot]
		for i, e := range q {
			if e < infinite && e.slot() == at.parent && m.places[at.parent].far+D(e.weight()) == at.far {
				return m.chains.via[slot][i]
			}
		}
		slot = q[3].slot()
	}
}

// nextOnRootChain returns the neighbour from which an end of the root's chain was reached along it.
func (m *queues[D]) nextOnRootChain(slot uint32, far D) uint32 {
	c, l := m.chains, m.chains.list[m.rootChain:]
	if l[0].ends[0] == slot && D(c.before[m.rootBend]) == far {
		return c.bends[l[0].first]
	}
	return c.bends[l[1].first-1]
}
