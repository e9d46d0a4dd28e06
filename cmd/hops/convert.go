package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohops/hops/internal/base/compression"
	"github.com/gohops/hops/internal/base/export"
	"github.com/gohops/hops/internal/base/human"
)

func (a *app) convertCommand() *cobra.Command {
	var input inputFlags
	to := ""
	c := &cobra.Command{
		Use:   "convert GRAPH OUT",
		Short: "Write a graph as a file that opens at once, or in another format",
		Long: `convert reads a graph and writes it to a file, in the format that its name ends with.

OUT.hops is a graph file of hops: the finished structure, names included. It opens
within milliseconds at any size, and processes that use it at the same time share
its memory. It is checksummed: a file that is cut short or damaged is refused.

Other programs read the edges from the other formats, self-loops and duplicates left out:
` + writtenHelp + `
.gz or .zst behind it compresses the file; --to chooses for other names. Edge lists and
Parquet do not have vertices without edges. Matrix Market and METIS number vertices from 1 on instead
of naming them.

The file appears under its name when it is complete and on the disk; if anything
goes wrong, what was there before stays. OUT may be - for standard output, which is a
graph file unless --to says otherwise. Weights are kept with --weights, and those of a
graph file always: as a third column, "weight", as real numbers of Matrix Market, as whole
ones of METIS, or as the attribute weight.

` + inputHelp + "\n\n" + exitHelp,
		Example: `  hops convert soc.txt.gz soc.hops
  hops convert --weights roads.gr.gz roads.hops
  hops convert --directed --columns from,to links.csv links.hops
  hops convert soc.hops soc.mtx.gz
  hops convert soc.txt.gz soc.parquet
  hops convert --weights roads.gr.gz roads.csv`,
		Args: exactly("GRAPH", "OUT"),
		RunE: func(c *cobra.Command, args []string) error {
			if sameFile(args[0], args[1]) {
				return usageError{fmt.Errorf("convert %s %s: the graph would be replaced while it is read", args[0], args[1])}
			}
			form, err := convertTo(to, args[1])
			if err != nil {
				return err
			}
			err = convert(c.Context(), input, args[0], args[1], form, c.OutOrStdout(), a.stderr)
			if cause := context.Cause(c.Context()); err != nil && cause != nil {
				return cause
			}
			return err
		},
	}
	input.add(c)
	all := append([]string{graphFile}, export.Names()...)
	c.Flags().StringVar(&to, "to", "", "format of OUT: "+strings.Join(all, ", ")+"; by default what its name ends with")
	complete(c, "to", all...)
	c.Flags().BoolVar(&input.weights, "weights", false, "keep the weights of the edges, for hops sssp and for paths of least weight")
	return c
}

// graphFile is the name of hops' own format.
const graphFile = "hops"

const writtenHelp = `  .el .wel .txt .tsv .csv  edge lists  .mtx            Matrix Market
  .parquet .pq             Parquet     .graph .metis   METIS
  .graphml                 GraphML     .dot .gv        DOT`

// convertTo returns the format of a file that is to be written.
func convertTo(chosen, path string) (string, error) {
	name, _ := export.FormatOf(path)
	if err := compression.Check(path); err != nil {
		return "", usageError{err}
	}
	switch {
	case chosen != "" && chosen != graphFile && !slices.Contains(export.Names(), chosen):
		return "", usageError{fmt.Errorf("--to %s: there are %s, %s", chosen, graphFile, strings.Join(export.Names(), ", "))}
	case chosen != "":
		return chosen, nil
	case name != "":
		return name, nil
	case path == "-" || compression.Suffix(path) == "" || compression.Suffix(path) == ".hops":
		return graphFile, nil
	}
	return "", usageError{fmt.Errorf("%s: no format that hops writes ends with %s; there are .hops and\n%s\n--to chooses for other names", path, compression.Suffix(path), writtenHelp)}
}

func convert(ctx context.Context, input inputFlags, from, to, form string, stdout, stderr io.Writer) error {
	var written int64
	err := writeCompressed(to, stdout, func(w io.Writer) error {
		g, err := input.load(ctx, from, stderr)
		if err != nil {
			return err
		}
		defer g.Close()
		if suffix := compression.Suffix(to); form == "edges" && (suffix == ".el" || suffix == ".wel") && g.Weighted() != (suffix == ".wel") {
			return fmt.Errorf("%s: files that end with .wel have weights and those with .el have none; .txt takes both", to)
		}
		out := &cancellable{ctx, w, 0}
		if form == graphFile {
			_, err = g.WriteTo(out)
		} else {
			err = export.Write(ctx, out, g, form)
		}
		if _, numbered := export.FormatOf(to); err == nil && numbered && g.Names != nil && !input.quiet {
			fmt.Fprintf(stderr, "%-12s not written: vertices of %s are the numbers from 1 to %d\n", "names", form, g.NumVertices())
		}
		if err == nil && input.weighted && !g.Weighted() && !input.quiet {
			fmt.Fprintf(stderr, "%-12s left out: --weights keeps them\n", "weights")
		}
		written = out.written
		return err
	})
	if err == nil && !input.quiet {
		fmt.Fprintf(stderr, "%-12s %s to %s\n", "wrote", human.Bytes(written), to)
	}
	return err
}

// cancellable is a writer that fails once its context has ended, and counts.
type cancellable struct {
	ctx context.Context
	io.Writer
	written int64
}

func (c *cancellable) Write(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.Writer.Write(p)
	c.written += int64(n)
	return n, err
}
