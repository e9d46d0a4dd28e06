package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge/format"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/human"
	"github.com/gohops/hops/internal/progress"
)

// graphFile is the name of hops' own format.
const graphFile = "hops"

// inputFlags say how a graph is to be read. All verbs that take one share them.
type inputFlags struct {
	format    string
	ids       string
	columns   []string
	header    string
	delimiter string
	comment   string
	directed  bool
	threads   int
	quiet     bool
}

// inputHelp explains GRAPH in the help of every verb.
const inputHelp = `GRAPH is a graph file of hops (see hops convert), an edge list or a file in any
other format that hops reads, plain, .gz or .zst; - is standard input. The format
is recognised by name and content. Edges join their ends both ways unless the
format or --directed says otherwise.`

// exitHelp explains what scripts can rely on.
const exitHelp = `Exit status: 0 answered; 1 the graph or an answer could not be read or written, or
a vertex is unknown; 2 the command line makes no sense; 130 interrupted.`

func (o *inputFlags) add(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.format, "format", "", "of the graph: "+strings.Join(formatsRead(), ", ")+"; found out if not given")
	f.StringVar(&o.ids, "ids", "int", "names of the vertices in an edge list: int or string")
	f.StringSliceVar(&o.columns, "columns", nil, "the two columns of an edge list, and perhaps that of the weight: numbers from 1 on or names of the header")
	f.StringVar(&o.header, "header", "auto", "whether the first line of an edge list names the columns: auto, yes or no")
	f.StringVar(&o.delimiter, "delimiter", "", `of the columns: one character, "tab" or "space"; found out if not given`)
	f.StringVar(&o.comment, "comment", "", `how lines to be skipped begin, "none" if there are none; by default # and %`)
	f.BoolVar(&o.directed, "directed", false, "edges lead from the first end to the second only, if the format does not say")
	f.Var(within(&o.threads, 0, 0, 4096), "threads", "workers; 0 is one for every CPU")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "no progress")
	must(c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formatsRead(), cobra.ShellCompDirectiveNoFileComp)))
	must(c.RegisterFlagCompletionFunc("ids", cobra.FixedCompletions([]string{"int", "string"}, cobra.ShellCompDirectiveNoFileComp)))
}

func formatsRead() []string { return append([]string{graphFile}, format.Names()...) }

// options returns the flags as the readers take them.
func (o *inputFlags) options() (format.Options, error) {
	opts := format.Options{
		Format: o.format, Columns: o.columns, Comment: o.comment, Directed: o.directed, Threads: o.threads, DropWeights: true,
	}
	if known := formatsRead(); o.format != "" && !slices.Contains(known, o.format) {
		return opts, usageError{fmt.Errorf("--format %s: there are %s", o.format, strings.Join(known, ", "))}
	}
	var ok bool
	if opts.IDs, ok = map[string]format.IDKind{"int": format.IntIDs, "string": format.TextIDs}[o.ids]; !ok {
		return opts, usageError{fmt.Errorf("--ids %s: there are int and string", o.ids)}
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

// load reads the graph of that name and shows its progress.
func (o *inputFlags) load(ctx context.Context, name string, stderr io.Writer) (*graph.Graph, error) {
	opts, err := o.options()
	if err != nil {
		return nil, err
	}
	own, err := isGraphFile(name, o.format)
	if err != nil {
		return nil, err
	}
	g, what, who := (*graph.Graph)(nil), "graph file of hops", format.ByFormat
	if own {
		g, err = openGraphFile(name)
	} else {
		display := progress.New(stderr, progressMode(stderr, o.quiet))
		g, what, who, err = o.build(ctx, name, opts, display)
		display.Close()
	}
	if err == nil && !o.quiet {
		fmt.Fprintf(stderr, "graph        %s, %s (%s); %s\n", sizeOf(g), direction(g), who, what)
	}
	return g, err
}

// build reads a list of edges and makes a graph of it. what is the format that was
// read, and who says whether the format or the user decided that edges are directed.
func (o *inputFlags) build(ctx context.Context, name string, opts format.Options, display *progress.Display) (g *graph.Graph, what, who string, err error) {
	opts.Threads = o.threads
	begun := false
	opts.Progress = func(done, total int64) {
		if !begun {
			display.Begin("read", total, "bytes")
			begun = true
		}
		display.Advance(done)
	}
	in, err := format.Open(ctx, name, opts)
	if err != nil {
		return nil, "", "", err
	}
	defer in.Close()
	watched := &watchedSource{Source: in.Source, directed: in.Directed, display: display}
	display.Begin("build", watched.visits(), "edge visits")
	if g, err = csr.Build(ctx, watched, o.threads); err != nil {
		return nil, "", "", err
	}
	display.Advance(watched.visits()) // small graphs take fewer
	g.Names = in.Names
	return g, in.Format, in.DirectedBy, nil
}

// A watchedSource reports how many edges were read from it.
type watchedSource struct {
	hops.Source
	directed bool
	display  *progress.Display
	seen     atomic.Int64
}

func (s *watchedSource) Directed() bool { return s.directed }

// visits is how many edges csr.Build reads, all passes together.
func (s *watchedSource) visits() int64 {
	if s.directed {
		return (2*csr.Passes + 1) * s.NumEdges()
	}
	return csr.Passes * s.NumEdges()
}

func (s *watchedSource) EdgesAt(dst []hops.Edge, off int64) (int, error) {
	n, err := s.Source.EdgesAt(dst, off)
	s.display.Advance(s.seen.Add(int64(n)))
	return n, err
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

// isGraphFile tells whether a graph is in hops' own format. Standard input is looked
// at only if it is a regular file: of a pipe, --format must say so.
func isGraphFile(name, format string) (bool, error) {
	if format != "" {
		return format == graphFile, nil
	}
	f := os.Stdin
	if name != "-" {
		var err error
		if f, err = os.Open(name); err != nil {
			return false, err
		}
		defer f.Close()
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return false, err
	}
	start := make([]byte, 8)
	if _, err := f.ReadAt(start, 0); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return graph.IsGraphFile(start), nil
}

func openGraphFile(name string) (*graph.Graph, error) {
	if name == "-" {
		return graph.ReadGraph(os.Stdin, "standard input")
	}
	return graph.Open(name)
}

// lookup returns the vertex that the user means.
func lookup(g *graph.Graph, name string) (hops.Vertex, error) {
	v, ok := g.Lookup(name)
	if err := g.Err(); err != nil {
		return v, err
	}
	if !ok {
		return v, fmt.Errorf("no vertex is called %q", name)
	}
	return v, nil
}
