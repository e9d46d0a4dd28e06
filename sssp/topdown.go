package sssp

import (
	"sort"
	"unsafe"

	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/internal/base/prefetch"
)

// chunk is how many vertices of a frontier a worker claims at a time.
const chunk = 32

// serialFront is the number of vertices up to which one worker expands a frontier:
// about the work that waking the others takes.
const serialFront = 64

// topDown pushes the records whose next entries are in the bucket from from on.
func (m *machine[D]) topDown(from D) error {
	m.bound = max(from+m.bucketWidth(), after(from))
	if m.ready {
		m.team.Run(m.carry)
		if err := m.meet(); err != nil {
			return err
		}
	}
	if !m.listed {
		m.listed = true
		m.team.Run(m.list)
	}
	m.team.Run(m.records)
	return nil
}

// crowd is the number of vertices found from which on buckets are half as wide: a phase then has so
// much work that more phases cost little, and fewer distances are lowered twice.
const crowd = 1 << 14

// bucketWidth is the width of the next bucket top-down.
func (m *machine[D]) bucketWidth() D {
	width := m.width
	if m.found > crowd {
		width /= 2
	}
	return D(m.pace.Of(float64(width)))
}

// after returns a distance beyond d, so that a bucket advances even if adding its width to d does not.
func after[D distance](d D) D { return d + d/(1<<20) }

// listRecords makes the records of a worker's share of the vertices, after buckets that made none.
// Entries with sums below the last bound were pushed or pulled, and vertices nearer than D₀ have
// pushed their whole rows.
func (m *machine[D]) listRecords(w int) {
	me := &m.workers[w]
	me.records = me.records[:0]
	part, parts := m.share(w)
	lo, hi := par.Split(int64(m.slots()), 64, part, parts)
	for slot := uint32(lo); slot < uint32(hi); slot++ {
		far := m.states[slot].far
		if far < m.near || far >= m.from {
			continue
		}
		row := m.out.row(slot)
		cursor := sort.Search(len(row), func(i int) bool { return far+D(row[i].weight()) >= m.from })
		if cursor < len(row) {
			me.records = append(me.records, record[D]{far, far + D(row[cursor].weight()), slot, uint32(cursor)})
		}
	}
}

// pushRecords pushes the worker's records below the bound and drops those that are
// stale or exhausted.
func (m *machine[D]) pushRecords(w int) {
	me := &m.workers[w]
	before := me.records
	me.records = me.records[:0] // shares memory with before: a record is written only after it was read
	for _, r := range before {
		if r.key < m.bound {
			m.pushLater(me, r)
			continue
		}
		me.least = min(me.least, r.key)
		me.records = append(me.records, r)
	}
	m.pushWaiting(me)
}

// findCarried finds the worker's carried vertices whose distances are below the bound. No
// distance changes meanwhile.
func (m *machine[D]) findCarried(w int) {
	me := &m.workers[w]
	kept := 0
	for i, slot := range me.carried.slots {
		switch far := m.states[slot].load(); {
		case far < m.from: // found before
		case far < m.bound:
			m.find(me, far, slot)
		default:
			me.least = min(me.least, far)
			me.carried.set(kept, me.carried.at(i))
			kept++
		}
	}
	me.carried.cut(kept)
}

// push relaxes the entries of a row from cursor on whose sums are below the bound, and
// returns where it stopped.
func (m *machine[D]) push(me *worker[D], far D, slot uint32, row []entry, cursor uint32) uint32 {
	start, label := cursor, m.out.heads[slot].label
	for ; int(cursor) < len(row); cursor++ {
		e := row[cursor]
		sum := far + D(e.weight())
		if sum >= m.bound {
			break
		}
		if to := e.slot(); int(to) > m.slots() {
			me.out = append(me.out, message[D]{sum, to, label})
		} else if sum < m.states[to].load() {
			m.reach(me, to, sum, label)
		}
	}
	me.examined += int64(cursor - start)
	return cursor
}

// reach lowers the distance of a vertex and adds it to the next frontier.
func (m *machine[D]) reach(me *worker[D], slot uint32, far D, parent uint32) {
	before, lowered := m.states[slot].lower(state[D]{far, parent})
	if !lowered {
		return
	}
	me.lowerings++
	if slot >= m.hubs {
		me.lowered = append(me.lowered, reached[D]{far, slot})
		return
	}
	if before >= m.bound {
		me.found++
	}
	me.next = append(me.next, reached[D]{far, slot})
}

// find adds a vertex whose distance is below the bound to the next frontier. A hub is found after
// all hosts were told about it.
func (m *machine[D]) find(me *worker[D], far D, slot uint32) {
	if slot >= m.hubs {
		me.lowered = append(me.lowered, reached[D]{far, slot})
		return
	}
	me.found++
	me.next = append(me.next, reached[D]{far, slot})
}

// finishBucket expands frontiers until no distance below the bound changes, and returns
// the number of phases.
func (m *machine[D]) finishBucket() (phases int64, err error) {
	for {
		if more, err := m.advance(); err != nil || !more {
			return phases, err
		}
		size := int64(0)
		for i := range m.workers {
			size += int64(len(m.workers[i].front))
		}
		if m.group != nil {
			size += m.published()
		}
		phases++
		m.claims.Store(0)
		if size <= serialFront {
			m.expandFront(0)
		} else {
			m.team.Run(m.expand)
		}
		for i := range m.workers {
			m.workers[i].front = m.workers[i].front[:0]
		}
	}
}

// expandFront pushes the vertices of the frontiers of all workers, chunk by chunk.
func (m *machine[D]) expandFront(w int) {
	me := &m.workers[w]
	if m.group != nil {
		m.expandShared(w)
	}
	claimed := m.claims.Add(1) - 1
	for i, before := 0, int64(0); i < len(m.workers); {
		front := m.workers[i].front
		chunks := int64(len(front)+chunk-1) / chunk
		if claimed-before >= chunks {
			i, before = i+1, before+chunks
			continue
		}
		lo := int(claimed-before) * chunk
		m.expandSome(me, front[lo:min(lo+chunk, len(front))])
		claimed = m.claims.Add(1) - 1
	}
}

// pushBatch is how many vertices wait for their rows, whose cache misses overlap.
const pushBatch = 32

// expandSome pushes some vertices.
func (m *machine[D]) expandSome(me *worker[D], front []reached[D]) {
	for _, v := range front {
		m.pushLater(me, record[D]{far: v.far, slot: v.slot})
	}
	m.pushWaiting(me)
}

// pushLater lets a vertex wait for its row and its distance.
func (m *machine[D]) pushLater(me *worker[D], r record[D]) {
	prefetch.Lines(unsafe.Pointer(&m.out.heads[r.slot]), unsafe.Pointer(&m.states[r.slot]), unsafe.Pointer(&m.states[r.slot]))
	if me.batch = append(me.batch, r); len(me.batch) == pushBatch {
		m.pushWaiting(me)
	}
}

// pushWaiting pushes the entries below the bound of the vertices that wait, and keeps records of the
// rest of their rows if the level keeps records. It drops a vertex whose distance has changed: the
// vertex is pushed elsewhere with the new distance.
func (m *machine[D]) pushWaiting(me *worker[D]) {
	if m.rowVectors() {
		m.pushRows(me)
		return
	}
	var fars [pushBatch]D
	for i := range me.batch {
		r := &me.batch[i]
		m.out.fetchFrom(r.slot, r.cursor)
		fars[i&(pushBatch-1)] = m.states[r.slot].load()
	}
	for i := range me.batch {
		r := &me.batch[i]
		if r.far == fars[i&(pushBatch-1)] {
			m.pushOne(me, *r)
		}
	}
	me.batch = me.batch[:0]
}

// pushOne pushes a vertex.
func (m *machine[D]) pushOne(me *worker[D], r record[D]) {
	row := m.out.row(r.slot)
	r.cursor = m.push(me, r.far, r.slot, row, r.cursor)
	m.keep(me, r, row)
}

// keep keeps the record of a vertex that has pushed a part of its row, if the level keeps records.
func (m *machine[D]) keep(me *worker[D], r record[D], row []entry) {
	if !m.listed {
		return
	}
	if r.key == 0 { // records have keys beyond a bound
		me.degree += int64(len(row))
	}
	if int(r.cursor) < len(row) {
		r.key = r.far + D(row[r.cursor].weight())
		me.least = min(me.least, r.key)
		me.records = append(me.records, r)
	}
}
