package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/edge/format"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/human"
	"github.com/gohops/hops/internal/base/spell"
	"github.com/gohops/hops/internal/page/progress"
)

// inputFlags say how a graph is to be read. All verbs that take one share them.
type inputFlags struct {
	format    string
	ids       string
	columns   []string
	header    string
	delimiter string
	comment   string
	skipBad   bool
	directed  bool
	threads   int
	quiet     bool
	weights   bool // keep weights, and refuse a graph without

	fromFile bool // the graph that was read last is a graph file of hops
	weighted bool // its file has weights
}

// inputHelp explains GRAPH in the help of every verb.
const inputHelp = `GRAPH is a graph file of hops (see hops convert), an edge list or a file in any
other format that hops reads, plain or compressed as .gz, .zst, .bz2, .xz or .zip; - is
standard input. The format is recognised by name and content. Edges join their ends both ways unless the
format or --directed says otherwise.`

// exitHelp explains what scripts can rely on.
const exitHelp = `Exit status: 0 answered; 1 the graph or an answer could not be read or written, or
a vertex is unknown; 2 the command line makes no sense; 130 interrupted.`

func (o *inputFlags) add(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.format, "format", "", "of the graph: "+strings.Join(format.Names(), ", ")+"; found out if not given")
	f.StringVar(&o.ids, "ids", "auto", "names of the vertices in an edge list: auto, int or string")
	f.StringSliceVar(&o.columns, "columns", nil, "the two columns of an edge list or Parquet file, and perhaps that of the weight: numbers from 1 on or names of the header")
	f.StringVar(&o.header, "header", "auto", "whether the first line of an edge list names the columns: auto, yes or no")
	f.StringVar(&o.delimiter, "delimiter", "", `of the columns: one character, "tab" or "space"; found out if not given`)
	f.StringVar(&o.comment, "comment", "", `how lines to be skipped begin, "none" if there are none; by default # and %`)
	f.BoolVar(&o.skipBad, "skip-bad-lines", false, "leave lines of an edge list out that are not edges, count them and show the first")
	f.BoolVar(&o.directed, "directed", false, "edges lead from the first end to the second only, if the format does not say")
	f.Var(within(&o.threads, 0, 0, 4096), "threads", "workers; 0 is one for every CPU")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "no progress")
	complete(c, "format", format.Names()...)
	complete(c, "ids", "auto", "int", "string")
	complete(c, "header", "auto", "yes", "no")
	complete(c, "delimiter", "tab", "space", ",", ";")
	complete(c, "comment", "none", "#", "//")
}

// options returns the flags as the readers take them.
func (o *inputFlags) options() (format.Options, error) {
	opts := format.Options{
		Format: o.format, Columns: o.columns, Comment: o.comment, Directed: o.directed, SkipBadLines: o.skipBad, Threads: o.threads,
		DropWeights: !o.weights, NoNegativeWeights: o.weights,
	}
	if known := format.Names(); o.format != "" && !slices.Contains(known, o.format) {
		return opts, usageError{fmt.Errorf("--format %s: there are %s", o.format, strings.Join(known, ", "))}
	}
	var ok bool
	if opts.IDs, ok = map[string]format.IDKind{"auto": format.AutoIDs, "int": format.IntIDs, "string": format.TextIDs}[o.ids]; !ok {
		return opts, usageError{fmt.Errorf("--ids %s: there are auto, int and string", o.ids)}
	}
	headers := map[string]format.Header{"auto": format.AutoHeader, "yes": format.WithHeader, "no": format.NoHeader}
	if opts.Header, ok = headers[o.header]; !ok {
		return opts, usageError{fmt.Errorf("--header %s: there are auto, yes and no", o.header)}
	}
	switch {
	case o.delimiter == "tab":
		opts.Delimiter = '\t'
	case o.delimiter == "space":
		opts.Delimiter = ' '
	case len(o.delimiter) == 1:
		opts.Delimiter = o.delimiter[0]
	case o.delimiter != "":
		return opts, usageError{fmt.Errorf("--delimiter %q: want one character, tab or space", o.delimiter)}
	}
	return opts, nil
}

// load reads the graph of that name, shows its progress, and says what it read.
func (o *inputFlags) load(ctx context.Context, name string, stderr io.Writer) (*graph.Graph, error) {
	opts, err := o.options()
	if err != nil {
		return nil, err
	}
	display := progress.New(stderr, progressMode(stderr, o.quiet))
	g, in, err := o.read(ctx, name, opts, display)
	display.Close()
	if err != nil {
		return nil, err
	}
	if !o.quiet {
		fmt.Fprintf(stderr, "graph        %s, %s (%s); %s\n", sizeOf(g), direction(g), in.DirectedBy, in.Format)
	}
	o.fromFile, o.weighted = in.Graph != nil, in.Weighted
	return g, nil
}

// read returns the graph of that name, and what its file said.
func (o *inputFlags) read(ctx context.Context, name string, opts format.Options, display *progress.Display) (*graph.Graph, *format.Input, error) {
	in, err := o.open(ctx, name, opts, display)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	if o.weights && !in.Weighted {
		return nil, nil, noWeights(name, in.Graph != nil)
	}
	g, err := in.Build(ctx, phase(display, "build", "edges"))
	return g, in, ofFile(name, err)
}

// phase shows a phase of some work from the first time that it is called.
func phase(display *progress.Display, name, unit string) func(done, total int64) {
	begun := false
	return func(done, total int64) {
		if !begun {
			display.Begin(name, total, unit)
			begun = true
		}
		display.Advance(done)
	}
}

// ofFile returns an error that names its file: errors of readers do, others are given the name.
func ofFile(name string, err error) error {
	if err == nil || errors.As(err, new(fileError)) || errors.As(err, new(*format.Error)) || errors.As(err, new(*edge.FileError)) {
		return err
	}
	return fileError{name, err}
}

// A fileError names the file of an error of the construction, which knows edges only.
type fileError struct {
	name string
	err  error
}

func (e fileError) Error() string { return e.name + ": " + plainly(e.err.Error()) }
func (e fileError) Unwrap() error { return e.err }

// open reads a file and shows how far it is, and what was done that nobody asked for.
func (o *inputFlags) open(ctx context.Context, name string, opts format.Options, display *progress.Display) (*format.Input, error) {
	opts.Progress = phase(display, "read", "bytes")
	in, err := format.Open(ctx, name, opts)
	if err != nil {
		return nil, err
	}
	for _, note := range in.Notes {
		display.Note("note         " + note)
	}
	if in.BadLines == 0 {
		return in, nil
	}
	display.Note(fmt.Sprintf("left out     %s", human.With(float64(in.BadLines), "lines")))
	for _, example := range in.BadExamples {
		display.Note("             " + example)
	}
	return in, nil
}

func sizeOf(g *graph.Graph) string {
	return human.With(float64(g.NumVertices()), "vertices") + ", " + human.With(float64(g.NumEdges()), "edges")
}

func direction(g *graph.Graph) string {
	if g.Directed {
		return "directed"
	}
	return "undirected"
}

// lookup returns the vertex that the user means.
func lookup(g *graph.Graph, name string) (hops.Vertex, error) {
	v, ok := g.Lookup(name)
	if err := g.Err(); err != nil {
		return v, err
	}
	if !ok {
		return v, unknownVertex{name, fmt.Errorf("no vertex is called %q%s", name, spell.Suggest(name, vertexNames(g)))}
	}
	return v, nil
}

// lookupAll returns the vertices of these names, each once.
func lookupAll(g *graph.Graph, names []string) (all []hops.Vertex, err error) {
	for _, name := range names {
		v, err := lookup(g, name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all, nil
}

// vertexNames are the names of the vertices of a graph, if they are text.
func vertexNames(g *graph.Graph) iter.Seq[string] {
	return func(yield func(string) bool) {
		for v := range g.NumVertices() {
			if !g.Names.IsText() || !yield(g.Name(v)) {
				return
			}
		}
	}
}
