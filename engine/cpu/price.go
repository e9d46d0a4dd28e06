package cpu

import (
	"math"
	"math/bits"
	"time"

	"github.com/gohops/hops/internal/base/par"
	"github.com/gohops/hops/level"
)

// The cost of a level says how it is run: top-down directly by one worker, by two, by four and
// so on, top-down by bins, or bottom-up. The price of a form has three parts: the
// time in which so many workers begin and end a phase, which is measured when the engine is
// made; the work that the level is expected to have, in nanoseconds of one worker on a graph
// without locality; and a factor for this graph. The last is between a tenth and two, so each
// level of some size measures it again: a lattice begins with small levels, and when they
// become large it is known how little an entry takes. A graph whose second level is large
// already has no locality. Forms that have not run in this search have the factor of the next
// form that has. A search learns nothing from another one. How a form is chosen: choose.go.

const (
	// An entry takes one worker of the direct step lookedUp, and findAlone more if it finds
	// a vertex: its lines of the visited set and of the parents come from memory. Where others
	// find vertices, too, lines go from core to core, and it takes findTogether.
	lookedUp     = 2.5
	findAlone    = 10
	findTogether = 13
	// rowEntries is how many entries it takes as long to find and begin a row.
	rowEntries = 4
	// By bins an entry takes a worker binRate, and a row binRow. Each worker picks its own vertices
	// from long rows, and finds one in binFind; an unvisited entry of another row is sent to its
	// owner in binPair. Each level passes over the bitmaps, in binWord a word.
	binRate = 1
	binRow  = 25
	binFind = 5
	binPair = 14
	binWord = 1.2
	// Bottom-up an entry takes a worker lookRate, and a word of the bitmaps lookWord.
	lookRate = 3
	lookWord = 3

	// The number of phases of a level.
	directPhases = 2
	binPhases    = 3
	lookPhases   = 1

	// measurable is the work, in nanoseconds, from which a level is timed.
	measurable = 1 << 12
	// A level that took less than expected is believed. One that took more has perhaps lost a
	// processor or woken workers up, and is believed less, the least if it was to take less than
	// steady, in nanoseconds.
	belief     = 0.75
	leastDoubt = 0.1
	mostDoubt  = 0.5
	steady     = 400e3
	// mostChange bounds what one level changes.
	mostChange = 4
	// That another size took less than expected tells less the further it is: the logarithm of
	// its factor shrinks so for each class.
	fades = 0.8
	// emptyPhases is how many phases are timed to know what one takes. It is no more than mostEmpty
	// unless other programs have the processors.
	emptyPhases = 16
	mostEmpty   = 5 * time.Microsecond
)

// A form is one way to run a level.
type form struct {
	step   level.Step
	phases float64 // nanoseconds that its phases take without work
	find   float64 // nanoseconds that it takes to find a vertex, in direct forms
	seen   [classes]seen
}

// seen is what was measured of a form in this search, on levels of one class of sizes.
type seen struct {
	factor float64 // of the time that work was expected to take; 0: nothing
	last   int     // timed level in which it ran last
}

// classes of sizes: the work of one is within a factor of four.
const classes = 24

func class(work float64) int { return min(bits.Len64(uint64(work))/2, classes-1) }

// prices are those of all forms.
type prices struct {
	forms   []form // direct ones by rising number of workers, by bins, and bottom-up
	words   float64
	entries float64 // of all rows
	timed   int     // levels that were timed in this search
	long    float64 // entries of the frontier in long rows
	refused float64 // share of the remaining entries in the frontier for which bottom-up was too dear

	running int // form of the running level, or -1
	since   time.Time
	now     func() time.Time
	work    float64
}

func newPrices(team *par.Team, words int, entries int64) *prices {
	p := &prices{words: float64(words), entries: float64(max(entries, 1)), now: time.Now}
	p.addForms(team.Size(), func(workers int) float64 { return emptyPhase(team, workers) })
	return p
}

// addForms lists the forms for all workers or fewer. empty is what a phase takes.
func (p *prices) addForms(all int, empty func(workers int) float64) {
	for workers := 1; ; workers = min(2*workers, all) {
		f := form{step: level.Step{Name: stepTopDown, Direction: level.TopDown, Workers: workers}, find: findAlone}
		if workers > 1 {
			f.find, f.phases = findTogether, directPhases*empty(workers)
		}
		p.forms = append(p.forms, f)
		if workers == all {
			break
		}
	}
	phase := empty(all)
	p.forms = append(p.forms,
		form{step: level.Step{Name: stepTopDownBins, Direction: level.TopDown, Workers: all}, phases: binPhases * phase},
		form{step: level.Step{Name: stepBottomUp, Direction: level.BottomUp, Workers: all}, phases: lookPhases * phase})
	p.begin()
}

// emptyPhase is the least time of a phase without work, in nanoseconds. It gives up soon where
// other programs have the processors.
func emptyPhase(team *par.Team, workers int) float64 {
	least, begin := time.Duration(math.MaxInt64), time.Now()
	for n := 0; n < emptyPhases && (n == 0 || time.Since(begin) < emptyPhases*mostEmpty); n++ {
		start := time.Now()
		team.RunFirst(workers, func(int) {})
		least = min(least, time.Since(start))
	}
	return float64(min(least, mostEmpty))
}

// begin forgets what was learned.
func (p *prices) begin() {
	p.timed, p.long, p.refused, p.running = 0, 0, 0, -1
	for i := range p.forms {
		p.forms[i].seen = [classes]seen{}
	}
}

func (p *prices) bins() int     { return len(p.forms) - 2 }
func (p *prices) bottomUp() int { return len(p.forms) - 1 }

// ofWork is what form i takes for so much work.
func (p *prices) ofWork(i int, work float64) float64 {
	f := &p.forms[i]
	return f.phases + work*p.factor(i, class(work))/float64(f.step.Workers)
}

// factor is by how much work of a class takes form i longer than expected: as measured, or else
// as the most promising of what is next to it, in size and in the number of workers, has it.
func (p *prices) factor(i, c int) float64 {
	if f := p.forms[i].seen[c].factor; f > 0 {
		return f
	}
	least := math.Inf(1)
	for j := max(0, i-1); j <= i+1; j++ {
		if j == i || max(i, j) < p.bins() {
			least = min(least, p.nearest(j, c))
		}
	}
	if math.IsInf(least, 1) {
		return 1
	}
	return least
}

// nearest is the factor of form i for the class next to c that was measured, or +Inf.
func (p *prices) nearest(i, c int) float64 {
	trust := 1.0
	for d := range classes {
		for _, at := range [2]int{c - d, c + d} {
			if at >= 0 && at < classes && p.forms[i].seen[at].factor > 0 {
				f := p.forms[i].seen[at].factor
				return max(f, math.Pow(f, trust))
			}
		}
		trust *= fades
	}
	return math.Inf(1)
}

// down is the work of a top-down level in form i.
func (p *prices) down(i int, f *level.Front) float64 {
	entries, rows := float64(max(f.Edges, 1)), float64(f.Vertices)
	unvisited := entries * min(1, float64(f.Remaining)/p.entries)
	finds := distinct(unvisited, float64(f.Unvisited))
	if i == p.bins() {
		long := min(1, p.long/entries)
		sent := 1 - long
		return entries*binRate + (rows*binRow+unvisited*binPair)*sent + finds*long*binFind + p.words*binWord
	}
	work := (entries+rows*rowEntries)*lookedUp + finds*p.forms[i].find
	if workers := float64(p.forms[i].step.Workers); rows < workers {
		work *= workers / rows // one worker reads a row
	}
	return work
}

// distinct is how many different ones so many draws from a number of vertices are, on average.
func distinct(draws, vertices float64) float64 {
	return vertices * -math.Expm1(-draws/max(vertices, 1))
}

// up is the work of a bottom-up level that examines so many entries.
func (p *prices) up(entries int64) float64 { return float64(entries)*lookRate + p.words*lookWord }

// start begins to time a level, if it has enough work.
func (p *prices) start(s level.Step, work func(i int) float64) {
	p.running = -1
	for i := range p.forms {
		if p.forms[i].step == s {
			if w := work(i); w >= measurable {
				p.running, p.work, p.since = i, w, p.now()
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
	c, workers := class(work), float64(f.step.Workers)
	expected := p.factor(p.running, c)
	took := (float64(p.now().Sub(p.since)) - f.phases) * workers / work
	took = min(max(took, expected/mostChange), expected*mostChange)
	trust := belief
	if took > expected {
		trust = min(max(expected*work/workers/steady, leastDoubt), mostDoubt)
	}
	p.timed++
	f.seen[c] = seen{expected + trust*(took-expected), p.timed}
	p.running = -1
}
