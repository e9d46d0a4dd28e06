package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/page/progress"
)

// An edgeWriter writes a list of edges in one of the formats.
type edgeWriter func(ctx context.Context, w io.Writer, src hops.Source, threads int, progress func(done, total int64)) error

// edgeFormats are the formats of an edge list, by name.
var edgeFormats = map[string]edgeWriter{
	"packed": edge.WritePacked,
	"el":     edge.WriteText,
}

// generateFlags are the flags of the verb.
type generateFlags struct {
	graph          kindFlags
	format, output string
	weights        bool
	quiet          bool
}

func (a *app) generateCommand() *cobra.Command {
	var o generateFlags
	c := &cobra.Command{
		Use:   "generate --scale S --output FILE",
		Short: "Write the Graph500 edge list, or that of another generated graph, to a file",
		Long: `generate writes the benchmark's Kronecker graph, edge by edge the list that
the Graph500 reference 3.0.1 generates, for use by another program. The benchmark
itself needs no file.

packed is the reference's own format: 12 bytes an edge, and with --weights a
second file FILE.weights of 4 bytes an edge. el is text, a line "u v" per edge.

--graph names another graph: one of those of hops bench, which lists them.

A file appears under its name when it is complete.`,
		Example: `  hops generate --scale 20 --output scale20.packed
  hops generate --scale 16 --to el --output - | sort -n | uniq | wc -l
  hops generate --graph grid:width=3000,height=3000,missing=0.3 --to el --output roads.el`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			changed := c.Flags().Changed
			if err := o.graph.parse(changed); err != nil {
				return usageError{err}
			}
			for _, name := range []string{"scale", "output"} {
				if !changed(name) && !(name == "scale" && o.graph.sized()) {
					return usageError{fmt.Errorf("generate needs --%s", name)}
				}
			}
			return o.run(c.Context(), c.OutOrStdout(), a.stderr)
		},
	}
	o.graph.add(c)
	f := c.Flags()
	f.Lookup("scale").DefValue = "" // there is none here
	f.StringVar(&o.format, "to", "packed", "format of the list: packed or el")
	f.StringVarP(&o.output, "output", "o", "", "file to write; - is standard output")
	f.BoolVar(&o.weights, "weights", false, "also write FILE.weights")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "no progress")
	a.formerly(c, "format", "to")
	complete(c, "to", "packed", "el")
	return c
}

func (o *generateFlags) run(ctx context.Context, stdout, stderr io.Writer) error {
	write, ok := edgeFormats[o.format]
	switch {
	case !ok:
		return usageError{fmt.Errorf("unknown format %q; there are packed, el", o.format)}
	case o.weights && (o.format != "packed" || o.output == "-"):
		return usageError{fmt.Errorf("--weights goes with a packed file only")}
	case o.weights && !o.graph.plain():
		return usageError{fmt.Errorf("--weights: a graph of --graph %s has none", o.graph.text)}
	}
	src, err := o.graph.source()
	if err != nil {
		return usageError{err}
	}
	display := progress.New(stderr, progressMode(stderr, o.quiet))
	defer display.Close()
	advance := func(done, _ int64) { display.Advance(done) }

	err = writeTo(o.output, stdout, func(w io.Writer) error {
		display.Begin("generate", src.NumEdges(), "edges")
		return write(ctx, w, src, 0, advance)
	})
	if err == nil && o.weights {
		err = writeTo(o.output+edge.WeightsSuffix, stdout, func(w io.Writer) error {
			display.Begin("weights", src.NumEdges(), "weights")
			return edge.WriteWeights(ctx, w, src.(hops.WeightedSource), 0, advance)
		})
	}
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return cause
	}
	return err
}
