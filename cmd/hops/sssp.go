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
)

// ssspFlags are the flags of the verb.
type ssspFlags struct {
	question
	root, distances, parents, rows string
}

func (a *app) ssspCommand() *cobra.Command {
	var o ssspFlags
	c := &cobra.Command{
		Use:   "sssp GRAPH --root V",
		Short: "Search a graph from one vertex: how far to every other, by weight",
		Long: `sssp finds the shortest paths by weight from the root and shows how many vertices are
how far away. Weights must not be negative. --distances writes the distance of every
vertex that was reached, and --parents the vertex before it on a shortest path; the
root is its own parent. If one of them goes to standard output, the histogram does
not. Distances are sums of 64 bits.

` + rowsHelp + ` A distance takes 8 bytes there, +Inf where a vertex was not
reached.

` + exitHelp,
		Example: `  hops sssp roads.gr --root 17
  hops sssp flights.csv --columns from,to,hours --root Ulm --distances - | sort -t, -k2n | head
  hops sssp roads.hops --root 0 --parents tree.bin --json
  hops sssp roads.hops --root 0 --engine gpu
  mpirun -n 4 hops sssp roads.hops --root 0 --engine cluster --distances far.csv`,
		Args: exactly("GRAPH"),
		PreRunE: func(c *cobra.Command, _ []string) error {
			if !c.Flags().Changed("root") {
				return usageError{errors.New("sssp needs --root")}
			}
			return o.check()
		},
	}
	o.answer, o.input.weights, o.engine = o.search, true, &engineFlags{weighted: true}
	f := c.Flags()
	f.StringVar(&o.root, "root", "", "name of the vertex to start from")
	f.StringVar(&o.distances, "distances", "", "file for the distance of every vertex reached")
	f.StringVar(&o.parents, "parents", "", "file for the parent of every vertex reached")
	addRows(c, &o.rows)
	return o.bind(c, a)
}

// check refuses impossible flags before anything is read.
func (o *ssspFlags) check() error {
	return (&bfsFlags{question: o.question, levels: o.distances, parents: o.parents, rows: o.rows}).check()
}

// An ssspAnswer sums up a search.
type ssspAnswer struct {
	Root     any     `json:"root"`
	Directed bool    `json:"directed"`
	Vertices uint64  `json:"vertices"`
	Edges    int64   `json:"edges"`
	Reached  int64   `json:"reached"`
	Farthest float64 `json:"farthest"`
	Seconds  float64 `json:"seconds"`
}

func (o *ssspFlags) search(ctx context.Context, g *graph.Graph, _ []string, out io.Writer) error {
	root, err := lookup(g, o.root)
	if err != nil {
		return err
	}
	paths, took, err := o.engine.shortest(ctx, g, root, o.input.threads)
	if err != nil || o.engine.app.silent() {
		return err
	}
	if err := o.write(g, paths, out); err != nil {
		return err
	}
	a := ssspAnswer{Root: jsonName(g, root), Directed: g.Directed, Vertices: uint64(g.NumVertices()), Edges: g.NumEdges(), Seconds: took.Seconds()}
	for _, far := range paths.Double {
		if !math.IsInf(far, 1) {
			a.Reached, a.Farthest = a.Reached+1, max(a.Farthest, far)
		}
	}
	switch {
	case o.distances == "-" || o.parents == "-":
		return nil
	case o.json:
		return printJSON(out, a)
	}
	fmt.Fprintf(out, "%v reaches %d of %s, the farthest %s away, found in %s\n\n", a.Root, a.Reached,
		human.Plural(int64(a.Vertices), "vertices"), distanceText(a.Farthest), human.Duration(took))
	printDistances(out, paths.Double, a.Farthest)
	return nil
}

// write writes the files that were asked for.
func (o *ssspFlags) write(g *graph.Graph, p *hops.Paths, out io.Writer) error {
	if o.distances != "" {
		err := writeRows(o.distances, o.rows, out, g, column{name: "distance", real: true, none: math.Float64bits(math.Inf(1)), value: func(v hops.Vertex) (uint64, bool) {
			return math.Float64bits(p.Double[v]), p.Has(v)
		}})
		if err != nil {
			return err
		}
	}
	return (&bfsFlags{parents: o.parents, rows: o.rows}).write(g, &p.Tree, out)
}

// printDistances writes a histogram of ten ranges.
func printDistances(out io.Writer, all []float64, farthest float64) {
	const ranges = 10
	counts, names := make([]int64, ranges), make([]string, ranges)
	for i := range names {
		names[i] = fmt.Sprintf("to %.4g", farthest*float64(i+1)/ranges)
	}
	for _, far := range all {
		switch {
		case math.IsInf(far, 1):
		case farthest == 0:
			counts[0]++
		default:
			counts[min(ranges-1, int(far/farthest*ranges))]++
		}
	}
	if farthest == 0 {
		counts, names = counts[:1], names[:1]
	}
	bars(out, "distance", names, counts)
}
