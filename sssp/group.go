package sssp

// Shortest paths on ranks. Every rank runs the machine of one host on its share of the
// graph, and what the machine needs of other ranks is in this file.
//
// The vertices are divided by work. A rank has slots for its own vertices and, behind
// these, for the hubs: the vertices with the longest rows, of which every rank has a part
// of the row and a copy of the distance. An edge between a hub and another vertex lies
// with the owner of the other vertex, in both rows; one between two hubs in the row of
// each, with the owner of each. So whatever leads to or from a hub takes no message:
// on a Kronecker graph of scale 20 that is five of six lightest entries.
//
//   - A push to a vertex of another rank is a message with the distance and the parent.
//   - A hub whose distance became smaller is told to all ranks, which expand their parts
//     of its row in the next phase.
//   - A vertex that pulls asks the owners of its other neighbours for their distances,
//     if these can matter beside what it found without asking.
//
// Messages are exchanged by all ranks at the end of a phase. All decisions depend on
// numbers that are added up over all ranks, so that all take the same.

import (
	"context"
	"math"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/alltoall"
	"github.com/gohops/hops/internal/distributed"
	"github.com/gohops/hops/internal/rank"
)

// A group is this rank's side of the ranks that search together.
type group struct {
	*distributed.Member
	ctx      context.Context
	exchange *alltoall.Exchange
	sums     []uint64
	first    uint64   // label of the first own vertex
	slots    uint64   // own slots and hubs; codes beyond it name vertices of other ranks
	count    uint64   // own vertices
	hubs     hubs     // by label
	own      []uint32 // slots of hubs that are own vertices
	traffic  rank.Traffic

	words     []uint64 // that were packed
	cuts      []int64
	owner     []int32 // of each question
	positions []int64 // of each question, among the words
}

// A message is a distance for a vertex of another rank.
type message[D distance] struct {
	far  D
	to   uint32 // code
	from uint32 // label of the parent
}

// An asker is a vertex that pulls entries of other ranks.
type asker[D distance] struct {
	puller[D]
	row []entry // those that can matter
}

// code names a vertex of another rank, beyond all slots.
func (g *group) code(label uint64) uint32 {
	end := g.first + g.count
	if label < end {
		label += uint64(g.N)
	}
	return uint32(g.slots + 1 + label - end)
}

// label is the vertex of a code.
func (g *group) label(code uint32) uint32 {
	label := uint64(code) - g.slots - 1 + g.first + g.count
	if label >= uint64(g.N) {
		label -= uint64(g.N)
	}
	return uint32(label)
}

// locate returns the rank that owns a vertex, and its number there.
func (g *group) locate(label uint32) (owner int, number uint64) {
	owner = g.Parts.Owner(uint64(label)) / g.Parts.Threads
	first, _ := g.Parts.Rank(owner)
	return owner, uint64(label) - first
}

// reduce combines the first numbers of sums over all ranks.
func (g *group) reduce(op rank.Op, numbers ...uint64) ([]uint64, error) {
	v := g.sums[:len(numbers)]
	copy(v, numbers)
	return v, rank.Reduced(g.Comm, op, v)
}

// agreeOnNext makes the least next distance of any rank that of all.
func (m *machine[D]) agreeOnNext() error {
	if m.group == nil {
		return nil
	}
	v, err := m.group.reduce(rank.Max, ^math.Float64bits(float64(m.next)))
	m.next = D(math.Float64frombits(^v[0]))
	return err
}

// addUp makes the numbers of a level those of all ranks. Hubs are found where they are
// own vertices.
func (m *machine[D]) addUp(l *hops.Level, degree *int64) error {
	g := m.group
	if g == nil {
		return nil
	}
	for _, slot := range g.own {
		if far := m.places[slot].far; far >= m.from && far < m.bound && slot != m.root {
			l.Found++
		}
	}
	stop := uint64(0)
	if g.ctx.Err() != nil {
		stop = 1
	}
	now := g.Comm.Traffic()
	sent := now.Minus(g.traffic)
	g.traffic = now
	v, err := g.reduce(rank.Sum, uint64(l.Examined), uint64(l.Found), uint64(l.Bucket.Lowered), uint64(*degree),
		uint64(sent.Messages), uint64(sent.Bytes), stop)
	if err != nil {
		return err
	}
	l.Examined, l.Found, l.Bucket.Lowered, *degree = int64(v[0]), int64(v[1]), int64(v[2]), int64(v[3])
	l.Messages, l.Bytes = int64(v[4]), int64(v[5])
	if v[6] > 0 {
		return distributed.Agreed(g.Stopped(g.ctx, 1))
	}
	return m.agreeOnNext()
}

// deliver sends what the workers have for other ranks, and takes what comes. It tells
// whether some rank has vertices to expand, or may have after what it took.
func (m *machine[D]) deliver() (more bool, err error) {
	waiting, left := 0, 0
	for i := range m.workers {
		w := &m.workers[i]
		waiting += len(w.out) + len(w.lowered)
		left += len(w.front) + len(w.next)
	}
	g := m.group
	if g == nil {
		return left > 0, nil
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
			m.take(me, r == g.Comm.Rank(), in[0], D(math.Float64frombits(in[1])))
		}
	}
	return more, nil
}

// packMessages orders messages by the ranks that they are for. Each is two words: the
// number of the vertex or of the hub with the label of the parent, and the distance.
func (m *machine[D]) packMessages() {
	g, size := m.group, m.group.Comm.Size()
	g.cuts = slices.Grow(g.cuts[:0], size+1)[:size+1]
	clear(g.cuts)
	hubs := int64(0)
	for i := range m.workers {
		w := &m.workers[i]
		w.lowered = slices.DeleteFunc(w.lowered, func(v reached[D]) bool { return v.far != m.places[v.slot].far })
		hubs += int64(len(w.lowered))
		for _, x := range w.out {
			owner, _ := g.locate(g.label(x.to))
			g.cuts[owner+1] += 2
		}
	}
	for r := range size {
		g.cuts[r+1] += g.cuts[r] + 2*hubs
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
			from := m.places[v.slot].parent
			for r := range size {
				put(r, uint64(v.slot-m.hubs), from, v.far)
			}
		}
		for _, x := range m.workers[i].out {
			owner, number := g.locate(g.label(x.to))
			put(owner, uint64(len(g.hubs.labels))+number, x.from, x.far)
		}
	}
}

// labelOf is the label of a slot or of a vertex of another rank.
func (m *machine[D]) labelOf(code uint32) uint32 {
	if int(code) < len(m.label) {
		return m.label[code]
	}
	return m.group.label(code)
}

// slotOf is the slot of a label, or the code of a vertex of another rank.
func (g *group) slotOf(w *weave, label uint32) uint32 {
	if i, ok := g.hubs.index(label); ok {
		return w.hubs + i
	}
	if own := uint64(label) - g.first; own < g.count {
		return w.slot[own]
	}
	return g.code(uint64(label))
}

// take takes a message. The rank itself has lowered its own hubs already.
func (m *machine[D]) take(me *worker[D], mine bool, word uint64, far D) {
	number, from := word>>32, uint32(word)
	if hubs := uint64(len(m.group.hubs.labels)); number >= hubs {
		m.takeOwn(me, m.slot[number-hubs], far, from)
		return
	}
	slot := m.hubs + uint32(number)
	if mine && m.places[slot].far == far {
		me.next = append(me.next, reached[D]{far, slot})
		return
	}
	if _, lowered := m.places[slot].lower(place[D]{far, from}); lowered {
		me.next = append(me.next, reached[D]{far, slot})
	}
}

// takeOwn takes a distance of an own vertex. What vertices nearer than D₀ push before the
// first pulls may lie beyond the bound or be undercut by a pull, so that such a vertex is
// carried, as flushNear does with those at hand.
func (m *machine[D]) takeOwn(me *worker[D], slot uint32, far D, parent uint32) {
	if !m.flushing {
		if far < m.places[slot].far {
			m.reach(me, slot, far, parent)
		}
		return
	}
	before, lowered := m.places[slot].lower(place[D]{far, parent})
	if lowered && before == inf[D]() {
		me.carried.add(newWaker(slot, m.in.row(slot), uint32(m.slots())))
	}
}

// ask asks other ranks for the distances that pullers wait for, and lets these settle.
func (m *machine[D]) ask() error {
	g := m.group
	if g == nil {
		return nil
	}
	m.packQuestions()
	v, err := g.reduce(rank.Sum, uint64(len(g.words)))
	if err == nil && v[0] > 0 {
		err = m.answer()
	}
	if err != nil {
		return err
	}
	for i := range m.workers {
		me := &m.workers[i]
		me.carried, me.fresh = me.fresh, me.carried // vertices that settle now are carried with the others
		for k := range me.asking {
			p := &me.asking[k]
			m.settlePuller(me, &p.puller)
		}
		me.carried, me.fresh = me.fresh, me.carried
		me.asking = me.asking[:0]
	}
	return nil
}

// answer exchanges questions and answers, and takes what is nearer.
func (m *machine[D]) answer() error {
	g := m.group
	if err := g.exchange.Send(g.words, g.cuts); err != nil {
		return err
	}
	replies := slices.Clone(g.exchange.All())
	for i, number := range replies {
		replies[i] = math.Float64bits(float64(m.places[m.slot[number]].far))
	}
	answers, err := g.exchange.AnswerWords(replies)
	if err != nil {
		return err
	}
	next := 0
	for i := range m.workers {
		for k := range m.workers[i].asking {
			p := &m.workers[i].asking[k]
			m.eachAway(p, func(e entry) {
				far := D(math.Float64frombits(answers[g.positions[next]]))
				next++
				if sum := far + D(e.weight()); sum < p.best {
					p.best, p.parent = sum, e.slot()
				}
			})
		}
	}
	return nil
}

// eachAway calls f for the entries of other ranks that can still matter, by what was
// known when the questions were packed.
func (m *machine[D]) eachAway(p *asker[D], f func(e entry)) {
	limit := min(p.best, m.bound)
	for _, e := range p.row {
		if m.near+D(e.weight()) >= limit {
			break
		}
		if int(e.slot()) > m.slots() {
			f(e)
		}
	}
}

// packQuestions orders questions by the ranks that they are for: each is the number of a
// vertex there.
func (m *machine[D]) packQuestions() {
	g, size := m.group, m.group.Comm.Size()
	g.cuts = slices.Grow(g.cuts[:0], size+1)[:size+1]
	clear(g.cuts)
	g.words, g.owner = g.words[:0], g.owner[:0]
	for i := range m.workers {
		for k := range m.workers[i].asking {
			m.eachAway(&m.workers[i].asking[k], func(e entry) {
				owner, number := g.locate(g.label(e.slot()))
				g.cuts[owner+1]++
				g.words, g.owner = append(g.words, number), append(g.owner, int32(owner))
			})
		}
	}
	for r := range size {
		g.cuts[r+1] += g.cuts[r]
	}
	next := slices.Clone(g.cuts)
	unsorted := slices.Clone(g.words)
	g.positions = slices.Grow(g.positions[:0], len(g.words))[:len(g.words)]
	for i, number := range unsorted {
		at := &next[g.owner[i]]
		g.words[*at], g.positions[i] = number, *at
		*at++
	}
}
