package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/spell"
	"github.com/gohops/hops/query"
)

// pathFlags are the flags of the verb.
type pathFlags struct {
	question
	pairs string
}

func (a *app) pathCommand() *cobra.Command {
	var o pathFlags
	c := &cobra.Command{
		Use:   "path GRAPH A B",
		Short: "Find shortest paths between vertices",
		Long: `path prints the vertices of a shortest path from A to B, one a line, both included.
It searches from both ends, and in a graph file of hops it reads no more than it
has to. With --weighted, the path has the least sum of weights, which must not be
negative.

With --pairs, it finds a path for every line of a file, which has two columns, from
and to, like an edge list. It prints a header and a line for each in the same order: the number of
hops and the vertices of the path, with tabs between, or -1 and the two vertices where
there is no path. It searches each pair from both ends, a pair on every core; but from
512 pairs on, if there are 16 or more for each vertex they start from, it searches the
whole graph from 64 of these vertices at a time. With --engine gpu it always does so, on
the GPU; other engines search from one vertex after the other. A single path takes no
search of the whole graph, so that --engine is for --pairs only.

Exit status: 0 there is a path, or --pairs was answered; 3 there is none; 1 the graph
or the pairs could not be read, or a vertex is unknown; 2 the command line makes no
sense; 130 interrupted.`,
		Example: `  hops path friends.txt --ids string Ada Grace
  hops path web.hops 17 4711 --json
  hops path roads.gr --weighted 17 4711
  hops path web.hops --pairs pairs.csv | tail -n +2 | cut -f1 | sort -n | uniq -c
  hops path web.hops --pairs pairs.csv --engine gpu`,
		Args: func(c *cobra.Command, args []string) error {
			if o.pairs != "" && o.input.weights {
				return usageError{errors.New("--weighted answers one pair; --pairs counts hops")}
			}
			if o.pairs != "" {
				return exactly("GRAPH")(c, args)
			}
			if c.Flags().Changed("engine") {
				return usageError{errors.New("--engine needs --pairs: a single path takes no search of the whole graph")}
			}
			return exactly("GRAPH", "A", "B")(c, args)
		},
	}
	c.Flags().BoolVar(&o.input.weights, "weighted", false, "the path of least weight, not of fewest hops")
	o.engine = new(engineFlags)
	c.Flags().StringVar(&o.pairs, "pairs", "", "file of pairs to find paths for; - is standard input")
	o.answer = func(ctx context.Context, g *graph.Graph, args []string, out io.Writer) error {
		if o.input.weights {
			return answerLightest(ctx, g, args[0], args[1], o.json, out)
		}
		if o.input.weighted && !o.input.quiet {
			fmt.Fprintln(o.stderr, "weights      ignored: paths have the fewest hops; --weighted finds those of least weight")
		}
		if o.pairs != "" {
			return o.answerPairs(ctx, g, out)
		}
		return answerPath(ctx, g, args[0], args[1], o.json, out)
	}
	return o.bind(c, a)
}

// A pathAnswer has no path, and -1 hops, if there is none.
type pathAnswer struct {
	From any   `json:"from"`
	To   any   `json:"to"`
	Hops int   `json:"hops"`
	Path []any `json:"path"`
}

func newPathAnswer(g *graph.Graph, p query.Pair, line []hops.Vertex) pathAnswer {
	answer := pathAnswer{From: jsonName(g, p.From), To: jsonName(g, p.To), Hops: len(line) - 1}
	for _, v := range line {
		answer.Path = append(answer.Path, jsonName(g, v))
	}
	return answer
}

func answerPath(ctx context.Context, g *graph.Graph, a, b string, asJSON bool, out io.Writer) error {
	from, to, err := lookupBoth(g, a, b)
	if err != nil {
		return err
	}
	line, err := query.ShortestPath(ctx, g, from, to)
	if err != nil {
		return err
	}
	if asJSON {
		return found(line, a, b, printJSON(out, newPathAnswer(g, query.Pair{From: from, To: to}, line)))
	}
	return found(line, a, b, printPath(g, line, out))
}

// printPath prints a line for each vertex of a path.
func printPath(g *graph.Graph, line []hops.Vertex, out io.Writer) error {
	for _, v := range line {
		if _, err := fmt.Fprintln(out, printable(g.Name(v))); err != nil {
			return err
		}
	}
	return nil
}

// found returns the error of printing a path or, if there was none, that there is no path.
func found(line []hops.Vertex, a, b string, printing error) error {
	if printing == nil && line == nil {
		return noneError{fmt.Errorf("no path leads from %s to %s", a, b)}
	}
	return printing
}

// lookupBoth finds two vertices, or says which of them is unknown.
func lookupBoth(g *graph.Graph, a, b string) (from, to hops.Vertex, err error) {
	from, errA := lookup(g, a)
	to, errB := lookup(g, b)
	switch {
	case errA != nil && errB != nil && g.Err() == nil:
		return from, to, fmt.Errorf("no vertex is called %q, and none %q%s", a, b, spell.Suggest(a, vertexNames(g)))
	case errA != nil:
		return from, to, errA
	}
	return from, to, errB
}
