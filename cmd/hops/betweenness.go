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
	"github.com/gohops/hops/internal/page/progress"
	"github.com/gohops/hops/query"
)

// betweennessFlags are the flags of the verb.
type betweennessFlags struct {
	question
	samples, top int
	seed         uint64
	exact, raw   bool
	output, rows string
}

func (a *app) betweennessCommand() *cobra.Command {
	var o betweennessFlags
	c := &cobra.Command{
		Use:   "betweenness GRAPH",
		Short: "Find the vertices that shortest paths between others go by",
		Long: `betweenness lists the vertices that the most shortest paths go by: a line for each,
below a header, its betweenness and its name with a tab between. The betweenness of a vertex
is the share of the shortest paths between two others that go by it, averaged over all
ordered pairs, as in NetworkX; --raw sums up instead, each pair of an undirected graph once. Where
edges are directed, paths follow them.

It searches from all vertices that have edges where that takes seconds, and else from a
random sample of 64, which gives an estimate; --samples and --exact decide otherwise. It
says on standard error how many there are. The cores of this machine search from 64
vertices at once. The answer is the same to the last digit for any number of them.

` + rowsHelp + ` Betweenness takes 8 bytes there.

` + exitHelp,
		Example: `  hops betweenness friends.csv --top 5
  hops betweenness web.hops --samples 1000 --seed 7
  hops betweenness web.hops --exact --output between.csv.gz`,
		Args: exactly("GRAPH"),
		PreRunE: func(*cobra.Command, []string) error {
			_, err := rowFormat(o.rows, o.output)
			switch {
			case err == nil && o.json && o.output == "-":
				return usageError{errors.New("only one of --output - and --json can have standard output")}
			case err == nil && o.exact && o.samples > 0:
				return usageError{errors.New("--exact searches from all vertices, --samples from some: give one of them")}
			}
			return err
		},
	}
	f := c.Flags()
	f.Var(within(&o.samples, 0, 1, 1<<31-1), "samples", "how many vertices to search from; by default all, if that takes seconds, or 64")
	f.Lookup("samples").DefValue = ""
	f.Uint64Var(&o.seed, "seed", 1, "of the sample")
	f.BoolVar(&o.exact, "exact", false, "search from all vertices, however long it takes")
	f.BoolVar(&o.raw, "raw", false, "sums over pairs, not divided by their number")
	f.Var(within(&o.top, 10, 0, 1<<31-1), "top", "list only so many vertices; 0 is all")
	f.StringVarP(&o.output, "output", "o", "", "file for the betweenness of every vertex")
	addRows(c, &o.rows)
	o.answer = o.find
	return o.bind(c, a)
}

// A betweennessAnswer lists the vertices that are most between others first.
type betweennessAnswer struct {
	Vertices uint64          `json:"vertices"`
	Edges    int64           `json:"edges"`
	Directed bool            `json:"directed"`
	Sources  int             `json:"sources"`
	Exact    bool            `json:"exact"`
	Top      []betweenVertex `json:"top"`
}

type betweenVertex struct {
	Vertex      any     `json:"vertex"`
	Betweenness float64 `json:"betweenness"`
}

func (o *betweennessFlags) find(ctx context.Context, g *graph.Graph, _ []string, out io.Writer) error {
	result, err := o.search(ctx, g)
	if err != nil {
		return err
	}
	if o.output != "" {
		err := writeRows(o.output, o.rows, out, g, column{name: "betweenness", real: true, value: func(v hops.Vertex) (uint64, bool) {
			return math.Float64bits(result.Of[v]), true
		}})
		if err != nil || o.output == "-" {
			return err
		}
	}
	top := query.Highest(g.NumVertices(), o.top, func(v hops.Vertex) float64 { return result.Of[v] })
	if o.json {
		answer := betweennessAnswer{uint64(g.NumVertices()), g.NumEdges(), g.Directed, result.Sources, result.Exact, []betweenVertex{}}
		for _, v := range top {
			answer.Top = append(answer.Top, betweenVertex{jsonName(g, v), result.Of[v]})
		}
		return printJSON(out, answer)
	}
	fmt.Fprintln(out, "betweenness\tvertex")
	for _, v := range top {
		if _, err := fmt.Fprintf(out, "%.6f\t%s\n", result.Of[v], printable(g.Name(v))); err != nil {
			return err
		}
	}
	return nil
}

// search searches from all vertices or a sample, and says how many there are.
func (o *betweennessFlags) search(ctx context.Context, g *graph.Graph) (query.BetweennessResult, error) {
	if !o.exact && o.samples == 0 {
		o.samples = unaskedRoots(g)
	}
	display := progress.New(o.stderr, progressMode(o.stderr, o.input.quiet))
	result, err := query.Betweenness(ctx, g, query.BetweennessOptions{
		Samples: o.samples, Seed: o.seed, Raw: o.raw, Threads: o.input.threads,
		Progress: func(done, total int) {
			if done == 0 {
				display.Begin("search", int64(total), "searches")
			}
			display.Advance(int64(done))
		},
	})
	display.Close()
	if err == nil && !o.input.quiet {
		fmt.Fprintln(o.stderr, rootsNote(result.Sources, result.Exact, g, "--samples N and --exact search from others"))
	}
	return result, err
}
