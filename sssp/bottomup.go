package sssp

import (
	"math"

	"github.com/gohops/hops/internal/bucket"
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

// bottomUp moves the bound to the power of two that is 1.5 times as far from D₀ or more, and
// lets the vertices pull that an entry below the bound can matter to. A bound that is nearer
// wakes many vertices and finds few.
func (m *machine[D]) bottomUp(from D) error {
	to := bucket.Doubled(1.5 * float64(max(from-m.near, m.width)))
	for m.near+D(to) <= from {
		to *= 2
	}
	if m.bound = m.near + D(to); to > m.Heaviest {
		to, m.bound = float32(math.Inf(1)), inf[D]()
	}
	if !m.ready {
		m.ready, m.fixed, m.flushing = true, true, true
		m.team.Run(m.flush)
		_, err := m.deliver()
		if m.flushing = false; err != nil {
			return err
		}
	}
	wakers, _ := m.wake.counts.Below(to)
	_, entries := m.Wakers.Below(to)
	m.wakeTo, m.degree, m.listed = max(m.woken, int(wakers)), max(m.degree, entries), false
	m.claims.Store(0)
	m.team.Run(m.sweep)
	if err := m.ask(); err != nil {
		return err
	}
	m.woken = m.wakeTo
	return nil
}

// flushNear pushes the rest of the rows of the worker's vertices that are nearer than
// D₀. Vertices that get their first distance by that are carried until it is final.
func (m *machine[D]) flushNear(w int) {
	me := &m.workers[w]
	for _, r := range me.records {
		if r.far >= m.near || r.far != m.places[r.slot].load() {
			continue
		}
		row, label := m.out.row(r.slot), m.labelOf(r.slot)
		for _, e := range row[r.cursor:] {
			to, sum := e.slot(), r.far+D(e.weight())
			if int(to) > m.slots() {
				me.out = append(me.out, message[D]{sum, to, label})
				continue
			}
			before, lowered := m.places[to].lower(place[D]{sum, label})
			if lowered && before == inf[D]() {
				me.carried = append(me.carried, newWaker(to, m.in.row(to), uint32(m.slots())))
			}
		}
		me.examined += int64(len(row)) - int64(r.cursor)
	}
	me.records = me.records[:0]
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
	me.fresh = me.fresh[:0]
	for lo := 0; lo < len(me.carried); lo += pullBlock {
		m.pullSome(me, me.carried[lo:min(lo+pullBlock, len(me.carried))], true)
	}
	for {
		hi := int(m.claims.Add(sweepChunk)) + m.woken
		lo := hi - sweepChunk
		if lo >= m.wakeTo {
			break
		}
		for hi = min(hi, m.wakeTo); lo < hi; lo += pullBlock {
			m.pullSome(me, m.wake.wakers[lo:min(lo+pullBlock, hi)], false)
		}
	}
	m.pullWaiting(me)
	me.carried, me.fresh = me.fresh, me.carried
}

// The functions below write what a vertex pulls at once, while other workers read it.
// A vertex pulls on one worker. A distance is a word, so that a reader gets it as it was before
// or as it is now, and with either the result is the same: who gets a distance below the
// bound pushes to those that may have read the one before. Atomic stores would drain the
// store buffer each time, so that the race detector is told to leave these functions alone.

// pullSome lets the vertices of some wakers pull that no one has reached, or that are
// carried. A vertex that has a distance was found, or is carried.
//
//go:norace
func (m *machine[D]) pullSome(me *worker[D], wakers []waker, carried bool) {
	var firsts, befores [pullBlock]D
	places, near, bound, from, alone := m.places, m.near, m.bound, m.from, m.directed || m.group != nil
	for i := range wakers {
		firsts[i&(pullBlock-1)], befores[i&(pullBlock-1)] = places[wakers[i].first.slot()].far, places[wakers[i].slot].far
	}
	examined, found := int64(0), int64(0)
	for i := range wakers {
		w, before, first := &wakers[i], befores[i&(pullBlock-1)], firsts[i&(pullBlock-1)]
		if before < from || !carried && before != inf[D]() {
			continue
		}
		examined++
		weight := D(w.first.weight())
		best, second := first+weight, D(w.second)
		if best < before && best < bound && near+second >= best && best+second >= bound && best+weight >= min(bound, first) && !alone {
			found++ // and has nothing to push: see settle
			places[w.slot] = place[D]{best, m.labelOf(w.first.slot())}
			continue
		}
		m.pullMore(me, w, before, first)
	}
	me.examined, me.found, me.lowerings = me.examined+examined, me.found+found, me.lowerings+found
}

// pullMore lets a vertex settle by its lightest entry, or wait for its row.
//
//go:norace
func (m *machine[D]) pullMore(me *worker[D], w *waker, before, first D) {
	best, parent := before, uint32(none)
	if sum := first + D(w.first.weight()); sum < best {
		best, parent = sum, w.first.slot()
	}
	if m.near+D(w.second) >= min(best, m.bound) {
		m.settle(me, w, before, best, parent, first)
		return
	}
	m.in.fetchOffsets(w.slot)
	me.waiting = append(me.waiting, puller[D]{*w, before, best, parent})
	if len(me.waiting) == pullQueue {
		m.pullWaiting(me)
	}
}

// pullWaiting lets the vertices that wait read their rows. Cache misses overlap: of the rows,
// and of the distances that the second entries lead to.
//
//go:norace
func (m *machine[D]) pullWaiting(me *worker[D]) {
	var seconds [pullQueue]D
	for i := range me.waiting {
		m.in.fetch(me.waiting[i].slot)
	}
	for i := range me.waiting {
		if row := m.in.row(me.waiting[i].slot); len(row) > 1 && int(row[1].slot()) < m.slots() {
			seconds[i&(pullQueue-1)] = m.places[row[1].slot()].far
		}
	}
	for i := range me.waiting {
		p := &me.waiting[i]
		row, e, away := m.in.row(p.slot), 1, int(p.first.slot()) == m.slots()
		for ; e < len(row); e++ {
			weight := D(row[e].weight())
			if m.near+weight >= min(p.best, m.bound) {
				break
			}
			other, far := row[e].slot(), seconds[i&(pullQueue-1)]
			if int(other) > m.slots() {
				away = true
				continue
			}
			if e > 1 {
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
			m.settle(me, &p.waker, p.before, p.best, p.parent, m.places[p.first.slot()].far)
		}
	}
	me.waiting = me.waiting[:0]
}

// settle takes what a vertex has pulled. Below the bound it is found, otherwise carried.
// A vertex has something to push if its lightest entry leads to a distance that is below
// the bound and lowers first, the distance that the other end has, or if its second entry
// does: that is known without its row, and on a Kronecker graph most have nothing.
//
//go:norace
func (m *machine[D]) settle(me *worker[D], w *waker, before, best D, parent uint32, first D) {
	if best < before {
		me.lowerings++
		m.places[w.slot] = place[D]{best, m.labelOf(parent)}
	}
	if best >= m.bound {
		me.fresh = append(me.fresh, *w)
		return
	}
	lightest := best + D(w.first.weight())
	switch {
	case w.slot >= m.hubs || m.directed || lightest < min(m.bound, first) || best+D(w.second) < m.bound:
		m.find(me, best, w.slot)
	default:
		me.found++
	}
}
