package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/query"
)

// componentsFlags are the flags of the verb.
type componentsFlags struct {
	question
	output, rows string
	top          int
	strong       bool
}

func (a *app) componentsCommand() *cobra.Command {
	var o componentsFlags
	c := &cobra.Command{
		Use:   "components GRAPH",
		Short: "Find the connected components of a graph",
		Long: `components lists the connected components of a graph, largest first: a line for
each, below a header, its number of vertices and its first vertex, with a tab between. The first
vertex is the one with the lowest number or, where names are text, the one that comes
first in the file. The direction of edges is ignored: these are the weakly connected
components of a directed graph. With --strong it finds the strongly connected components:
vertices of one all lead to each other along the edges.

--output writes the component of every vertex, named after that first vertex.

` + noEngineHelp + "\n\n" + rowsHelp + "\n\n" + exitHelp,
		Example: `  hops components roads.gr.gz --top 3
  hops components web.hops --output found.csv --json
  hops components follows.csv --directed --strong --top 5`,
		Args: exactly("GRAPH"),
		PreRunE: func(*cobra.Command, []string) error {
			_, err := rowFormat(o.rows, o.output)
			if err == nil && o.json && o.output == "-" {
				err = usageError{fmt.Errorf("only one of --output - and --json can have standard output")}
			}
			return err
		},
	}
	f := c.Flags()
	f.Var(within(&o.top, 0, 0, 1<<31-1), "top", "list only so many; 0 is all")
	f.BoolVar(&o.strong, "strong", false, "strongly connected components: edges count in their direction")
	f.StringVarP(&o.output, "output", "o", "", "file for the component of every vertex")
	f.StringVar(&o.rows, "rows", "", "format of that file: "+strings.Join(rowNames(), ", "))
	complete(c, "rows", rowNames()...)
	o.answer = o.find
	return o.bind(c, a)
}

// A componentsAnswer lists components, largest first.
type componentsAnswer struct {
	Count      int             `json:"count"`
	Components []componentSize `json:"components"`
}

type componentSize struct {
	Vertices int64 `json:"vertices"`
	Vertex   any   `json:"vertex"`
}

func (o *componentsFlags) find(ctx context.Context, g *graph.Graph, _ []string, out io.Writer) error {
	find := query.ConnectedComponents
	if o.strong {
		find = query.StronglyConnectedComponents
	}
	found, err := find(ctx, g, o.input.threads)
	if err != nil {
		return err
	}
	if o.output != "" {
		err := writeRows(o.output, o.rows, out, g, column{name: "component", vertex: true, value: func(v hops.Vertex) (uint64, bool) {
			return uint64(found.Root[v]), true
		}})
		if err != nil || o.output == "-" {
			return err
		}
	}
	listed := found.All
	if o.top > 0 {
		listed = listed[:min(o.top, len(listed))]
	}
	if o.json {
		answer := componentsAnswer{Count: len(found.All)}
		for _, c := range listed {
			answer.Components = append(answer.Components, componentSize{c.Size, jsonName(g, c.Lowest)})
		}
		return printJSON(out, answer)
	}
	fmt.Fprintln(out, "vertices\tfirst vertex")
	for _, c := range listed {
		if _, err := fmt.Fprintf(out, "%d\t%s\n", c.Size, printable(g.Name(c.Lowest))); err != nil {
			return err
		}
	}
	return nil
}
