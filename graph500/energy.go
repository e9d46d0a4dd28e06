package graph500

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/energy"
)

// Energy is the energy that searches use. It is measured after the score, by searching
// from the same roots again: counters advance in steps that are longer than a search.
type Energy struct {
	Meter       string        `json:"meter,omitempty"`       // what is counted
	Unavailable string        `json:"unavailable,omitempty"` // why there is no figure
	Searches    int           `json:"searches,omitempty"`    // that were repeated
	Edges       int64         `json:"edges,omitempty"`       // traversed by all of them
	Time        time.Duration `json:"ns,omitempty"`          // of all of them
	Joules      float64       `json:"joules,omitempty"`      // of all of them
}

// PerSearch is the mean energy of a search in joules.
func (e *Energy) PerSearch() float64 { return e.Joules / float64(e.Searches) }

// Watts is the mean power of a search.
func (e *Energy) Watts() float64 { return e.Joules / e.Time.Seconds() }

// TEPSPerWatt is the number of edges traversed for a joule.
func (e *Energy) TEPSPerWatt() float64 { return float64(e.Edges) / e.Joules }

// A meter reads an energy counter.
type meter struct {
	name   func() string
	joules func() (float64, error)
	slow   bool // it advances so seldom that it is read before and after many searches
}

// openMeter returns the searcher's own meter, or that of this host's processors.
func openMeter(graph Searcher) (meter, error) {
	if m, ok := graph.(EnergyMeter); ok {
		_, err := m.Joules()
		return meter{m.MeterName, m.Joules, true}, err
	}
	m, err := energy.Open()
	if err != nil {
		return meter{}, err
	}
	return meter{m.Name, m.Joules, false}, nil
}

// span is how long searches are repeated: the counters of processors advance every
// millisecond, those of devices about ten times a second.
func (m meter) span() time.Duration {
	if m.slow {
		return 2 * time.Second
	}
	return 100 * time.Millisecond
}

// energy repeats the searches. What cannot be measured is no error.
func (b *bench) energy(ctx context.Context, graph Searcher, trees trees) error {
	e := &Energy{}
	*b.kernel.energy = e
	searches := *b.kernel.searches
	switch {
	case b.comm.Size() > 1:
		e.Unavailable = "several processes share the counters"
		return nil
	case len(searches) == 0 || searches[0].Clock == hops.Model.String():
		e.Unavailable = "the clock is that of a model"
		return nil
	}
	m, err := openMeter(graph)
	if err != nil {
		e.Unavailable = strings.TrimPrefix(err.Error(), "energy: ") // reports print the word before it
		return nil
	}
	e.Meter = m.name()
	empty := func() { trees.clear(m.slow) }
	search := func() error {
		s := searches[e.Searches%len(searches)]
		e.Searches, e.Edges = e.Searches+1, e.Edges+s.Edges
		return trees.repeat(ctx, s.Root)
	}
	for e.Time < m.span() {
		if err := e.add(m, empty, search); err != nil {
			return fmt.Errorf("energy: %w", err)
		}
	}
	if e.Joules <= 0 {
		e.Unavailable = e.Meter + " does not advance"
	}
	return nil
}

// add counts one search, and none of the clearing before it. By a slow meter it counts
// as many searches as fill the span, with the clearing between them.
func (e *Energy) add(m meter, empty func(), search func() error) error {
	empty()
	before, err := m.joules()
	if err != nil {
		return err
	}
	start := time.Now()
	if err := search(); err != nil {
		return err
	}
	for m.slow && time.Since(start) < m.span() {
		empty()
		if err := search(); err != nil {
			return err
		}
	}
	e.Time += time.Since(start)
	after, err := m.joules()
	e.Joules += after - before
	return err
}
