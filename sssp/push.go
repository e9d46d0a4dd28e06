package sssp

import "unsafe"

// push pushes the rows of the vertices of a list, unless their distances have changed.
func (m *queues[D]) push(me *queueWorker[D], list []reached[D]) {
	if m.vectors {
		m.pushVectors(me, list)
		return
	}
	for _, r := range list {
		if m.states[r.slot].far == r.far {
			m.pushSegments(me, r, &m.segments[r.slot])
		}
	}
}

// pushSegments pushes a row from a segment on.
func (m *queues[D]) pushSegments(me *queueWorker[D], r reached[D], q *segment) {
	for ; q != nil; q = q.rest(m.segments) {
		for _, e := range q {
			if e < infinite {
				me.examined++
				m.reach(me, r.slot, e.slot(), r.far+D(e.weight()))
			}
		}
	}
}

// reach offers a distance to a vertex. If it lowers the distance, the vertex goes into a bin, or,
// if it has two entries, passes the sum on along the other one. In a directed graph a row does not
// tell which entry leads back, so that all vertices go into bins.
func (m *queues[D]) reach(me *queueWorker[D], from, to uint32, far D) {
	for {
		if to-me.lo >= me.span {
			me.offers = append(me.offers, offer[D]{far, to, from})
			return
		}
		at := &m.states[to]
		if far >= at.far {
			return
		}
		me.lowerings++
		if at.far == inf[D]() {
			me.found++
		}
		*at = state[D]{far, from}
		q := &m.segments[to]
		if !q.short() || m.directed {
			m.add(me, far, to)
			return
		}
		e := q.onward(from)
		if e >= infinite {
			return
		}
		me.examined++
		from, to, far = to, e.slot(), far+D(e.weight())
	}
}

// pushBlock is how many vertices a call of pushAVX512 pushes, at most. It fetches the rows and states
// of all of them before it pushes the first.
const pushBlock = 64

// vectorPush holds the arguments of pushAVX512, which reads the fields by their offsets.
type vectorPush struct {
	list     *uint64 // vertices: distances of 32 bits below slots
	count    int64
	states   *uint64 // distances of 32 bits below parents
	segments *segment
	lo, span uint64 // the worker's part

	lowered *uint64 // output: vertices that got a distance, in the form of the list
	rest    *uint64 // output: indices in the list of vertices with more segments, or with entries that lead to other parts

	lowerings, rests, found, examined int64
}

// pushLists have room for the output of a call of pushAVX512.
type pushLists struct {
	lowered [4*pushBlock + 4]uint64
	rest    [pushBlock + 1]uint64
}

// pushVectors pushes the vertices of a list, four entries at a time and without a branch.
func (m *queues[D]) pushVectors(me *queueWorker[D], list []reached[D]) {
	for ; len(list) > 0; list = list[min(pushBlock, len(list)):] {
		a := vectorPush{
			list: (*uint64)(unsafe.Pointer(&list[0])), count: int64(min(pushBlock, len(list))),
			states: (*uint64)(unsafe.Pointer(&m.states[0])), segments: &m.segments[0], lo: uint64(me.lo), span: uint64(me.span),
			lowered: &me.lists.lowered[0], rest: &me.lists.rest[0],
		}
		pushAVX512(&a)
		me.found, me.examined, me.lowerings = me.found+a.found, me.examined+a.examined, me.lowerings+a.lowerings
		for _, word := range me.lists.lowered[:a.lowerings] {
			m.took(me, *(*reached[D])(unsafe.Pointer(&word)))
		}
		for _, i := range me.lists.rest[:a.rests] {
			m.pushRest(me, list[i])
		}
	}
}

// took puts a vertex that got a distance into a bin, or goes on along a chain.
func (m *queues[D]) took(me *queueWorker[D], r reached[D]) {
	q, at := &m.segments[r.slot], &m.states[r.slot]
	if !q.short() || m.directed {
		m.add(me, r.far, r.slot)
		return
	}
	if e := q.onward(at.parent); at.far == r.far && e < infinite {
		me.examined++
		m.reach(me, r.slot, e.slot(), r.far+D(e.weight()))
	}
}

// pushRest pushes the entries of a vertex that vectors leave: entries that lead to other parts, and
// the segments behind the first.
func (m *queues[D]) pushRest(me *queueWorker[D], r reached[D]) {
	q := &m.segments[r.slot]
	for _, e := range q {
		if e < infinite && e.slot()-me.lo >= me.span {
			me.offers = append(me.offers, offer[D]{r.far + D(e.weight()), e.slot(), r.slot})
		}
	}
	m.pushSegments(me, r, q.rest(m.segments))
}
