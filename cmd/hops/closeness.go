package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/human"
	"github.com/gohops/hops/query"
)

// closenessFlags are the flags of the verb.
type closenessFlags struct {
	question
	sample       int
	seed         uint64
	maxDepth     int
	output, rows string
}

func (a *app) closenessCommand() *cobra.Command {
	var o closenessFlags
	c := &cobra.Command{
		Use:   "closeness GRAPH [V ...]",
		Short: "Tell how near vertices are to all others",
		Long: `closeness searches from every V and prints a header and a line for each, the
closest first: its closeness, the mean hops to the vertices that it reaches, the
hops to the farthest of them, the number of vertices that it reaches, itself
included, and its name, with tabs between. Where edges are directed, it follows them.
--output writes them to a file instead, in the order of vertices.

The closeness of a vertex that reaches r of n vertices in s hops altogether is
(r-1)/s · (r-1)/(n-1), after Wasserman and Faust. The second factor is the share of
the other vertices that it reaches at all. A neighbour of all vertices has closeness 1.

Without V, closeness searches from all vertices that have edges where that takes
seconds, and else from a random sample of 64; --samples decides otherwise. It says on
standard error how many there are.

A GPU searches from 64 vertices at a time, and from 512 vertices on so do the cores of
this machine, unless --engine has options beyond the device or the threads. Other
engines search from one after the other.

` + rowsHelp + ` Of closeness there is
the first figure alone, 8 bytes, NaN for vertices that were not searched from.

` + exitHelp,
		Example: `  hops closeness friends.csv --ids string Ada Bob
  hops closeness web.hops --samples 1000 | head
  hops closeness web.hops --samples 1000 --engine gpu
  hops closeness friends.csv --output close.csv.gz`,
		Args: atLeast("GRAPH"),
		PreRunE: func(*cobra.Command, []string) error {
			if o.output == "-" && o.json {
				return usageError{errors.New("only one of --output - and --json can have standard output")}
			}
			_, err := rowFormat(o.rows, o.output)
			return err
		},
	}
	f := c.Flags()
	f.Var(within(&o.sample, 0, 1, 1<<31-1), "samples", "how many vertices to draw where none are named; by default all, if that takes seconds, or 64")
	f.Lookup("samples").DefValue = ""
	f.Uint64Var(&o.seed, "seed", 1, "of the sample")
	a.formerly(c, "sample", "samples")
	a.addWithin(c, &o.maxDepth)
	f.StringVar(&o.output, "output", "", "file for the figures of every vertex searched from")
	addRows(c, &o.rows)
	o.answer, o.engine = o.find, new(engineFlags)
	return o.bind(c, a)
}

// A closenessAnswer has the closest first.
type closenessAnswer struct {
	Vertices uint64      `json:"vertices"`
	Edges    int64       `json:"edges"`
	Directed bool        `json:"directed"`
	Roots    []closeness `json:"roots"`
}

// A closeness is a query.Centrality with the name of its vertex.
type closeness struct {
	Vertex    any     `json:"vertex"`
	Closeness float64 `json:"closeness"`
	MeanHops  float64 `json:"mean_hops"`
	Depth     int     `json:"depth"`
	Reached   int64   `json:"reached"`
}

func (o *closenessFlags) find(ctx context.Context, g *graph.Graph, names []string, out io.Writer) error {
	roots, err := o.roots(g, names)
	if err != nil {
		return err
	}
	all, err := o.search(ctx, g, roots)
	if err != nil || o.engine.app.silent() {
		return err
	}
	if o.output != "" {
		if err := writeRows(o.output, o.rows, out, g, closenessColumns(all)...); err != nil || !o.json {
			return err
		}
	}
	if o.json {
		answer := closenessAnswer{Vertices: uint64(g.NumVertices()), Edges: g.NumEdges(), Directed: g.Directed, Roots: []closeness{}}
		for _, c := range all {
			answer.Roots = append(answer.Roots, closeness{jsonName(g, c.Vertex), c.Closeness, c.MeanHops, c.Depth, c.Reached})
		}
		return printJSON(out, answer)
	}
	fmt.Fprintln(out, "closeness\tmean hops\tdepth\treached\tvertex")
	for _, c := range all {
		if _, err := fmt.Fprintf(out, "%.6f\t%.4f\t%d\t%d\t%s\n", c.Closeness, c.MeanHops, c.Depth, c.Reached, printable(g.Name(c.Vertex))); err != nil {
			return err
		}
	}
	return nil
}

// closenessColumns are the figures of the vertices that were searched from.
func closenessColumns(all []query.Centrality) []column {
	of := make(map[hops.Vertex]query.Centrality, len(all))
	for _, c := range all {
		of[c.Vertex] = c
	}
	figure := func(name string, real bool, bits func(c query.Centrality) uint64) column {
		return column{name: name, real: real, none: math.MaxUint64, value: func(v hops.Vertex) (uint64, bool) {
			c, ok := of[v]
			return bits(c), ok
		}}
	}
	return []column{
		figure("closeness", true, func(c query.Centrality) uint64 { return math.Float64bits(c.Closeness) }),
		figure("mean_hops", true, func(c query.Centrality) uint64 { return math.Float64bits(c.MeanHops) }),
		figure("depth", false, func(c query.Centrality) uint64 { return uint64(c.Depth) }),
		figure("reached", false, func(c query.Centrality) uint64 { return uint64(c.Reached) }),
	}
}

// search searches from all roots, many at once or one by one.
func (o *closenessFlags) search(ctx context.Context, g *graph.Graph, roots []hops.Vertex) ([]query.Centrality, error) {
	engine, err := o.resolve(g, len(roots))
	if err != nil {
		return nil, err
	}
	shared, err := shareSearches(ctx, g, engine, len(roots), o.maxDepth)
	if err != nil {
		return nil, err
	}
	if shared != nil {
		defer shared.Close()
		return query.Closeness(ctx, g, shared, roots)
	}
	s, err := o.engine.app.newSearcher(ctx, g, engine)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	s.limit(o.maxDepth)
	return query.ClosenessOfTraces(g.NumVertices(), func(root hops.Vertex) (hops.Trace, error) {
		trace, err := s.trace(ctx, root)
		if o.maxDepth > 0 {
			trace.Levels = trace.Levels[:min(len(trace.Levels), o.maxDepth)]
		}
		return trace, err
	}, roots)
}

// roots returns the vertices that were named, or else a sample.
func (o *closenessFlags) roots(g *graph.Graph, names []string) ([]hops.Vertex, error) {
	if len(names) > 0 {
		return lookupAll(g, names)
	}
	// The searches read all of a file anyway; once it is checked, a sample is drawn fast.
	if err := g.Verify(); err != nil {
		return nil, err
	}
	return o.draw(g), nil
}

const (
	// allVisits is up to how many vertices and edges all searches together may visit
	// for closeness to search from every vertex unasked. A second of one core was good
	// for 2.6·10⁹ visits on a benchmark graph of scale 14, for 4·10⁷ on a square grid
	// of 57,600 vertices, and for fewer than 2·10⁷ on a path of 15,800, whose searches
	// have as many levels.
	allVisits = 1e8
	// fewRoots is the size of the sample otherwise.
	fewRoots = 64
)

// unaskedRoots is how many vertices to search from where nobody says: all, or few.
func unaskedRoots(g *graph.Graph) int {
	if n := float64(g.NumVertices()); n*(n+float64(g.NumEdges())) <= allVisits {
		return int(g.NumVertices())
	}
	return fewRoots
}

// draw returns the roots where none are named, and says how many there are.
func (o *closenessFlags) draw(g *graph.Graph) []hops.Vertex {
	size := o.sample
	if size == 0 {
		size = unaskedRoots(g)
	}
	roots := query.Sample(g, size, o.seed)
	if !o.input.quiet {
		fmt.Fprintln(o.stderr, rootsNote(len(roots), len(roots) < size, g, "--samples N searches from others"))
	}
	return roots
}

// rootsNote says how many vertices are searched from, and how to search from others.
func rootsNote(roots int, all bool, g *graph.Graph, others string) string {
	if all {
		return fmt.Sprintf("roots        all %s that have edges", human.Plural(int64(roots), "vertices"))
	}
	return fmt.Sprintf("roots        %d of %s; %s", roots, human.Plural(int64(g.NumVertices()), "vertices"), others)
}
