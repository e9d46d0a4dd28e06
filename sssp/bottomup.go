package sssp

import (
	"math"

	"github.com/gohops/hops/internal/base/bucket"
	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/internal/base/prefetch"
)

// pullBlock is how many candidates a worker looks at together: their distances, and the distances
// at the ends of their lightest entries, are loaded at once, so that cache misses overlap.
const pullBlock = 32

// pullQueue is how many vertices that read more than one entry a worker lets wait for
// their rows: enough for all cache misses that a core has in flight, few enough for the
// first-level cache.
const pullQueue = 64

// sweepChunk is how many candidates a worker claims at a time.
const sweepChunk = 64 * pullBlock

// The next bound is at least so many times as far from D₀ as the last. The first vertices that pull
// have the longest rows, and most of them are carried on if the bound is far.
const (
	firstReach = 0.75
	laterReach = 1.5
)

// bottomUp moves the bound, which is a power of two away from D₀, and lets all vertices pull that
// have an entry which can matter below it. If the bound moves too little, many vertices wake and
// few are found.
func (m *machine[D]) bottomUp(from D) error {
	times := laterReach
	if !m.ready {
		times = firstReach
	}
	to := bucket.Doubled(times * float64(max(from-m.near, m.width)))
	for m.near+D(to) <= from {
		to *= 2
	}
	if m.bound = m.near + D(to); to > m.Heaviest {
		to, m.bound = float32(math.Inf(1)), inf[D]()
	}
	if !m.ready {
		m.ready, m.fixed, m.flushing = true, true, true
		m.team.Run(m.flush)
		for i := range m.workers {
			m.workers[i].records = m.workers[i].records[:0]
		}
		_, err := m.deliver()
		if err == nil {
			err = m.meet()
		}
		if m.flushing = false; err != nil {
			return err
		}
	}
	candidates, _ := m.wake.counts.Below(to)
	_, entries := m.Candidates.Below(to)
	m.wakeTo, m.degree, m.listed = max(m.woken, int(candidates)), max(m.degree, entries), false
	m.firstOnly = m.wakeTo
	if !m.directed {
		m.firstOnly = m.wake.firstOnlyBelow(m.wakeTo, to)
	}
	m.claims.Store(0)
	m.team.Run(m.sweep)
	if err := m.ask(); err != nil {
		return err
	}
	m.woken = m.wakeTo
	return nil
}

// flushNear pushes a worker's share of the rest of the rows of vertices that are nearer than D₀. A
// vertex that gets its first distance so is carried until the distance is final.
func (m *machine[D]) flushNear(w int) {
	me := &m.workers[w]
	me.flushed = me.flushed[:0]
	for i := range m.workers {
		for _, r := range m.workers[i].records {
			if r.far < m.near && r.far == m.states[r.slot].load() {
				rest := m.out.row(r.slot)[r.cursor:]
				lo, hi := par.Split(int64(len(rest)), 8, w, len(m.workers))
				m.flushRow(me, r, rest[lo:hi])
			}
		}
	}
	for list := me.flushed; len(list) > 0; {
		some := list[:min(pullQueue, len(list))]
		list = list[len(some):]
		for _, slot := range some {
			m.in.fetchHead(slot)
		}
		for _, slot := range some {
			m.in.fetchFrom(slot, 0)
		}
		for _, slot := range some {
			me.carried.add(m.candidateOf(slot))
		}
	}
}

// flushRow pushes a part of the row of a vertex. Places are fetched for some entries at a time.
func (m *machine[D]) flushRow(me *worker[D], r record[D], row []entry) {
	me.examined += int64(len(row))
	for label := m.labelOf(r.slot); len(row) > 0; {
		some := row[:min(pullQueue, len(row))]
		row = row[len(some):]
		for _, e := range some {
			prefetch.Line(&m.states[min(int(e.slot()), m.slots())])
		}
		for _, e := range some {
			to, sum := e.slot(), r.far+D(e.weight())
			if int(to) > m.slots() {
				me.out = append(me.out, message[D]{sum, to, label})
				continue
			}
			before, lowered := m.states[to].lower(state[D]{sum, label})
			if lowered && before == inf[D]() {
				me.flushed = append(me.flushed, to)
			}
		}
	}
}

// A puller is a vertex that reads more of its row than the entries of its candidate.
type puller[D distance] struct {
	candidate
	before, best D // its distance before, and the least by the entries of the candidate
	parent       uint32
}

// sweepCandidates lets the worker's carried vertices pull, and the vertices that are woken now.
func (m *machine[D]) sweepCandidates(w int) {
	me := &m.workers[w]
	me.fresh.cut(0)
	m.pull(me, &me.carried, 0, me.carried.len(), true)
	for {
		hi := int(m.claims.Add(sweepChunk)) + m.woken
		lo := hi - sweepChunk
		if lo >= m.wakeTo {
			break
		}
		hi = min(hi, m.wakeTo)
		cut := min(max(lo, m.firstOnly), hi)
		m.pull(me, &m.wake.candidates, lo, cut, false)
		m.pullFirstOnly(me, cut, hi)
	}
	m.pullWaiting(me)
	me.carried, me.fresh = me.fresh, me.carried
}

// pull lets candidates pull if they have no distance, or are carried. A vertex that has a distance
// was found, or is carried.
func (m *machine[D]) pull(me *worker[D], list *candidates, lo, hi int, carried bool) {
	least := inf[D]() // a vertex pulls unless its distance is less
	if carried {
		least = m.from
	}
	if m.vectors != noVectors {
		whole := hi
		if m.vectors == avx2 {
			whole -= (hi - lo) % candidatesPerVector
		}
		m.pullVectors(me, list, lo, whole, least)
		lo = whole
	}
	for ; lo < hi; lo += pullBlock {
		m.pullSome(me, list, lo, min(lo+pullBlock, hi), least)
	}
}

// The functions below write the state of a vertex while other workers read it. One worker alone
// pulls for a vertex. A distance is a word, so a reader gets the value before or after, and the
// result is the same with either: a vertex that gets a distance below the bound pushes it to the
// vertices that may have read the value before. Atomic stores would drain the store buffer each
// time, so these functions are hidden from the race detector.

// pullSome lets up to pullBlock vertices pull.
//
//go:norace
func (m *machine[D]) pullSome(me *worker[D], list *candidates, lo, hi int, least D) {
	var firsts, befores [pullBlock]D
	states, near, bound, told := m.states, m.near, m.bound, m.hubs
	for i := lo; i < hi; i++ {
		firsts[i&(pullBlock-1)], befores[i&(pullBlock-1)] = states[list.firsts[i].slot()].far, states[list.slots[i]].far
	}
	examined, found := int64(0), int64(0)
	for i := lo; i < hi; i++ {
		before, first := befores[i&(pullBlock-1)], firsts[i&(pullBlock-1)]
		if before < least {
			continue
		}
		examined++
		weight := D(list.firsts[i].weight())
		best, second := first+weight, D(list.seconds[i].weight())
		if best < before && best < bound && near+second >= best && best+second >= bound && best+weight >= min(bound, first) && list.slots[i] < told && !m.directed {
			found++ // it has nothing to push: see settle
			states[list.slots[i]] = state[D]{best, m.labelOf(list.firsts[i].slot())}
			continue
		}
		m.pullMore(me, list.at(i), before, first)
	}
	me.examined, me.found, me.lowerings = me.examined+examined, me.found+found, me.lowerings+found
}

// pullMore settles a vertex by the entries of its candidate, or lets it wait for its row.
//
//go:norace
func (m *machine[D]) pullMore(me *worker[D], w candidate, before, first D) {
	best, parent, second, weight := before, uint32(none), inf[D](), D(w.second.weight())
	if sum := first + D(w.first.weight()); sum < best {
		best, parent = sum, w.first.slot()
	}
	if m.near+weight < min(best, m.bound) || best+weight < m.bound {
		second = m.states[w.second.slot()].far
		if sum := second + weight; sum < best {
			best, parent = sum, w.second.slot()
		}
	}
	if m.near+D(w.third) >= min(best, m.bound) {
		m.settle(me, w, before, best, parent, first, second)
		return
	}
	m.pullLater(me, puller[D]{w, before, best, parent})
}

// pullLater lets a vertex wait for its row.
func (m *machine[D]) pullLater(me *worker[D], p puller[D]) {
	m.in.fetchHead(p.slot)
	if me.waiting = append(me.waiting, p); len(me.waiting) == pullQueue {
		m.pullWaiting(me)
	}
}

// pullWaiting lets the vertices that wait read their rows. The cache misses of the rows overlap, and
// so do the misses of the distances at the ends of third entries.
//
//go:norace
func (m *machine[D]) pullWaiting(me *worker[D]) {
	var thirds [pullQueue]D
	for i := range me.waiting {
		m.in.fetchFrom(me.waiting[i].slot, 2)
	}
	for i := range me.waiting {
		if row := m.in.row(me.waiting[i].slot); len(row) > 2 && int(row[2].slot()) < m.slots() {
			thirds[i&(pullQueue-1)] = m.states[row[2].slot()].far
		}
	}
	for i := range me.waiting {
		p := &me.waiting[i]
		row, e, away := m.in.row(p.slot), 2, int(p.second.slot()) == m.slots()
		if away { // the candidate may lack the second entry, too
			e = 1
		}
		for ; e < len(row); e++ {
			weight := D(row[e].weight())
			if m.near+weight >= min(p.best, m.bound) {
				break
			}
			other, far := row[e].slot(), thirds[i&(pullQueue-1)]
			if int(other) > m.slots() {
				away = true
				continue
			}
			if e != 2 {
				far = m.states[other].far
			}
			if sum := far + weight; sum < p.best {
				p.best, p.parent = sum, other
			}
		}
		me.examined += int64(e - 1)
		if away {
			me.asking = append(me.asking, asker[D]{*p, row[:e]})
		} else {
			m.settlePuller(me, p)
		}
	}
	me.waiting = me.waiting[:0]
}

// settlePuller settles a vertex after it has read its row.
//
//go:norace
func (m *machine[D]) settlePuller(me *worker[D], p *puller[D]) {
	m.settle(me, p.candidate, p.before, p.best, p.parent, m.states[p.first.slot()].far, m.states[p.second.slot()].far)
}

// settle stores the best distance of a vertex. Below the bound the vertex is found, otherwise it is
// carried. It has something to push if the sum by its first entry is below the bound and below
// first, the distance at the other end; if the sum by its second entry is so too; or if the third
// entry is below the bound. That is known without its row, and on a Kronecker graph most vertices
// have nothing to push.
//
//go:norace
func (m *machine[D]) settle(me *worker[D], w candidate, before, best D, parent uint32, first, second D) {
	if best < before {
		me.lowerings++
		m.states[w.slot] = state[D]{best, m.labelOf(parent)}
	}
	if best >= m.bound {
		me.fresh.add(w)
		return
	}
	lowers := best+D(w.first.weight()) < min(m.bound, first) || best+D(w.second.weight()) < min(m.bound, second) ||
		best+D(w.third) < m.bound
	if lowers || w.slot >= m.hubs || m.directed {
		m.find(me, best, w.slot)
		return
	}
	me.found++
}
