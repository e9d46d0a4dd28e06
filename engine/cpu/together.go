package cpu

import (
	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/level"
)

// RunFrom implements adaptive.Sharer.
func (p *Portable) RunFrom(first hops.Vertex, partner func() ([]uint64, level.Outcome, error)) (f level.Front, done level.Outcome, err error) {
	err = p.m.graph.Read(func() error {
		if p.own.team.Enter() {
			defer p.own.team.Leave()
		}
		if p.fresh {
			p.fresh = false
			if _, err := p.m.Seed(p.root); err != nil {
				return err
			}
		}
		f, done, err = p.m.bottomUpFrom(int64(first)/64, partner)
		// The log lacks what the partner found, and its parents are not here.
		p.m.state.Last, p.noted, p.overflow = level.BottomUp, false, true
		return err
	})
	return f, done, err
}

// bottomUpFrom looks for the vertices from a word of the bitmaps on, while a partner looks
// for those before it.
func (m *machine) bottomUpFrom(word int64, partner func() ([]uint64, level.Outcome, error)) (level.Front, level.Outcome, error) {
	m.joinParts()
	m.needFront()
	m.resetCounts()
	type report struct {
		visited []uint64
		done    level.Outcome
		err     error
	}
	reported := make(chan report, 1)
	go func() {
		visited, done, err := partner()
		reported <- report{visited, done, err}
	}()
	m.newLook()
	words := int64(len(m.visited))
	next := min((word+blockWords-1)/blockWords*blockWords, words) // the first whole block
	if word < next {
		m.probeBlock(word, next, &m.workers[0])
	}
	for w := range m.workers {
		me := &m.workers[w]
		me.taken.Store(min(max(next-me.lo, 0), me.hi-me.lo))
	}
	m.team.Run(m.phases.bottomUp)
	r := <-reported
	if r.err != nil {
		return level.Front{}, level.Outcome{}, r.err
	}
	clear(m.next[:word])
	for w, visited := range bitset.Set(r.visited) {
		found := visited &^ m.visited[w]
		m.next[w] = found
		m.visited[w] |= found
		m.countWord(int64(w), found, &m.workers[0])
	}
	m.front, m.next = m.next, m.front
	m.hasQueue, m.hasFront, m.hasUnvisited = false, true, false
	f, done := m.countLevel()
	done.Examined, done.Bytes = done.Examined+r.done.Examined, r.done.Bytes
	return f, done, nil
}
