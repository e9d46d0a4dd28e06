package cpu

import (
	"math"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/arena"
)

// Before the first search the forms of a top-down level are rehearsed: a few searches begin in
// the graph, each in one form, and end where levels become large. What their levels take is
// what prices begin with. Graphs whose searches take less than a millisecond are left alone.

const (
	// rehearsedEntries is the number of row entries from which a graph is rehearsed.
	rehearsedEntries = 1 << 19
	// rehearsals is the number of roots. Each form begins at each of them.
	rehearsals = 3
	// A rehearsal ends before a level of more than largestLevel entries, or one in
	// largestShare of all, and after longestRehearsal.
	largestLevel     = 1 << 20
	largestShare     = 128
	longestRehearsal = 2 * time.Millisecond
	// twice: the memory that a form takes is new to it the first time. The least rate counts.
	twice = 2
	// enough is how many levels' least work a rate is taken from.
	enough = 4
)

// rehearse sets the rates that prices begin with.
func (m *machine) rehearse() error {
	p, n := m.prices, int64(m.graph.NumVertices())
	if m.graph.NumEntries() < rehearsedEntries {
		return nil
	}
	parents, err := arena.Make[uint32](&m.mem, int(n))
	if err != nil {
		return err
	}
	defer func() { m.parents = nil; arena.Free(&m.mem, parents) }()
	m.parents, m.unasked = parents, true
	rates := make([]float64, len(p.forms))
	for i := range rates {
		rates[i] = math.Inf(1)
	}
	for r := range int64(rehearsals) {
		root := uint32(n / rehearsals * r)
		for root++; int64(root) < n && m.graph.Out.Degree(root) == 0; root++ {
		}
		if int64(root) >= n {
			continue
		}
		for range twice {
			for _, i := range []int{0, p.bins() - 1, p.bins()} {
				rate, err := m.rehearseFrom(root, i)
				if err != nil {
					return err
				}
				rates[i] = min(rates[i], rate)
			}
		}
	}
	p.adopt(rates)
	return nil
}

// rehearseFrom begins a search in one form. It returns what a unit of work took a worker, apart
// from phases, and +Inf if there was little to do.
func (m *machine) rehearseFrom(root uint32, i int) (rate float64, err error) {
	p, took, work := m.prices, 0.0, 0.0
	workers := float64(p.forms[i].step.Workers)
	m.team.Run(func(w int) {
		me, size := &m.workers[w], int64(len(m.parents))
		arena.Fill(m.parents[min(me.lo*64, size):min(me.hi*64, size)], ^uint32(0))
	})
	limit := max(largestLevel, m.graph.NumEntries()/largestShare)
	start := time.Now()
	f, err := m.Seed(hops.Vertex(root))
	for err == nil && f.Vertices > 0 && f.Edges <= limit && time.Since(start) < longestRehearsal {
		w, since := p.down(i, &f), time.Now()
		if f, _, err = m.Run(p.forms[i].step); w >= measurable*workers {
			took += max(0, float64(time.Since(since))-p.forms[i].phases) * workers
			work += w
		}
	}
	if work < enough*measurable*workers {
		return math.Inf(1), err
	}
	return took / work, err
}

// adopt takes over rates that were measured, for all workers and for one. Other numbers of
// workers are between these.
func (p *prices) adopt(rates []float64) {
	last := p.bins() - 1
	if bins := rates[p.bins()]; !math.IsInf(bins, 1) {
		p.forms[p.bins()].rate = bins
	}
	one, all := rates[0], rates[last]
	if math.IsInf(one, 1) || math.IsInf(all, 1) {
		return
	}
	for i := range last + 1 {
		share := 0.0
		if last > 0 {
			share = math.Log2(float64(p.forms[i].step.Workers)) / math.Log2(float64(p.forms[last].step.Workers))
		}
		p.forms[i].rate = one * math.Pow(all/one, share)
	}
}
