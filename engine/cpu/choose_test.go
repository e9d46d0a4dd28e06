package cpu

import (
	"fmt"
	"testing"
	"time"

	"github.com/gohops/hops/level"
)

// pricesOf are the prices of so many workers for a graph of a million vertices and so many entries,
// with phases of a microsecond and a clock that a test moves.
func pricesOf(workers int, entries int64) (p *prices, wait func(time.Duration)) {
	now := time.Unix(0, 0)
	p = &prices{words: 1 << 14, entries: float64(entries), now: func() time.Time { return now }}
	p.addForms(workers, func(int) float64 { return 1000 })
	return p, func(d time.Duration) { now = now.Add(d) }
}

// lattice is a frontier of so many vertices in a graph of eight neighbours each, hardly any visited.
func lattice(vertices int64) *level.Front {
	return &level.Front{Vertices: vertices, Edges: 8 * vertices, Unvisited: 1 << 20, Remaining: 8 << 20, Size: 1 << 20}
}

// runs runs a level, which takes by factor of what it is expected to take.
func runs(p *prices, wait func(time.Duration), s level.Step, f *level.Front, factor float64) {
	p.start(s, func(i int) float64 { return p.down(i, f) })
	for i, form := range p.forms {
		if form.step == s {
			wait(time.Duration(form.phases + p.down(i, f)*factor/float64(s.Workers)))
		}
	}
	p.stop(0)
}

func TestWorkersFollowTheSizeOfLevels(t *testing.T) {
	p, _ := pricesOf(16, 8<<20)
	last := 0
	for _, vertices := range []int64{1, 8, 64, 512, 4096, 32768} {
		i, _ := p.cheapestDown(lattice(vertices))
		workers := p.forms[i].step.Workers
		if workers < last || vertices <= 8 && workers != 1 || vertices == 32768 && workers != 16 {
			t.Errorf("a level of %d vertices is run by %d workers, a smaller one by %d", vertices, workers, last)
		}
		last = workers
	}
}

// A form that turns out to be slow on this graph gives way, and comes back in no other search.
func TestSlowFormsGiveWay(t *testing.T) {
	p, wait := pricesOf(2, 8<<20)
	f := lattice(100_000)
	first, _ := p.cheapestDown(f)
	for n := 0; ; n++ {
		if n == 30 {
			t.Fatalf("%+v is still the cheapest after %d levels of four times the time", p.forms[first].step, n)
		}
		if i, _ := p.cheapestDown(f); i != first {
			break
		}
		runs(p, wait, p.forms[first].step, f, 4)
	}
	p.begin()
	if i, _ := p.cheapestDown(f); i != first {
		t.Error("a search begins with what another one has learned")
	}
}

// One level that lost its processors does not change the choice.
func TestOneSlowLevelIsDoubted(t *testing.T) {
	p, wait := pricesOf(2, 8<<20)
	f := lattice(500)
	for range 5 {
		runs(p, wait, p.forms[1].step, f, 0.3)
	}
	before, _ := p.cheapestDown(f)
	runs(p, wait, p.forms[1].step, f, 100)
	if after, _ := p.cheapestDown(f); before != 1 || after != 1 {
		t.Errorf("form %d, and %d after a slow level, want 1", before, after)
	}
}

// What is learned of one number of workers tells about others: an entry of a lattice takes little.
func TestFactorsOfNeighboursTell(t *testing.T) {
	p, wait := pricesOf(4, 8<<20)
	f := lattice(2000)
	before := p.ofWork(2, p.down(2, f))
	for range 4 {
		runs(p, wait, p.forms[1].step, f, 0.2)
	}
	if after := p.ofWork(2, p.down(2, f)); after > before/2 {
		t.Errorf("four workers are expected to take %.0f ns, and %.0f before two took a fifth", after, before)
	}
	if bins := p.factor(p.bins(), class(1e6)); bins != 1 {
		t.Errorf("direct levels tell nothing of bins, but their factor is %v", bins)
	}
}

// Long rows cost little by bins, because no worker sends what another owns.
func TestLongRowsGoByBins(t *testing.T) {
	for _, workers := range []int{2, 16} {
		p, _ := pricesOf(workers, 32<<20)
		f := &level.Front{Vertices: 300, Edges: 500_000, Unvisited: 1 << 19, Remaining: 31 << 20, Size: 1 << 20}
		p.long = 450_000
		if i, _ := p.cheapestDown(f); i != p.bins() {
			t.Errorf("%d workers run long rows by %+v", workers, p.forms[i].step)
		}
		p.long = 1 << 30 // an estimate may be more than there is
		if work := p.down(p.bins(), f); work <= 0 {
			t.Errorf("the work of a level is %v", work)
		}
	}
}

// Forms that look nearly as cheap are tried while that costs little, and once.
func TestTrials(t *testing.T) {
	p, wait := pricesOf(2, 8<<20)
	tried := map[string]int{}
	f := lattice(1000)
	for range 8 {
		s := p.chooseDown(f)
		tried[fmt.Sprint(s.Name, s.Workers)]++
		runs(p, wait, s, f, 1)
	}
	if len(tried) < 2 {
		t.Errorf("eight levels ran as %v", tried)
	}
	late := *f
	late.Remaining, late.Unvisited = f.Edges, f.Vertices
	p.begin()
	best, _ := p.cheapestDown(&late)
	if s := p.chooseDown(&late); s != p.forms[best].step {
		t.Errorf("where little is left, %+v was tried instead of %+v", s, p.forms[best].step)
	}
}
