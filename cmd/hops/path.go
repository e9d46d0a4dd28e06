package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/query"
)

func (a *app) pathCommand() *cobra.Command {
	var q question
	c := &cobra.Command{
		Use:   "path GRAPH A B",
		Short: "Find a shortest path between two vertices",
		Long: `path prints the vertices of a shortest path from A to B, one a line, both included.
It searches from both ends, and in a graph file of hops it reads no more than it
has to.

Exit status: 0 there is a path; 3 there is none; 1 the graph could not be read, or
A or B is unknown; 2 the command line makes no sense; 130 interrupted.`,
		Example: `  hops path friends.txt --ids string Ada Grace
  hops path web.hops 17 4711 --json`,
		Args: exactly("GRAPH", "A", "B"),
	}
	q.answer = func(ctx context.Context, g *graph.Graph, args []string, out io.Writer) error {
		return answerPath(ctx, g, args[0], args[1], q.json, out)
	}
	return q.bind(c, a.stderr)
}

// A pathAnswer has no path, and -1 hops, if there is none.
type pathAnswer struct {
	From any   `json:"from"`
	To   any   `json:"to"`
	Hops int   `json:"hops"`
	Path []any `json:"path"`
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
		answer := pathAnswer{From: jsonName(g, from), To: jsonName(g, to), Hops: len(line) - 1}
		for _, v := range line {
			answer.Path = append(answer.Path, jsonName(g, v))
		}
		if err := printJSON(out, answer); err != nil {
			return err
		}
	} else {
		for _, v := range line {
			fmt.Fprintln(out, printable(g.Name(v)))
		}
	}
	if line == nil {
		return noneError{fmt.Errorf("no path leads from %s to %s", a, b)}
	}
	return nil
}

// lookupBoth finds two vertices, or says which of them is unknown.
func lookupBoth(g *graph.Graph, a, b string) (from, to hops.Vertex, err error) {
	from, errA := lookup(g, a)
	to, errB := lookup(g, b)
	switch {
	case errA != nil && errB != nil && g.Err() == nil:
		return from, to, fmt.Errorf("no vertex is called %q, and none %q", a, b)
	case errA != nil:
		return from, to, errA
	}
	return from, to, errB
}
