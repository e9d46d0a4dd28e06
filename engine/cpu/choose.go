package cpu

import (
	"math"

	"github.com/gohops/hops/level"
)

const (
	// A form that has not run at such a size is tried if its price is at most tryNew times the
	// least and enoughLeft times as many entries are left in the graph, or if it costs no more than
	// a trialShare of what is left, by leastVertex nanoseconds for a vertex.
	tryNew      = 1.25
	enoughLeft  = 64
	trialShare  = 1. / 32
	leastVertex = 2
	// One that has not run for staleAfter timed levels is tried every triesEach of them if its
	// price is at most tryBelow times the least.
	triesEach  = 16
	staleAfter = 64
	tryBelow   = 1.6
	// More workers have to be so much cheaper: what one finds, others fetch from its caches later.
	worthwhile = 0.9
)

// cheapestDown is the cheapest form of a top-down level, and its price.
func (p *prices) cheapestDown(f *level.Front) (best int, least float64) {
	least = math.Inf(1)
	for i := range p.bottomUp() {
		price, bar := p.ofWork(i, p.down(i, f)), least
		if i < p.bins() {
			bar *= worthwhile
		}
		if price < bar {
			best, least = i, price
		}
	}
	return best, least
}

// chooseDown is the form in which a top-down level runs: the cheapest, or one to be tried.
func (p *prices) chooseDown(f *level.Front) level.Step {
	best, least := p.cheapestDown(f)
	if least < measurable {
		return p.forms[best].step
	}
	for _, i := range [2]int{best - 1, best + 1} {
		if i < 0 || i >= p.bottomUp() {
			continue
		}
		work := p.down(i, f)
		before := p.forms[i].seen[class(work)]
		price := p.ofWork(i, work)
		isNew := before.factor == 0 && (f.Edges*enoughLeft < f.Remaining && price < tryNew*least ||
			price < trialShare*leastVertex*float64(f.Unvisited))
		isStale := p.timed%triesEach == triesEach-1 && p.timed-before.last > staleAfter && price < tryBelow*least
		if isNew || isStale {
			return p.forms[i].step
		}
	}
	return p.forms[best].step
}

// A chooser is a policy for the directions of levels, with the prices for how top-down ones are
// run. Where nobody has asked for a policy, a level also goes bottom-up where that is cheaper, and
// top-down again as the rule of thumb says.
type chooser struct {
	level.Policy
	isDefault bool
	m         *machine
}

// Next implements level.Policy.
func (c *chooser) Next(f level.Front, all []level.Step) level.Step {
	s := c.Policy.Next(f, all)
	if c.isDefault && (s.Name == stepBottomUp || f.Last == level.TopDown) {
		s = level.First(all, level.TopDown)
		if c.m.bottomUpPays(&f) {
			s = level.First(all, level.BottomUp)
		}
	}
	if s.Name == stepTopDown && s.Workers == 0 {
		return c.m.prices.chooseDown(&f)
	}
	return s
}

// bottomUpPays tells whether a level is cheaper bottom-up. Where that is in doubt, rows of some
// unvisited vertices are probed. If the answer is no, it holds until the frontier has twice the
// share of the remaining entries.
func (m *machine) bottomUpPays(f *level.Front) bool {
	p := m.prices
	_, down := p.cheapestDown(f)
	price := func(entries int64) float64 { return p.ofWork(p.bottomUp(), p.up(entries)) }
	share := float64(f.Edges) / float64(max(f.Remaining, 1))
	if down <= price(f.Unvisited) || share < 2*p.refused {
		return false
	}
	if down >= price(f.Remaining) {
		return true
	}
	m.needFront()
	examined, _, taken := m.trial()
	if down >= price(f.Unvisited*examined/max(taken, 1)) {
		return true
	}
	p.refused = share
	return false
}

// Begin implements level.StatefulPolicy.
func (c *chooser) Begin() {
	if s, ok := c.Policy.(level.StatefulPolicy); ok {
		s.Begin()
	}
}
