package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/human"
	"github.com/gohops/hops/internal/page/progress"
	"github.com/gohops/hops/query"
)

// diameterFlags are the flags of the verb.
type diameterFlags struct {
	question
	eccentricities, rows string
}

func (a *app) diameterCommand() *cobra.Command {
	var o diameterFlags
	c := &cobra.Command{
		Use:   "diameter GRAPH",
		Short: "Find how far vertices are apart: exact diameter, radius, eccentricities",
		Long: `diameter finds the exact diameter of the largest component, the hops between the two
vertices that are farthest apart, and its radius, the hops from a vertex in the middle to
the one that is farthest from it. Where edges are directed, hops follow them, and the
component is the largest strongly connected one.

--eccentricities finds the hops from every vertex of the component to the one that is
farthest from it, and writes them to a file. It takes more searches.

Searches go from the vertices that keep the bounds apart, up to 64 at once, on the cores of
this machine. Standard error shows the bounds as they come nearer. When it is interrupted,
diameter prints the bounds that it has found.

` + rowsHelp + "\n\n" + exitHelp,
		Example: `  hops diameter web.hops
  hops diameter roads.gr.gz --json | jq .diameter
  hops diameter friends.csv --eccentricities far.csv`,
		Args: exactly("GRAPH"),
		PreRunE: func(*cobra.Command, []string) error {
			if o.eccentricities == "-" && o.json {
				return usageError{errors.New("only one of --eccentricities - and --json can have standard output")}
			}
			_, err := rowFormat(o.rows, o.eccentricities)
			return err
		},
	}
	c.Flags().StringVar(&o.eccentricities, "eccentricities", "", "file for the hops from every vertex to the farthest one")
	addRows(c, &o.rows)
	o.answer = o.find
	return o.bind(c, a)
}

// A diameterAnswer has null for what is not known exactly.
type diameterAnswer struct {
	Component       componentSize `json:"component"`
	Strong          bool          `json:"strongly_connected"`
	Diameter        *int          `json:"diameter"`
	DiameterAtLeast int           `json:"diameter_at_least"`
	DiameterAtMost  int           `json:"diameter_at_most"`
	Radius          *int          `json:"radius"`
	RadiusAtLeast   int           `json:"radius_at_least"`
	RadiusAtMost    int           `json:"radius_at_most"`
	Searches        int           `json:"searches"`
}

func (o *diameterFlags) find(ctx context.Context, g *graph.Graph, _ []string, out io.Writer) error {
	display := progress.New(o.stderr, progressMode(o.stderr, o.input.quiet))
	watch := extentWatch{display: display}
	display.Begin("search", 0, "searches")
	x, err := query.FindExtent(ctx, g, query.ExtentOptions{All: o.eccentricities != "", Threads: o.input.threads, Progress: watch.show})
	display.Close()
	switch {
	case x == nil:
		return err
	case x.Vertices == 0:
		return noneError{errors.New("the graph has no vertices")}
	case err == nil && o.eccentricities != "":
		err := writeRows(o.eccentricities, o.rows, out, g, column{name: "eccentricity", none: math.MaxUint32, value: func(v hops.Vertex) (uint64, bool) {
			return uint64(x.Least[v]), x.Least[v] >= 0
		}})
		if err != nil || o.eccentricities == "-" {
			return err
		}
	}
	if o.json {
		return cmp.Or(err, printJSON(out, newDiameterAnswer(g, x)))
	}
	return cmp.Or(err, printExtent(g, x, out))
}

func newDiameterAnswer(g *graph.Graph, x *query.Extent) diameterAnswer {
	exact := func(b query.Bounds) *int {
		if !b.Exact() {
			return nil
		}
		return &b.Least
	}
	return diameterAnswer{
		Component: componentSize{x.Vertices, jsonName(g, x.First)}, Strong: g.Directed,
		Diameter: exact(x.Diameter), DiameterAtLeast: x.Diameter.Least, DiameterAtMost: x.Diameter.Most,
		Radius: exact(x.Radius), RadiusAtLeast: x.Radius.Least, RadiusAtMost: x.Radius.Most, Searches: x.Searches,
	}
}

func printExtent(g *graph.Graph, x *query.Extent, out io.Writer) error {
	kind := "connected"
	if g.Directed {
		kind = "strongly connected"
	}
	_, err := fmt.Fprintf(out, "diameter    %s\nradius      %s\ncomponent   the largest %s one, %s of %d; the first is %s\nsearches    %d\n",
		boundsText(x.Diameter), boundsText(x.Radius), kind, human.Plural(x.Vertices, "vertices"), g.NumVertices(), printable(g.Name(x.First)), x.Searches)
	return err
}

func boundsText(b query.Bounds) string {
	if b.Exact() {
		return fmt.Sprint(b.Least)
	}
	return fmt.Sprintf("%d to %d", b.Least, b.Most)
}

// An extentWatch shows bounds when they have changed.
type extentWatch struct {
	display          *progress.Display
	diameter, radius query.Bounds
}

func (w *extentWatch) show(x *query.Extent) {
	w.display.Advance(int64(x.Searches))
	if x.Diameter == w.diameter && x.Radius == w.radius {
		return
	}
	w.diameter, w.radius = x.Diameter, x.Radius
	w.display.Note(fmt.Sprintf("bounds       diameter %s, radius %s after %s", boundsText(x.Diameter), boundsText(x.Radius), human.Plural(int64(x.Searches), "searches")))
}
