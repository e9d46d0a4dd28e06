package sssp

import (
	"math"

	"github.com/gohops/hops/internal/base/bucket"
	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/internal/base/prefetch"
)

// pullBlock is how many wakers a worker looks at together: their distances, and those of
// the ends of their lightest entries, are loaded at once, so that cache misses overlap.
const pullBlock = 32

// pullQueue is how many vertices that read more than one entry a worker lets wait for
// their rows: enough for all cache misses that a core has in flight, few enough for the
// first-level cache.
const pullQueue = 64

// sweepChunk is how many wakers a worker claims at a time.
const sweepChunk = 64 * pullBlock

// How many times as far from D₀ as the last the next bound is, at least. The first vertices that
// pull have the longest rows, and most of them are carried on if the bound is far.
const (
	firstReach = 0.75
	laterReach = 1.5
)

// bottomUp moves the bound, which is a power of two from D₀, and lets the vertices pull that an
// entry below the bound can matter to. If it moves too little, many vertices wake and few are found.
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
	wakers, _ := m.wake.counts.Below(to)
	_, entries := m.Wakers.Below(to)
	m.wakeTo, m.degree, m.listed = max(m.woken, int(wakers)), max(m.degree, entries), false
	m.alone = m.wakeTo
	if !m.directed {
		m.alone = m.wake.loneBelow(m.wakeTo, to)
	}
	m.claims.Store(0)
	m.team.Run(m.sweep)
	if err := m.ask(); err != nil {
		return err
	}
	m.woken = m.wakeTo
	return nil
}

// flushNear pushes a worker's share of the rest of the rows of vertices that are nearer than
// D₀. Vertices that get their first distance by that are carried until it is final.
func (m *machine[D]) flushNear(w int) {
	me := &m.workers[w]
	me.flushed = me.flushed[:0]
	for i := range m.workers {
		for _, r := range m.workers[i].records {
			if r.far < m.near && r.far == m.places[r.slot].load() {
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
			me.carried.add(m.wakerOf(slot))
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
			prefetch.Line(&m.places[min(int(e.slot()), m.slots())])
		}
		for _, e := range some {
			to, sum := e.slot(), r.far+D(e.weight())
			if int(to) > m.slots() {
				me.out = append(me.out, message[D]{sum, to, label})
				continue
			}
			before, lowered := m.places[to].lower(place[D]{sum, label})
			if lowered && before == inf[D]() {
				me.flushed = append(me.flushed, to)
			}
		}
	}
}

// A puller is a vertex that reads more of its row than the entries of its waker.
type puller[D distance] struct {
	waker
	before, best D // the distance that it had, and that by its waker
	parent       uint32
}

// sweepWakers lets the worker's carried vertices pull, and vertices that are woken now.
func (m *machine[D]) sweepWakers(w int) {
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
		lone := min(max(lo, m.alone), hi)
		m.pull(me, &m.wake.wakers, lo, lone, false)
		m.pullLone(me, lone, hi)
	}
	m.pullWaiting(me)
	me.carried, me.fresh = me.fresh, me.carried
}

// pull lets the vertices of some wakers pull that no one has reached, or that are
// carried. A vertex that has a distance was found, or is carried.
func (m *machine[D]) pull(me *worker[D], list *wakers, lo, hi int, carried bool) {
	least := inf[D]() // a vertex pulls that has no distance below it
	if carried {
		least = m.from
	}
	if m.vectors != noVectors {
		whole := hi
		if m.vectors == avx2 {
			whole -= (hi - lo) % wakersPerVector
		}
		m.pullVectors(me, list, lo, whole, least)
		lo = whole
	}
	for ; lo < hi; lo += pullBlock {
		m.pullSome(me, list, lo, min(lo+pullBlock, hi), least)
	}
}

// The functions below write what a vertex pulls at once, while other workers read it.
// A vertex pulls on one worker. A distance is a word, so that a reader gets it as it was before
// or as it is now, and with either the result is the same: who gets a distance below the
// bound pushes to those that may have read the one before. Atomic stores would drain the
// store buffer each time, so that the race detector is told to leave these functions alone.

// pullSome lets up to pullBlock vertices pull.
//
//go:norace
func (m *machine[D]) pullSome(me *worker[D], list *wakers, lo, hi int, least D) {
	var firsts, befores [pullBlock]D
	places, near, bound, told := m.places, m.near, m.bound, m.hubs
	for i := lo; i < hi; i++ {
		firsts[i&(pullBlock-1)], befores[i&(pullBlock-1)] = places[list.firsts[i].slot()].far, places[list.slots[i]].far
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
			found++ // and has nothing to push: see settle
			places[list.slots[i]] = place[D]{best, m.labelOf(list.firsts[i].slot())}
			continue
		}
		m.pullMore(me, list.at(i), before, first)
	}
	me.examined, me.found, me.lowerings = me.examined+examined, me.found+found, me.lowerings+found
}

// pullMore lets a vertex settle by its waker, or wait for its row.
//
//go:norace
func (m *machine[D]) pullMore(me *worker[D], w waker, before, first D) {
	best, parent, second, weight := before, uint32(none), inf[D](), D(w.second.weight())
	if sum := first + D(w.first.weight()); sum < best {
		best, parent = sum, w.first.slot()
	}
	if m.near+weight < min(best, m.bound) || best+weight < m.bound {
		second = m.places[w.second.slot()].far
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

// pullWaiting lets the vertices that wait read their rows. Cache misses overlap: of the rows,
// and of the distances that the third entries lead to.
//
//go:norace
func (m *machine[D]) pullWaiting(me *worker[D]) {
	var thirds [pullQueue]D
	for i := range me.waiting {
		m.in.fetchFrom(me.waiting[i].slot, 2)
	}
	for i := range me.waiting {
		if row := m.in.row(me.waiting[i].slot); len(row) > 2 && int(row[2].slot()) < m.slots() {
			thirds[i&(pullQueue-1)] = m.places[row[2].slot()].far
		}
	}
	for i := range me.waiting {
		p := &me.waiting[i]
		row, e, away := m.in.row(p.slot), 2, int(p.second.slot()) == m.slots()
		if away { // the waker may lack the second entry, too
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
				far = m.places[other].far
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

// settlePuller takes what a vertex has pulled from its row.
//
//go:norace
func (m *machine[D]) settlePuller(me *worker[D], p *puller[D]) {
	m.settle(me, p.waker, p.before, p.best, p.parent, m.places[p.first.slot()].far, m.places[p.second.slot()].far)
}

// settle takes what a vertex has pulled. Below the bound it is found, otherwise carried.
// A vertex has something to push if its lightest entry leads to a distance that is below
// the bound and lowers first, the distance that the other end has, or the next lowers second,
// or if the third is below the bound: that is known without its row, and on a Kronecker graph
// most have nothing.
//
//go:norace
func (m *machine[D]) settle(me *worker[D], w waker, before, best D, parent uint32, first, second D) {
	if best < before {
		me.lowerings++
		m.places[w.slot] = place[D]{best, m.labelOf(parent)}
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
