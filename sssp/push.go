package sssp

import "unsafe"

// push pushes the rows of the vertices of a list that have these distances still.
func (m *queues[D]) push(me *queueWorker[D], list []reached[D]) {
	if m.vectors {
		m.pushVectors(me, list)
		return
	}
	for _, r := range list {
		if m.places[r.slot].far == r.far {
			m.pushQuads(me, r, &m.quads[r.slot])
		}
	}
}

// pushQuads pushes a row from a quad on.
func (m *queues[D]) pushQuads(me *queueWorker[D], r reached[D], q *quad) {
	for ; q != nil; q = q.rest(m.quads) {
		for _, e := range q {
			if e < infinite {
				me.examined++
				m.reach(me, r.slot, e.slot(), r.far+D(e.weight()))
			}
		}
	}
}

// reach offers a distance to a vertex, and if that becomes nearer by it, puts it into a bin or goes
// on along a chain. In a directed graph a row does not tell where a chain leads back.
func (m *queues[D]) reach(me *queueWorker[D], from, to uint32, far D) {
	for {
		if to-me.lo >= me.span {
			me.offers = append(me.offers, offer[D]{far, to, from})
			return
		}
		at := &m.places[to]
		if far >= at.far {
			return
		}
		me.lowerings++
		if at.far == inf[D]() {
			me.found++
		}
		*at = place[D]{far, from}
		q := &m.quads[to]
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

// pushBlock is how many vertices a call of pushAVX512 pushes, at most. It fetches what all of
// them need before it pushes the first.
const pushBlock = 64

// vectorPush holds the arguments of pushAVX512, which reads the fields by their offsets.
type vectorPush struct {
	list     *uint64 // vertices: distances of 32 bits below slots
	count    int64
	places   *uint64 // distances of 32 bits below parents
	quads    *quad
	lo, span uint64 // the worker's part

	lowered *uint64 // output: vertices that got a distance, like those of the list
	rest    *uint64 // output: which of the list have further quads, or entries that lead to other parts

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
			places: (*uint64)(unsafe.Pointer(&m.places[0])), quads: &m.quads[0], lo: uint64(me.lo), span: uint64(me.span),
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

// took puts a vertex that took a distance into a bin, or goes on along a chain.
func (m *queues[D]) took(me *queueWorker[D], r reached[D]) {
	q, at := &m.quads[r.slot], &m.places[r.slot]
	if !q.short() || m.directed {
		m.add(me, r.far, r.slot)
		return
	}
	if e := q.onward(at.parent); at.far == r.far && e < infinite {
		me.examined++
		m.reach(me, r.slot, e.slot(), r.far+D(e.weight()))
	}
}

// pushRest pushes what vectors leave of a vertex: entries that lead to other parts, and the quads
// behind the first.
func (m *queues[D]) pushRest(me *queueWorker[D], r reached[D]) {
	q := &m.quads[r.slot]
	for _, e := range q {
		if e < infinite && e.slot()-me.lo >= me.span {
			me.offers = append(me.offers, offer[D]{r.far + D(e.weight()), e.slot(), r.slot})
		}
	}
	m.pushQuads(me, r, q.rest(m.quads))
}
