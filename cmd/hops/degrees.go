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

// degreesFlags are the flags of the verb.
type degreesFlags struct {
	question
	by           string
	distribution bool
	output, rows string
	top          int
}

// degreeKinds are the values of --by.
var degreeKinds = map[string]query.DegreeKind{"total": query.TotalDegree, "out": query.OutDegree, "in": query.InDegree}

func (a *app) degreesCommand() *cobra.Command {
	var o degreesFlags
	c := &cobra.Command{
		Use:   "degrees GRAPH",
		Short: "List the vertices with the most edges, or how many vertices have how many",
		Long: `degrees lists the vertices with the most edges: a line for each, below a header, its
degree and its name with a tab between; where edges are directed, its edges out and in as
well. --distribution lists every degree that occurs and the number of vertices that have
it instead. --output writes the degree of every vertex to a file. Self-loops and
duplicates do not count.

` + noEngineHelp + "\n\n" + rowsHelp + "\n\n" + exitHelp,
		Example: `  hops degrees friends.csv --top 3
  hops degrees follows.csv --directed --by in
  hops degrees web.hops --distribution > degrees.tsv`,
		Args: exactly("GRAPH"),
		PreRunE: func(*cobra.Command, []string) error {
			_, err := rowFormat(o.rows, o.output)
			switch {
			case err == nil && o.json && o.output == "-":
				err = errors.New("only one of --output - and --json can have standard output")
			case err == nil && !known(degreeKinds, o.by):
				err = fmt.Errorf("--by %s: there are total, out and in", o.by)
			default:
				return err
			}
			return usageError{err}
		},
	}
	f := c.Flags()
	f.StringVar(&o.by, "by", "total", "which edges count where they are directed: total, out or in")
	complete(c, "by", "total", "out", "in")
	f.BoolVar(&o.distribution, "distribution", false, "list how many vertices have each degree")
	f.Var(within(&o.top, 10, 0, 1<<31-1), "top", "list only so many vertices; 0 is all")
	f.StringVarP(&o.output, "output", "o", "", "file for the degree of every vertex")
	addRows(c, &o.rows)
	o.answer = o.find
	return o.bind(c, a)
}

func known[V any](table map[string]V, key string) bool {
	_, ok := table[key]
	return ok
}

// A degreesAnswer has the vertices with the most edges first.
type degreesAnswer struct {
	Vertices     uint64         `json:"vertices"`
	Edges        int64          `json:"edges"`
	Directed     bool           `json:"directed"`
	By           string         `json:"by"`
	Top          []vertexDegree `json:"top"`
	Distribution []degreeCount  `json:"distribution"`
}

type vertexDegree struct {
	Vertex any   `json:"vertex"`
	Degree int64 `json:"degree"`
	Out    int64 `json:"out"`
	In     int64 `json:"in"`
}

type degreeCount struct {
	Degree   int64 `json:"degree"`
	Vertices int64 `json:"vertices"`
}

func (o *degreesFlags) find(_ context.Context, g *graph.Graph, _ []string, out io.Writer) error {
	if err := g.Verify(); err != nil {
		return err
	}
	return g.Read(func() error { return o.list(g, degreeKinds[o.by], out) })
}

func (o *degreesFlags) list(g *graph.Graph, kind query.DegreeKind, out io.Writer) error {
	if o.output != "" {
		err := writeRows(o.output, o.rows, out, g, column{name: "degree", value: func(v hops.Vertex) (uint64, bool) { return uint64(kind.Of(g, v)), true }})
		if err != nil || o.output == "-" {
			return err
		}
	}
	if o.json {
		return printJSON(out, o.newAnswer(g, kind))
	}
	if o.distribution {
		fmt.Fprintln(out, "degree\tvertices")
		for _, c := range query.DegreeDistribution(g, kind) {
			fmt.Fprintf(out, "%d\t%d\n", c.Degree, c.Vertices)
		}
		return nil
	}
	head, line := "degree\tvertex\n", func(d vertexDegree) { fmt.Fprintf(out, "%d\t", d.Degree) }
	if g.Directed {
		head, line = "degree\tout\tin\tvertex\n", func(d vertexDegree) { fmt.Fprintf(out, "%d\t%d\t%d\t", d.Degree, d.Out, d.In) }
	}
	fmt.Fprint(out, head)
	for _, v := range o.highest(g, kind) {
		line(newVertexDegree(g, kind, v))
		if _, err := fmt.Fprintln(out, printable(g.Name(v))); err != nil {
			return err
		}
	}
	return nil
}

func (o *degreesFlags) highest(g *graph.Graph, kind query.DegreeKind) []hops.Vertex {
	return query.Highest(g.NumVertices(), o.top, func(v hops.Vertex) int64 { return kind.Of(g, v) })
}

func newVertexDegree(g *graph.Graph, kind query.DegreeKind, v hops.Vertex) vertexDegree {
	return vertexDegree{jsonName(g, v), kind.Of(g, v), query.OutDegree.Of(g, v), query.InDegree.Of(g, v)}
}

func (o *degreesFlags) newAnswer(g *graph.Graph, kind query.DegreeKind) degreesAnswer {
	answer := degreesAnswer{
		Vertices: uint64(g.NumVertices()), Edges: g.NumEdges(), Directed: g.Directed, By: o.by,
		Top: []vertexDegree{}, Distribution: []degreeCount{},
	}
	for _, v := range o.highest(g, kind) {
		answer.Top = append(answer.Top, newVertexDegree(g, kind, v))
	}
	for _, c := range query.DegreeDistribution(g, kind) {
		answer.Distribution = append(answer.Distribution, degreeCount(c))
	}
	return answer
}
