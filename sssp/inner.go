package sssp

import (
	"sort"
	"unsafe"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/par"
)

// innerStep is the name of the level that gives the inner vertices of chains their distances.
const innerStep = "top-down-chains"

// seedInner starts a search from an inner vertex: it reaches both ends of the vertex's chain.
func (m *queues[D]) seedInner(root uint32) {
	c := m.chains
	at := c.innerAt[int(root)-m.slots()-1]
	m.rootChain = sort.Search(len(c.list), func(i int) bool { return c.list[i].first > at }) - 1
	m.rootInner = at
	l, before := &c.list[m.rootChain], c.before[at]
	m.queued, m.seeded = 0, 0
	for end, far := range [2]D{D(before), D(l.sum - before)} {
		if s := &m.states[l.ends[end]]; far < s.far {
			if s.far == inf[D]() {
				m.seeded++
			}
			*s = state[D]{far, root}
			m.queued++
			m.add(&m.workers[0], far, l.ends[end])
		}
	}
}

// runInner gives all inner vertices their distances. The distances of the crossings are final.
func (m *queues[D]) runInner(l *hops.Level) {
	m.innerLeft = false
	l.Step, l.Frontier, l.Bucket.Phases = innerStep, m.found, 1
	m.team.Run(m.inner)
	for i := range m.workers {
		m.inexact = m.inexact || m.workers[i].farthest >= m.exactBelow()
	}
	if m.rootChain >= 0 {
		m.fillRootChain()
		m.workers[0].found += m.seeded - 1 // the root is an inner vertex that was found before
	}
}

// exactBelow is the bound below which sums of integers are exact.
func (m *queues[D]) exactBelow() D {
	if unsafe.Sizeof(D(0)) == 4 {
		return exactSums
	}
	return 1 << 53
}

// innerShare gives distances to the inner vertices of a worker's share of the chains, and bounds
// the largest of them.
func (m *queues[D]) innerShare(w int) {
	me, c := &m.workers[w], m.chains
	me.farthest = 0
	lo, hi := par.Split(int64(len(c.list)-1), 1, w, m.team.Size())
	for i := lo; i < hi; i++ {
		m.fillChain(me, &c.list[i], c.list[i+1].first)
	}
	lo, hi = par.Split(int64(m.slots()), 64, w, m.team.Size())
	for _, at := range m.states[lo:hi] {
		if at.far != inf[D]() {
			me.farthest = max(me.farthest, at.far)
		}
	}
	me.farthest += D(c.longest)
}

// fillChain gives distances to the inner vertices of one chain, each from the end by which the way
// is shorter. The choice is unpredictable, so that it is made without a branch.
func (m *queues[D]) fillChain(me *queueWorker[D], l *chain, behind uint32) {
	c, states := m.chains, m.states[m.slots()+1:]
	path := c.inner[l.first:behind]
	before, at := c.before[l.first:behind][:len(path)], c.position[l.first:behind][:len(path)]
	from, to := m.states[l.ends[0]].far, m.states[l.ends[1]].far
	if from == inf[D]() { // and so is the other end
		for _, p := range at {
			states[p] = state[D]{inf[D](), none}
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
		states[at[i]] = state[D]{D(min(far, other)), parent}
		parent = label
	}
	count := int64(len(path))
	me.examined, me.found, me.lowerings = me.examined+count, me.found+count, me.lowerings+count
}

// fillRootChain lowers the distances of the vertices of the root's own chain that a way along the
// chain reaches sooner than a way by its ends.
func (m *queues[D]) fillRootChain() {
	c, states := m.chains, m.states[m.slots()+1:]
	root, l := m.rootInner, c.list[m.rootChain:]
	states[c.position[root]] = state[D]{0, c.inner[root]}
	for i := root + 1; i < l[1].first; i++ {
		if far := D(c.before[i] - c.before[root]); far < states[c.position[i]].far {
			states[c.position[i]] = state[D]{far, c.inner[i-1]}
		}
	}
	for i := root; i > l[0].first; i-- {
		if far := D(c.before[root] - c.before[i-1]); far < states[c.position[i-1]].far {
			states[c.position[i-1]] = state[D]{far, c.inner[i]}
		}
	}
}

// relabelCrossings replaces the parents of crossings, which are slots, by the labels of the
// neighbours on the chains to them.
func (m *queues[D]) relabelCrossings(w int) {
	lo, hi := par.Split(int64(m.slots()), 64, w, m.team.Size())
	for s := uint32(lo); s < uint32(hi); s++ {
		switch at := &m.states[s]; {
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

// viaOf returns the neighbour from which a crossing was reached: the last vertex of a chain from
// its parent whose weight is the difference of their distances.
func (m *queues[D]) viaOf(slot uint32, at state[D]) uint32 {
	for {
		q := &m.segments[slot]
		for i, e := range q {
			if e < infinite && e.slot() == at.parent && m.states[at.parent].far+D(e.weight()) == at.far {
				return m.chains.via[slot][i]
			}
		}
		slot = q[3].slot()
	}
}

// nextOnRootChain returns the neighbour from which an end of the root's chain was reached along it.
func (m *queues[D]) nextOnRootChain(slot uint32, far D) uint32 {
	c, l := m.chains, m.chains.list[m.rootChain:]
	if l[0].ends[0] == slot && D(c.before[m.rootInner]) == far {
		return c.inner[l[0].first]
	}
	return c.inner[l[1].first-1]
}
