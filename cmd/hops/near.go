package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/query"
)

func (a *app) nearCommand() *cobra.Command {
	var q question
	radius, distance := 1, 0.0
	c := &cobra.Command{
		Use:   "near GRAPH V --hops K | --max-distance D",
		Short: "List the neighbourhood of a vertex",
		Long: `near lists the vertices that are at most K hops from V, nearest first: a line for
each, below a header, its hops and its name with a tab between. Where edges are directed, it
follows them. Of a graph file of hops it reads only what the answer needs. With
--max-distance, it lists the vertices at most that far away by weight.

` + noEngineHelp + "\n\n" + exitHelp,
		Example: `  hops near friends.txt --ids string Ada --hops 2
  hops near roads.csv --max-distance 12.5 Ulm
  hops near web.hops 17 | tail -n +2 | cut -f2`,
		Args: exactly("GRAPH", "V"),
	}
	c.Flags().Var(within(&radius, 1, 0, 1<<31-1), "hops", "how far")
	c.Flags().Float64Var(&distance, "max-distance", 0, "how far by weight, in place of hops; not negative")
	a.formerly(c, "within", "max-distance")
	c.PreRunE = func(c *cobra.Command, _ []string) error {
		if q.input.weights = c.Flags().Changed("max-distance"); !(distance >= 0) || q.input.weights && c.Flags().Changed("hops") {
			return usageError{errors.New("near takes --hops or --max-distance, which is not negative")}
		}
		return nil
	}
	q.answer = func(ctx context.Context, g *graph.Graph, args []string, out io.Writer) error {
		if q.input.weights {
			return answerWithin(ctx, g, args[0], distance, q.json, out)
		}
		return answerNear(ctx, g, args[0], radius, q.json, out)
	}
	return q.bind(c, a)
}

// A nearAnswer is a neighbourhood.
type nearAnswer struct {
	Vertex any          `json:"vertex"`
	Hops   int          `json:"hops"`
	Count  int          `json:"count"` // the vertex itself included
	Near   []nearVertex `json:"near"`
}

type nearVertex struct {
	Vertex any `json:"vertex"`
	Hops   int `json:"hops"`
}

func answerNear(ctx context.Context, g *graph.Graph, name string, radius int, asJSON bool, out io.Writer) error {
	center, err := lookup(g, name)
	if err != nil {
		return err
	}
	answer := nearAnswer{Vertex: jsonName(g, center), Hops: radius}
	if !asJSON {
		fmt.Fprintln(out, "hops\tvertex")
	}
	err = query.Near(ctx, g, center, radius, func(v hops.Vertex, depth int) error {
		if asJSON {
			answer.Near = append(answer.Near, nearVertex{jsonName(g, v), depth})
			return nil
		}
		_, err := fmt.Fprintf(out, "%d\t%s\n", depth, printable(g.Name(v)))
		return err
	})
	if err != nil || !asJSON {
		return err
	}
	answer.Count = len(answer.Near)
	return printJSON(out, answer)
}
