package graph500

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/energy"
)

// Energy is what searches use. It is measured after the score, by searching from
// the same roots again: counters advance in steps that are longer than a search.
type Energy struct {
	Meter       string        `json:"meter,omitempty"`       // what is counted
	Unavailable string        `json:"unavailable,omitempty"` // why there is no figure
	Searches    int           `json:"searches,omitempty"`
	Edges       int64         `json:"edges,omitempty"` // of all of them
	Time        time.Duration `json:"ns,omitempty"`    // likewise
	Joules      float64       `json:"joules,omitempty"`
}

// PerSearch is in joules.
func (e *Energy) PerSearch() float64 { return e.Joules / float64(e.Searches) }

// Watts is the mean power of a search.
func (e *Energy) Watts() float64 { return e.Joules / e.Time.Seconds() }

// TEPSPerWatt is also the number of edges for a joule.
func (e *Energy) TEPSPerWatt() float64 { return float64(e.Edges) / e.Joules }

// A meter counts energy, from any time on.
type meter struct {
	name   func() string
	joules func() (float64, error)
	own    bool // the searcher brought it
}

// openMeter returns the searcher's own meter, or that of this machine's processors.
func openMeter(graph Searcher) (meter, error) {
	type metered interface {
		Joules() (float64, error)
		MeterName() string
	}
	if m, ok := graph.(metered); ok {
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
	if m.own {
		return 2 * time.Second
	}
	return 100 * time.Millisecond
}

// energy repeats the searches. What cannot be measured is no error.
func (b *bench) energy(ctx context.Context, graph Searcher, tree *hops.Tree) error {
	e := &Energy{}
	b.res.Energy = e
	switch {
	case b.comm.Size() > 1:
		e.Unavailable = "several processes share the counters"
		return nil
	case len(b.res.Searches) == 0 || b.res.Searches[0].Clock == hops.Model.String():
		e.Unavailable = "the clock is that of a model"
		return nil
	}
	m, err := openMeter(graph)
	if err != nil {
		e.Unavailable = strings.TrimPrefix(err.Error(), "energy: ") // which is what reports call it
		return nil
	}
	e.Meter = m.name()
	search := func() error {
		s := b.res.Searches[e.Searches%len(b.res.Searches)]
		e.Searches, e.Edges = e.Searches+1, e.Edges+s.Edges
		_, err := graph.Search(ctx, s.Root, tree)
		return err
	}
	for e.Time < m.span() {
		if !m.own {
			clearTree(graph, tree)
		}
		if err := e.add(m, search); err != nil {
			return fmt.Errorf("energy: %w", err)
		}
	}
	if e.Joules <= 0 {
		e.Unavailable = e.Meter + " does not advance"
	}
	return nil
}

// add counts one search, or as many as the meter needs to be right: one that
// advances so seldom is read before the first and after the last.
func (e *Energy) add(m meter, search func() error) error {
	before, err := m.joules()
	if err != nil {
		return err
	}
	start := time.Now()
	for first := true; first || m.own && time.Since(start) < m.span(); first = false {
		if err := search(); err != nil {
			return err
		}
	}
	e.Time += time.Since(start)
	after, err := m.joules()
	e.Joules += after - before
	return err
}
