package lab

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/bench"
	"github.com/gohops/hops/graph500"
)

// Runs are the searches of one engine on one graph.
type Runs struct {
	Engine   string
	Policy   string // how it picks its steps, where there is something to say
	Missing  string // why there are no searches
	Searches []graph500.Search
}

// compare searches a graph with several engines in turn: see package bench. Every
// tree is validated.
//
// An engine that is not here, or cannot be built here, has no searches and says
// why. An engine that fails later is an error.
func (l *Lab) compare(ctx context.Context, g graph, engines ...string) ([]Runs, error) {
	src, roots, err := l.inputs(ctx, g)
	if err != nil {
		return nil, err
	}
	runs, at := make([]Runs, len(engines)), []int(nil)
	var present []graph500.Engine
	for i, spec := range engines {
		runs[i].Engine = spec
		engine, err := l.Engine(spec)
		if err != nil {
			runs[i].Missing = spec + ": " + err.Error()
			continue
		}
		engine.Name = spec
		present, at = append(present, engine), append(at, i)
	}
	c, err := bench.Compare(ctx, src, present, bench.Options{
		Roots: roots, Rounds: l.Runs, Validate: bench.All, Cold: l.cold, Optional: true, Available: l.Host.Memory.Available,
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.name, err)
	}
	for i, e := range c.Entrants {
		runs[at[i]].Policy, runs[at[i]].Missing = e.Policy, e.Missing
	}
	for _, s := range c.Searches {
		r := &runs[at[s.Entrant]]
		r.Searches = append(r.Searches, s.Search)
	}
	return runs, nil
}

// open builds the graph with an engine. missing says why it cannot be built here.
func (l *Lab) open(ctx context.Context, spec string, src hops.Source) (graph graph500.Searcher, missing string, err error) {
	engine, err := l.Engine(spec)
	if err == nil {
		graph, err = bench.Build(ctx, engine, src, l.Host.Memory.Available)
	}
	if err != nil && ctx.Err() == nil {
		return nil, spec + ": " + err.Error(), nil
	}
	return graph, "", err
}

// inputs returns the edges of a graph and the roots to search from.
func (l *Lab) inputs(ctx context.Context, g graph) (src hops.Source, roots []hops.Vertex, err error) {
	if src, err = g.source(); err != nil {
		return nil, nil, err
	}
	roots, err = bench.Roots(ctx, src, l.Roots)
	return src, roots, err
}
