package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"io"

	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
)

// A question is a verb about a graph: it loads GRAPH, its first argument, and writes
// the answer to stdout.
type question struct {
	input  inputFlags
	json   bool
	answer func(ctx context.Context, g *graph.Graph, args []string, out io.Writer) error
}

// bind makes the command ask this question.
func (q *question) bind(c *cobra.Command, stderr io.Writer) *cobra.Command {
	q.input.add(c)
	c.Flags().BoolVar(&q.json, "json", false, "the answer as one JSON object")
	c.Long += "\n\n" + inputHelp
	c.RunE = func(c *cobra.Command, args []string) error {
		err := q.run(c.Context(), args, c.OutOrStdout(), stderr)
		if cause := context.Cause(c.Context()); err != nil && cause != nil {
			return cause
		}
		return err
	}
	return c
}

func (q *question) run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	g, err := q.input.load(ctx, args[0], stderr)
	if err != nil {
		return err
	}
	defer g.Close()
	out := bufio.NewWriterSize(stdout, 1<<16)
	err = q.answer(ctx, g, args[1:], out)
	return cmp.Or(err, g.Err(), out.Flush())
}

// printJSON writes a value as an indented object.
func printJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// jsonName is the name of a vertex as JSON has it: text in quotes, a number as it
// is, all 64 bits of it.
func jsonName(g *graph.Graph, v hops.Vertex) any {
	if g.Names.IsText() {
		return g.Name(v)
	}
	return json.Number(g.Name(v))
}
