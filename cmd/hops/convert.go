package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gohops/hops/internal/human"
)

func (a *app) convertCommand() *cobra.Command {
	var input inputFlags
	c := &cobra.Command{
		Use:   "convert GRAPH OUT.hops",
		Short: "Write a graph as a file that opens at once",
		Long: `convert reads a graph and writes the finished structure, names included, to a graph
file of hops. Such a file opens within milliseconds at any size, and processes that use it
at the same time share its memory. It is checksummed: a file that is cut short or
damaged is refused.

The file appears under its name when it is complete and on the disk; if anything
goes wrong, what was there before stays. OUT may be - for standard output. Weights are
kept with --weights only.

` + inputHelp + "\n\n" + exitHelp,
		Example: `  hops convert soc.txt.gz soc.hops
  hops convert --weights roads.gr.gz roads.hops
  hops convert --directed --columns from,to links.csv links.hops`,
		Args: exactly("GRAPH", "OUT.hops"),
		RunE: func(c *cobra.Command, args []string) error {
			if sameFile(args[0], args[1]) {
				return usageError{fmt.Errorf("convert %s %s: the graph would be replaced while it is read", args[0], args[1])}
			}
			err := convert(c.Context(), input, args[0], args[1], c.OutOrStdout(), a.stderr)
			if cause := context.Cause(c.Context()); err != nil && cause != nil {
				return cause
			}
			return err
		},
	}
	input.add(c)
	c.Flags().BoolVar(&input.weights, "weights", false, "keep the weights of the edges, for hops sssp and for paths of least weight")
	return c
}

func convert(ctx context.Context, input inputFlags, from, to string, stdout, stderr io.Writer) error {
	var written int64
	err := writeTo(to, stdout, func(w io.Writer) error {
		g, err := input.load(ctx, from, stderr)
		if err != nil {
			return err
		}
		defer g.Close()
		written, err = g.WriteTo(cancellable{ctx, w})
		return err
	})
	if err == nil && !input.quiet {
		fmt.Fprintf(stderr, "%-12s %s to %s\n", "wrote", human.Bytes(written), to)
	}
	return err
}

// cancellable is a writer that fails once its context has ended.
type cancellable struct {
	ctx context.Context
	io.Writer
}

func (c cancellable) Write(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.Writer.Write(p)
}
