package cpu

import (
	"math"
	"time"

	"github.com/gohops/hops/internal/par"
	"github.com/gohops/hops/level"
)

// What a level costs, and by that how it is run: top-down directly by one worker, by two, by
// four and so on, top-down by bins, or bottom-up. The price of a form has three parts: the
// time in which so many workers begin and end a phase, which is measured when the engine is
// made; the work that the level is expected to have; and what a unit of work takes. The
// last differs from graph to graph by a factor of ten, so that each level of some size
// measures it again. Of the forms that have not run in this search the rates below say by
// how much they differ from those that have. Now and then a form that looks nearly as cheap
// is tried. A search begins with the rates below, and learns nothing from another one.

const (
	// directRate is what an entry takes one worker of the direct step, in nanoseconds:
	// 1.5 on a tree in order, 2 on a lattice, 6 on a graph without locality.
	directRate = 2.5
	// rowEntries is how many entries it takes as long to find and begin a row.
	rowEntries = 4
	// crowding is by how much each further worker makes an entry more expensive, because
	// caches exchange lines: sixteen take 1.6 to 3 times as long for an entry as one does.
	crowding = 0.06
	// By bins an entry takes a worker binRate, a row binRow, an entry that is not visited
	// binPair, and a word of the bitmaps, over which each level passes, binWord.
	binRate = 1
	binRow  = 25
	binPair = 12
	binWord = 1.2
	// Bottom-up an entry takes a worker lookRate, and a word of the bitmaps lookWord.
	lookRate = 1.2
	lookWord = 3

	// The number of phases of a level.
	directPhases = 2
	binPhases    = 3
	lookPhases   = 1

	// measurable is the work from which a level is timed.
	measurable = 1 << 10
	// A level that took less than expected is believed, one that took more hardly: it has lost a
	// processor, or woken workers up.
	belief = 0.75
	doubt  = 0.1
	// mostChange bounds what one level changes.
	mostChange = 4
	// Every triesEach timed levels a form is tried that has not run for staleAfter of them,
	// if its price is at most tryBelow times the least.
	triesEach  = 16
	staleAfter = 64
	tryBelow   = 1.6
	// emptyPhases is how many phases are timed to know what one takes.
	emptyPhases = 16
)

// A form is one way to run a level.
type form struct {
	step    level.Step
	phases  float64 // nanoseconds that its phases take without work
	rate    float64 // nanoseconds that a unit of work is expected to take one worker
	learned float64 // the same, measured in this search; 0: it has not run
	last    int     // timed level in which it ran last
}

// prices are those of all forms.
type prices struct {
	forms   []form // direct ones by rising number of workers, by bins, and bottom-up
	words   float64
	entries float64 // of all rows
	timed   int     // levels that were timed in this search
	refused float64 // share of the remaining entries in the frontier for which bottom-up was too dear

	running int // form of the running level, or -1
	since   time.Time
	work    float64
}

func newPrices(team *par.Team, words int, entries int64) *prices {
	p := &prices{words: float64(words), entries: float64(max(entries, 1))}
	all := team.Size()
	empty := emptyPhase(team, all)
	for workers := 1; ; workers = min(2*workers, all) {
		f := form{step: level.Step{Name: stepTopDown, Direction: level.TopDown, Workers: workers}}
		f.rate = directRate * (1 + crowding*float64(workers-1))
		if workers > 1 {
			f.phases = directPhases * emptyPhase(team, workers)
		}
		p.forms = append(p.forms, f)
		if workers == all {
			break
		}
	}
	p.forms = append(p.forms,
		form{step: level.Step{Name: stepTopDownBins, Direction: level.TopDown, Workers: all}, phases: binPhases * empty, rate: 1},
		form{step: level.Step{Name: stepBottomUp, Direction: level.BottomUp, Workers: all}, phases: lookPhases * empty, rate: 1})
	p.begin()
	return p
}

// emptyPhase is the least time of a phase without work, in nanoseconds.
func emptyPhase(team *par.Team, workers int) float64 {
	least := time.Duration(math.MaxInt64)
	for range emptyPhases {
		start := time.Now()
		team.RunFirst(workers, func(int) {})
		least = min(least, time.Since(start))
	}
	return float64(least)
}

// begin forgets what was learned.
func (p *prices) begin() {
	p.timed, p.refused, p.running = 0, 0, -1
	for i := range p.forms {
		p.forms[i].learned = 0
	}
}

func (p *prices) bins() int     { return len(p.forms) - 2 }
func (p *prices) bottomUp() int { return len(p.forms) - 1 }

// ofWork is what form i takes for so much work.
func (p *prices) ofWork(i int, work float64) float64 {
	f := &p.forms[i]
	return f.phases + work*p.rate(i)/float64(f.step.Workers)
}

// rate is what a unit of work takes a worker of form i. If a direct form has not run, the next
// that has run tells.
func (p *prices) rate(i int) float64 {
	f := &p.forms[i]
	if f.learned > 0 {
		return f.learned
	}
	if i >= p.bins() {
		return f.rate
	}
	for d := 1; d < p.bins(); d++ {
		for _, j := range [2]int{i - d, i + d} {
			if j >= 0 && j < p.bins() && p.forms[j].learned > 0 {
				return f.rate * p.forms[j].learned / p.forms[j].rate
			}
		}
	}
	return f.rate
}

// down is the work of a top-down level in form i.
func (p *prices) down(i int, f *level.Front) float64 {
	entries, rows := float64(f.Edges), float64(f.Vertices)
	if i == p.bins() {
		unvisited := entries * min(1, float64(f.Remaining)/p.entries)
		return entries*binRate + rows*binRow + unvisited*binPair + p.words*binWord
	}
	work := entries + rows*rowEntries
	if workers := float64(p.forms[i].step.Workers); rows < workers {
		work *= workers / rows // one worker reads a row
	}
	return work
}

// up is the work of a bottom-up level that examines so many entries.
func (p *prices) up(entries int64) float64 { return float64(entries)*lookRate + p.words*lookWord }

// cheapestDown is the cheapest form of a top-down level, and its price.
func (p *prices) cheapestDown(f *level.Front) (best int, least float64) {
	least = math.Inf(1)
	for i := range p.bottomUp() {
		if price := p.ofWork(i, p.down(i, f)); price < least {
			best, least = i, price
		}
	}
	return best, least
}

// chooseDown is the form in which a top-down level runs: the cheapest, or one to be tried.
func (p *prices) chooseDown(f *level.Front) level.Step {
	best, least := p.cheapestDown(f)
	if p.timed%triesEach == triesEach-1 && f.Edges >= measurable {
		for _, i := range [2]int{best - 1, best + 1} {
			if i >= 0 && i < p.bottomUp() && (p.forms[i].learned == 0 || p.timed-p.forms[i].last > staleAfter) &&
				p.ofWork(i, p.down(i, f)) < tryBelow*least {
				return p.forms[i].step
			}
		}
	}
	return p.forms[best].step
}

// start begins to time a level, if it has enough work.
func (p *prices) start(s level.Step, work func(i int) float64) {
	p.running = -1
	for i := range p.forms {
		if p.forms[i].step == s {
			if w := work(i); w >= measurable {
				p.running, p.work, p.since = i, w, time.Now()
			}
			return
		}
	}
}

// stop learns from a level that is over. Its work is known better by now, if it is not 0.
func (p *prices) stop(work float64) {
	if p.running < 0 {
		return
	}
	f := &p.forms[p.running]
	if work == 0 {
		work = p.work
	}
	took := float64(time.Since(p.since)) - f.phases
	expected := p.rate(p.running)
	measured := min(max(took*float64(f.step.Workers)/work, expected/mostChange), expected*mostChange)
	if measured < expected {
		f.learned = expected + belief*(measured-expected)
	} else {
		f.learned = expected + doubt*(measured-expected)
	}
	p.timed++
	f.last, p.running = p.timed, -1
}

// A chooser is a policy for the directions of levels, with the prices for how top-down ones are
// run. A rule of thumb that wants to go bottom-up has to ask for the price.
type chooser struct {
	level.Policy
	isRule bool
	m      *machine
}

// Next implements level.Policy.
func (c chooser) Next(f level.Front, all []level.Step) level.Step {
	s := c.Policy.Next(f, all)
	if c.isRule && s.Name == stepBottomUp && !c.m.bottomUpPays(&f) {
		s = level.First(all, level.TopDown)
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
func (c chooser) Begin() {
	if s, ok := c.Policy.(level.StatefulPolicy); ok {
		s.Begin()
	}
}
