package sssp

import (
	"math"
	"slices"

	"github.com/gohops/hops/internal/ranks/rank"
)

// A message is a distance for a vertex of another host.
type message[D distance] struct {
	far  D
	to   uint32 // code
	from uint32 // label of the parent
}

// advance makes the vertices found the frontier of the next phase. It tells whether any rank has
// vertices to expand, or may have got some from others.
func (m *machine[D]) advance() (more bool, err error) {
	g := m.group
	if g == nil {
		left := 0
		for i := range m.workers {
			w := &m.workers[i]
			if len(w.front) == 0 {
				w.front, w.next = w.next, w.front
			} else {
				w.front, w.next = append(w.front, w.next...), w.next[:0]
			}
			left += len(w.front)
		}
		return left > 0, nil
	}
	if g.host.alone {
		v, err := g.reduce(rank.Sum, m.publish())
		return v[0] > 0, err
	}
	if more, err = m.deliver(); err != nil || !more {
		return false, err
	}
	m.publish()
	return true, m.meet()
}

// deliver exchanges the messages between hosts. It tells whether some rank has vertices to expand,
// or may have got some from others.
func (m *machine[D]) deliver() (more bool, err error) {
	g := m.group
	if g == nil || g.host.alone {
		return false, nil
	}
	waiting, left := 0, 0
	for i := range m.workers {
		w := &m.workers[i]
		waiting += len(w.out) + len(w.lowered)
		left += len(w.front) + len(w.next)
	}
	v, err := g.reduce(rank.Sum, uint64(waiting), uint64(left))
	if more = v[0]+v[1] > 0; err != nil || v[0] == 0 {
		return more, err
	}
	m.packMessages()
	if err := g.exchange.Send(g.words, g.cuts); err != nil {
		return false, err
	}
	for i := range m.workers {
		m.workers[i].out, m.workers[i].lowered = m.workers[i].out[:0], m.workers[i].lowered[:0]
	}
	me := &m.workers[0]
	for r := range g.Comm.Size() {
		for in := g.exchange.From(r, 0); len(in) > 0; in = in[2:] {
			m.take(me, in[0], D(math.Float64frombits(in[1])))
		}
	}
	return more, nil
}

// packMessages orders messages by the ranks that they are for. Each is two words: the
// number of the vertex or of the hub with the label of the parent, and the distance. A hub
// is told to one rank of every other host, and is part of the next frontier on this one.
func (m *machine[D]) packMessages() {
	g, size := m.group, m.group.Comm.Size()
	g.cuts = slices.Grow(g.cuts[:0], size+1)[:size+1]
	clear(g.cuts)
	for i := range m.workers {
		w := &m.workers[i]
		w.lowered = slices.DeleteFunc(w.lowered, func(v reached[D]) bool { return v.far != m.states[v.slot].load() })
		w.next = append(w.next, w.lowered...)
		for _, v := range w.lowered {
			for _, mates := range g.host.mates {
				g.cuts[mateOf(mates, v.slot)+1] += 2
			}
		}
		for _, x := range w.out {
			owner, _ := g.locate(x.to)
			g.cuts[owner+1] += 2
		}
	}
	for r := range size {
		g.cuts[r+1] += g.cuts[r]
	}
	g.words = slices.Grow(g.words[:0], int(g.cuts[size]))[:g.cuts[size]]
	g.positions = append(g.positions[:0], g.cuts[:size]...)
	put := func(owner int, number uint64, from uint32, far D) {
		at := g.positions[owner]
		g.positions[owner] += 2
		g.words[at], g.words[at+1] = number<<32|uint64(from), math.Float64bits(float64(far))
	}
	for i := range m.workers {
		for _, v := range m.workers[i].lowered {
			from := m.states[v.slot].parent
			for _, mates := range g.host.mates {
				put(mateOf(mates, v.slot), uint64(v.slot-m.hubs), from, v.far)
			}
		}
		for _, x := range m.workers[i].out {
			owner, number := g.locate(x.to)
			put(owner, uint64(len(g.hubs.labels))+number, x.from, x.far)
		}
	}
}

// mateOf is the rank of another host that is told about a hub.
func mateOf(mates []int, hub uint32) int { return mates[int(hub)%len(mates)] }

// take takes a message.
func (m *machine[D]) take(me *worker[D], word uint64, far D) {
	number, from := word>>32, uint32(word)
	if hubs := uint64(len(m.group.hubs.labels)); number >= hubs {
		m.takeOwn(me, m.slot[number-hubs], far, from)
		return
	}
	slot := m.hubs + uint32(number)
	if _, lowered := m.states[slot].lower(state[D]{far, from}); lowered {
		me.next = append(me.next, reached[D]{far, slot})
	}
}

// takeOwn takes a distance of an own vertex. While vertices nearer than D₀ push the rest of their
// rows, a distance may lie beyond the bound, or a pull may lower it, so that the vertex is carried
// as flushNear does.
func (m *machine[D]) takeOwn(me *worker[D], slot uint32, far D, parent uint32) {
	if !m.flushing {
		if far < m.states[slot].load() {
			m.reach(me, slot, far, parent)
		}
		return
	}
	before, lowered := m.states[slot].lower(state[D]{far, parent})
	if lowered && before == inf[D]() {
		me.carried.add(m.candidateOf(slot))
	}
}
