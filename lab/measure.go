package lab

import (
	"context"
	"errors"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/bench"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/human"
)

// Runs are the searches of one engine on one graph.
type Runs struct {
	Engine   string
	Policy   string // how it picks its steps, where there is something to say
	Missing  string // why there are no searches
	Searches []graph500.Search

	graph graph500.Searcher
	tree  *hops.Tree
}

// compare searches a graph with several engines in turn: see package bench. Every
// tree is validated.
//
// An engine that is not here, or cannot be built here, has no searches and says
// why. An engine that fails later is an error.
func (l *Lab) compare(ctx context.Context, g graph, engines ...string) ([]Runs, error) {
	src, err := g.source()
	if err != nil {
		return nil, err
	}
	roots, err := bench.Roots(ctx, src, l.Roots)
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

// open builds the graph with an engine.
func (l *Lab) open(ctx context.Context, spec string, src hops.Source) (Runs, error) {
	r := Runs{Engine: spec}
	engine, err := l.Engine(spec)
	if err != nil {
		r.Missing = spec + ": " + err.Error()
		return r, nil
	}
	r.Policy = engine.Policy
	if need, has := need(engine, src), l.Host.Memory.Available; has > 0 && need > has {
		r.Missing = fmt.Sprintf("%s: %s of memory, of which %s is available", spec, human.Bytes(need), human.Bytes(has))
		return r, nil
	}
	graph, err := engine.Build(ctx, src)
	switch {
	case ctx.Err() != nil:
		if err == nil {
			_ = graph.Close()
		}
		return r, ctx.Err()
	case err != nil: // then graph may be a nil of some type, which is not nil
		r.Missing = spec + ": " + err.Error()
	default:
		if r.tree, err = graph500.NewTree(graph, src.NumVertices()); err != nil {
			return r, errors.Join(err, graph.Close())
		}
		r.graph = graph
	}
	return r, nil
}

func need(e graph500.Engine, src hops.Source) int64 {
	if e.Need == nil {
		return 0
	}
	return e.Need(src.NumVertices(), src.NumEdges())
}

// search is one search, timed as in the benchmark, and the validation of its tree.
func (r *Runs) search(ctx context.Context, root hops.Vertex, rules *check.Checker) (graph500.Search, error) {
	s, err := graph500.Time(ctx, r.graph, root, r.tree)
	if err != nil {
		return s, err
	}
	found, err := rules.Tree(ctx, r.tree)
	s.Vertices, s.Edges, s.Loops, s.Depths = found.Vertices, found.Edges, found.Loops, found.Levels
	return s, err
}
