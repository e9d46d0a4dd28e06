package lab

import (
	"context"
	"fmt"
	"strings"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/papers/bench"
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
	if l.Begun != nil {
		l.Begun(g.name, len(engines))
	}
	src, roots, err := l.inputs(ctx, g)
	if err != nil {
		return nil, err
	}
	list := make([]graph500.Engine, len(engines))
	for i, spec := range engines {
		list[i] = l.engine(spec)
	}
	c, err := bench.Compare(ctx, src, list, bench.Options{
		Roots: roots, Rounds: l.Runs, Validate: bench.All, Cold: l.cold, Optional: true, Available: l.Host.Memory.Available,
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.name, err)
	}
	runs := make([]Runs, len(list))
	for i, e := range c.Entrants {
		runs[i] = Runs{Engine: e.Name, Policy: e.Policy, Missing: e.Missing}
	}
	for _, s := range c.Searches {
		runs[s.Entrant].Searches = append(runs[s.Entrant].Searches, s.Search)
	}
	return runs, nil
}

// engine returns the engine of a string. If it is not available, it cannot build a graph.
func (l *Lab) engine(spec string) graph500.Engine {
	engine, err := l.Engine(spec)
	if err != nil {
		engine.Build = func(context.Context, hops.Source) (graph500.Searcher, error) { return nil, err }
	}
	engine.Name = spec
	return engine
}

// open builds the graph with an engine. missing says why it cannot be built here.
func (l *Lab) open(ctx context.Context, spec string, src hops.Source) (graph graph500.Searcher, missing string, err error) {
	graph, err = bench.Build(ctx, l.engine(spec), src, l.Host.Memory.Available)
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

// A graph is the input of a comparison.
type graph struct {
	name   string
	scale  int
	source func() (hops.Source, error)
}

// seed is the seed of graphs other than the benchmark's.
const seed = 1

func kronecker(scale int) graph {
	return graph{
		name: fmt.Sprintf("Graph500 scale %d", scale), scale: scale,
		source: func() (hops.Source, error) {
			return edge.NewKronecker(scale, graph500.DefaultEdgeFactor, graph500.DefaultSeeds[0], graph500.DefaultSeeds[1])
		},
	}
}

// uniform returns a uniformly random graph, as in the cygraph paper.
func uniform(scale, degree int) graph {
	return graph{
		name: fmt.Sprintf("random 2^%d × %d", scale, degree), scale: scale,
		source: func() (hops.Source, error) { return edge.NewUniform(1<<scale, float64(degree), seed) },
	}
}

// rmat returns an R-MAT graph with the default probabilities of GTgraph, which the
// cygraph paper names as its generator.
func rmat(scale, degree int) graph {
	return graph{
		name: fmt.Sprintf("R-MAT 2^%d × %d", scale, degree), scale: scale,
		source: func() (hops.Source, error) { return edge.NewRMAT(scale, degree/2, .45, .15, .15, .25, seed) },
	}
}

// clusterOf returns the string of a cluster engine with ranks on simulated hosts of one
// process.
func clusterOf(ranks, hosts int, options ...string) string {
	return strings.Join(append([]string{fmt.Sprintf("cluster:ranks=%d,hosts=%d", ranks, hosts)}, options...), ",")
}

// pretended is the note of all findings about processes.
const pretended = "Over MPI every rank is a process of this machine. Ranks of one host share memory; between hosts, which are pretended, MPI carries all that is sent."

// inProcess is the note of all findings about ranks in one process.
const inProcess = "All ranks share the cores and the memory of this machine: what they send is counted exactly, but it takes no network to send it, and more ranks are not more hardware."
