package sssp

import "math"

// pullBlock is how many wakers a worker looks at together: their distances, and those of
// the ends of their lightest entries, are loaded at once, so that cache misses overlap.
const pullBlock = 16

// sweepChunk is how many wakers a worker claims at a time.
const sweepChunk = 64 * pullBlock

// bottomUp moves the bound about twice as far from D₀ and lets the vertices pull that an
// entry below the bound can matter to.
func (m *machine[D]) bottomUp(from D) {
	to := doubled(float64(max(from-m.near, m.width)))
	for m.near+D(to) <= from {
		to *= 2
	}
	if m.bound = m.near + D(to); to > m.shares.heaviest {
		to, m.bound = float32(math.Inf(1)), inf[D]()
	}
	if !m.ready {
		m.ready, m.fixed = true, true
		m.team.Run(m.flush)
	}
	m.wakeTo = max(m.woken, m.wake.below(to))
	m.claims.Store(0)
	m.team.Run(m.sweep)
	m.team.Run(m.commit)
	m.woken = m.wakeTo
}

// flushNear pushes the rest of the rows of the worker's vertices that are nearer than
// D₀. Vertices that get their first distance by that are carried until it is final.
func (m *machine[D]) flushNear(w int) {
	me := &m.workers[w]
	for i := range me.records {
		r := &me.records[i]
		if r.far >= m.near || r.far != load(&m.far[r.slot]) {
			continue
		}
		row := m.out.row(r.slot)
		for _, e := range row[r.cursor:] {
			to := e.slot()
			before, lowered := lower(&m.far[to], &m.parent[to], r.far+D(e.weight()), r.slot)
			if lowered && before == inf[D]() {
				me.carried = append(me.carried, to)
			}
		}
		me.examined += int64(len(row)) - int64(r.cursor)
		r.far = -1 // stale: there is nothing left to push
	}
}

// sweepWakers lets the worker's carried vertices pull, and vertices that are woken now. No
// distance changes meanwhile, so that cache misses of many vertices overlap.
func (m *machine[D]) sweepWakers(w int) {
	me := &m.workers[w]
	for i, slot := range me.carried {
		if i+ahead < len(me.carried) {
			m.in.fetch(me.carried[i+ahead])
		}
		if far := m.far[slot]; far >= m.from {
			m.pull(me, slot, 0, far, none)
		}
	}
	me.carried = me.carried[:0]
	for {
		hi := int(m.claims.Add(sweepChunk)) + m.woken
		lo := hi - sweepChunk
		if lo >= m.wakeTo {
			break
		}
		for hi = min(hi, m.wakeTo); lo < hi; lo += pullBlock {
			m.pullSome(me, m.wake.wakers[lo:min(lo+pullBlock, hi)])
		}
	}
}

// pullSome lets the vertices of some wakers pull that no one has reached. A vertex that
// has a distance was found, or is carried.
func (m *machine[D]) pullSome(me *worker[D], wakers []waker) {
	var best [pullBlock]D
	for i := range wakers {
		w := &wakers[i]
		best[i&(pullBlock-1)] = m.far[w.first.slot()] + D(w.first.weight())
	}
	var more [pullBlock]uint8 // wakers that read more than one entry
	count := 0
	for i := range wakers {
		w, sum := &wakers[i], best[i&(pullBlock-1)]
		if m.far[w.slot] != inf[D]() {
			continue
		}
		me.examined++
		if m.near+D(w.second) < min(sum, m.bound) {
			m.in.fetch(w.slot)
			more[count&(pullBlock-1)] = uint8(i)
			count++
		} else {
			me.pulled = append(me.pulled, pulled[D]{sum, w.slot, w.first.slot(), w.first.weight()})
		}
	}
	for _, i := range more[:count] {
		w := &wakers[i]
		m.pull(me, w.slot, 1, best[i&(pullBlock-1)], w.first.slot())
	}
}

// pull looks through the row of a vertex from entry i on, as far as entries matter. The
// vertex has the distance best by the parent, or by the entries before.
func (m *machine[D]) pull(me *worker[D], slot uint32, i int, best D, parent uint32) {
	row, start := m.in.row(slot), i
	for ; i < len(row); i++ {
		weight := D(row[i].weight())
		if m.near+weight >= min(best, m.bound) {
			break
		}
		if sum := m.far[row[i].slot()] + weight; sum < best {
			best, parent = sum, row[i].slot()
		}
	}
	me.examined += int64(i - start)
	me.pulled = append(me.pulled, pulled[D]{best, slot, parent, row[0].weight()})
}

// commitPulled writes what the worker's vertices have pulled. Those below the bound are
// found, others carried. A vertex whose lightest entry leads beyond the bound has nothing
// to push, which is known without its row: on a Kronecker graph that is most of them.
func (m *machine[D]) commitPulled(w int) {
	me := &m.workers[w]
	for _, p := range me.pulled {
		if p.far < m.far[p.slot] {
			m.far[p.slot], m.parent[p.slot] = p.far, p.parent
			me.lowered++
		}
		if p.far >= m.bound {
			me.carried = append(me.carried, p.slot)
			continue
		}
		me.found++
		if key := p.far + D(p.lightest); m.directed || key < m.bound {
			me.next = append(me.next, reached[D]{p.far, p.slot})
		} else {
			me.keep(record[D]{p.far, key, p.slot, 0}, m.out.offsets[p.slot+1]-m.out.offsets[p.slot])
		}
	}
	me.pulled = me.pulled[:0]
}
