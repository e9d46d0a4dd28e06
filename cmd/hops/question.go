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
	"github.com/gohops/hops/internal/base/jsontext"
	"github.com/gohops/hops/internal/base/spec"
)

// A question is a verb about a graph: it loads GRAPH, its first argument, and writes
// the answer to stdout.
type question struct {
	input  inputFlags
	json   bool
	engine *engineFlags // nil: the answer needs no search of the whole graph
	answer func(ctx context.Context, g *graph.Graph, args []string, out io.Writer) error
	stderr io.Writer
	filter filter
}

// bind makes the command ask this question.
func (q *question) bind(c *cobra.Command, a *app) *cobra.Command {
	q.input.add(c)
	q.filter.add(c)
	c.Flags().BoolVar(&q.json, "json", false, "the answer as one JSON object")
	if q.engine != nil {
		q.engine.app = a
		q.engine.add(c)
		c.Long += "\n\n" + q.engine.help()
	}
	c.Long += "\n\n" + filterHelp + "\n\n" + inputHelp
	c.RunE = func(c *cobra.Command, args []string) error {
		err := q.run(c.Context(), a, args, c.OutOrStdout())
		if cause := context.Cause(c.Context()); err != nil && cause != nil {
			return cause
		}
		return err
	}
	return c
}

func (q *question) run(ctx context.Context, a *app, args []string, stdout io.Writer) error {
	if err := q.filter.check(args[0]); err != nil {
		return err
	}
	if q.engine != nil {
		if err := q.engine.prepare(ctx); err != nil {
			return err
		}
	}
	if q.stderr = a.stderr; a.silent() {
		stdout, q.stderr, q.input.quiet = io.Discard, io.Discard, true
	}
	g, err := q.input.load(ctx, args[0], q.stderr)
	if err := a.agreeOnGraph(g, err); err != nil {
		return err
	}
	defer g.Close()
	out := bufio.NewWriterSize(stdout, 1<<16)
	if q.filter.active() {
		whole := g
		if g, err = q.partOf(ctx, whole); err != nil {
			return err
		}
		defer g.Close()
		err = q.filter.explain(whole, q.answer(ctx, g, args[1:], out))
	} else {
		err = q.answer(ctx, g, args[1:], out)
	}
	return cmp.Or(err, g.Err(), out.Flush())
}

// searcher returns one for a search from all roots at once. If there are several, its
// last vertex is beside all of them.
func (q *question) searcher(ctx context.Context, g *graph.Graph, roots []hops.Vertex) (*searcher, error) {
	engine, err := q.resolve(g, 1)
	if err != nil {
		return nil, err
	}
	if len(roots) == 1 {
		roots = nil
	}
	return q.engine.app.newSearcher(ctx, g, engine, roots...)
}

func (q *question) resolve(g *graph.Graph, searches int) (spec.Spec, error) {
	notes := q.stderr
	if q.input.quiet {
		notes = io.Discard
	}
	return q.engine.resolve(g, searches, q.input.threads, notes)
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
		return jsontext.Text(g.Name(v))
	}
	return json.Number(g.Name(v))
}
