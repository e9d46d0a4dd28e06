package sssp

import (
	"math"
	"slices"

	"github.com/gohops/hops/internal/ranks/rank"
)

// An asker is a vertex that pulls entries of other hosts.
type asker[D distance] struct {
	puller[D]
	row []entry // the entries that can matter
}

// ask asks other hosts for the distances that pullers wait for, and settles the pullers.
func (m *machine[D]) ask() error {
	g := m.group
	if g == nil || g.host.alone {
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

// answer exchanges questions and answers, and takes the distances that are smaller.
func (m *machine[D]) answer() error {
	g := m.group
	if err := g.exchange.Send(g.words, g.cuts); err != nil {
		return err
	}
	replies := slices.Clone(g.exchange.All())
	for i, number := range replies {
		replies[i] = math.Float64bits(float64(m.states[m.slot[number]].far))
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

// eachAway calls f for the entries of other hosts that could still matter when the questions were
// packed.
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
				owner, number := g.locate(e.slot())
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
