package lab

import (
	"context"
	"errors"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/human"
	"github.com/gohops/hops/internal/par"
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

// compare searches a graph with several engines, turn and turn about: engines
// change fastest, then roots, then rounds, so that whatever else the machine does
// meets all engines alike. Every tree is validated.
//
// An engine that is not here, or cannot be built here, has no searches and says
// why. An engine that fails later is an error.
func (l *Lab) compare(ctx context.Context, g graph, engines ...string) ([]Runs, error) {
	src, err := g.source()
	if err != nil {
		return nil, err
	}
	team := par.NewTeam(0, nil)
	defer team.Close()
	roots, err := l.roots(ctx, src, team)
	if err != nil {
		return nil, err
	}
	runs := make([]Runs, len(engines))
	defer func() {
		for _, r := range runs {
			if r.graph != nil {
				_ = r.graph.Close()
			}
		}
	}()
	for i, spec := range engines {
		if runs[i], err = l.open(ctx, spec, src); err != nil {
			return nil, err
		}
	}
	rules := check.New(src, team)
	for round := range l.Runs + 1 {
		for _, root := range roots {
			for i := range runs {
				if runs[i].graph == nil || round == 0 && (l.cold || root != roots[0]) {
					continue // round 0 warms up, with one search
				}
				s, err := runs[i].search(ctx, root, rules)
				if err != nil {
					return nil, fmt.Errorf("%s on %s, root %d: %w", runs[i].Engine, g.name, root, err)
				}
				if round > 0 {
					runs[i].Searches = append(runs[i].Searches, s)
				}
			}
		}
	}
	return runs, nil
}

// roots draws the vertices to search from, as the benchmark does.
func (l *Lab) roots(ctx context.Context, src hops.Source, team *par.Team) ([]hops.Vertex, error) {
	connected, err := check.HasEdge(ctx, src, team)
	if err != nil {
		return nil, err
	}
	fit := func(v hops.Vertex) bool { return connected.Has(uint64(v)) }
	roots := graph500.Roots(graph500.DefaultSeeds, src.NumVertices(), l.Roots, fit)
	if len(roots) == 0 {
		return nil, errors.New("the graph has no edge to search along")
	}
	return roots, nil
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
