package cpu

import (
	"math"
	"time"

	"github.com/gohops/hops/internal/par"
	"github.com/gohops/hops/level"
)

// How a top-down level is run, and by how many workers, is chosen by price. A price has
// three parts: what it takes to have so many workers begin and end a phase, which is
// measured when the engine is made; the work, in row entries; and what a unit of work
// takes, which differs from graph to graph by a factor of ten and which every level of
// some size measures again. A search begins with the rates below, and learns nothing
// from the searches before it.

const (
	// directRate is what an entry takes one worker of the direct step, in nanoseconds:
	// 1.5 on a tree in order, 2 on a lattice, 6 on a graph without locality.
	directRate = 2.5
	// rowEntries is how many entries it takes as long to find and begin a row.
	rowEntries = 4
	// crowding is by how much each further worker makes an entry more expensive: caches
	// exchange lines. Sixteen take 1.6 to 3 times as long for an entry as one does.
	crowding = 0.06
	// binRate is what an entry takes one worker by bins, binRow what a row takes, and
	// binWord what a word of the bitmaps takes, over which each level passes.
	binRate = 1.2
	binRow  = 25
	binWord = 1.2
	// binPhases is the number of phases of a level by bins, directPhases of a direct one.
	binPhases    = 3
	directPhases = 2
	// measurable is the work from which a level is timed.
	measurable = 1 << 10
	// emptyPhases is how many phases are timed to know what one takes, at most.
	emptyPhases = 16
)

// A form is one way to run a top-down level.
type form struct {
	step    level.Step
	phases  float64 // nanoseconds of all phases
	learned float64 // what a level took, as a multiple of what was expected
}

// prices are what the forms of a top-down level take.
type prices struct {
	forms   []form  // direct ones by rising number of workers, and at last by bins
	rate    float64 // nanoseconds of an entry for one worker of the direct step
	words   float64 // of a bitmap
	running int     // form of the running level
	since   time.Time
	work    float64
}

func newPrices(team *par.Team, words int) *prices {
	p := &prices{words: float64(words)}
	for workers := 1; ; workers = min(2*workers, team.Size()) {
		f := form{step: level.Step{Name: stepTopDown, Direction: level.TopDown, Workers: workers}}
		if workers > 1 {
			f.phases = directPhases * emptyPhase(team, workers)
		}
		p.forms = append(p.forms, f)
		if workers == team.Size() {
			break
		}
	}
	p.forms = append(p.forms, form{
		step:   level.Step{Name: stepTopDownBins, Direction: level.TopDown, Workers: team.Size()},
		phases: binPhases * emptyPhase(team, team.Size()),
	})
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
	p.rate = directRate
	for i := range p.forms {
		p.forms[i].learned = 1
	}
}

// price is what form i is expected to take for a frontier, in nanoseconds.
func (p *prices) price(i int, f *level.Front) float64 {
	form := &p.forms[i]
	workers := float64(form.step.Workers)
	return form.phases + p.working(i, f)*form.learned/workers
}

// working is what all workers together are expected to take, before anything is learned of
// the form.
func (p *prices) working(i int, f *level.Front) float64 {
	form := &p.forms[i]
	entries, rows := float64(f.Edges), float64(f.Vertices)
	if form.step.Name == stepTopDownBins {
		return entries*binRate + rows*binRow + p.words*binWord
	}
	return (entries + rows*rowEntries) * p.rate * (1 + crowding*float64(form.step.Workers-1))
}

// cheapest is the cheapest form for a frontier.
func (p *prices) cheapest(f *level.Front) level.Step {
	best, least := 0, math.Inf(1)
	for i := range p.forms {
		if price := p.price(i, f); price < least {
			best, least = i, price
		}
	}
	return p.forms[best].step
}

// start begins to time a level, if it has enough work.
func (p *prices) start(s level.Step, f *level.Front) {
	p.running = -1
	if f.Edges+f.Vertices < measurable {
		return
	}
	for i := range p.forms {
		if p.forms[i].step == s {
			p.running, p.since, p.work = i, time.Now(), p.working(i, f)
		}
	}
}

// stop learns from a level that is over. What a level of the direct step takes tells of the
// graph, and of the number of workers: half is put down to either.
func (p *prices) stop() {
	if p.running < 0 {
		return
	}
	form := &p.forms[p.running]
	took := max(float64(time.Since(p.since))-form.phases, 1) * float64(form.step.Workers)
	const most = 4 // a level during which a processor was taken away says little
	ratio := min(max(took/(p.work*form.learned), 1.0/most), most)
	if form.step.Name == stepTopDownBins || form.step.Workers > 1 {
		form.learned *= math.Sqrt(ratio)
	}
	if form.step.Name == stepTopDown {
		p.rate *= math.Sqrt(ratio)
	}
}

// A chooser is a policy for the directions of levels, with the prices for how top-down ones are
// run.
type chooser struct {
	level.Policy
	m *machine
}

// Next implements level.Policy.
func (c chooser) Next(f level.Front, all []level.Step) level.Step {
	s := c.Policy.Next(f, all)
	if s.Name == stepTopDown && s.Workers == 0 {
		return c.m.prices.cheapest(&f)
	}
	return s
}

// Begin implements level.StatefulPolicy.
func (c chooser) Begin() {
	if s, ok := c.Policy.(level.StatefulPolicy); ok {
		s.Begin()
	}
}
