package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/human"
	"github.com/gohops/hops/query"
)

// A filter says which vertices a question is about.
type filter struct{ avoid, only string }

// filterHelp explains the flags in the help of every verb that has them.
const filterHelp = `--avoid and --only ask about a part of the graph: without the vertices that a file
names, one on each line, or with these alone, and the edges between those that are left.
Nothing else is searched, counted or passed through. The part is built first, which takes
about as long as building the graph from a file.`

func (f *filter) add(c *cobra.Command) {
	c.Flags().StringVar(&f.avoid, "avoid", "", "file of vertices to leave out, one on each line; - is standard input")
	c.Flags().StringVar(&f.only, "only", "", "file of vertices to keep, one on each line; - is standard input")
}

func (f *filter) active() bool { return f.avoid != "" || f.only != "" }

// check refuses to read standard input twice.
func (f *filter) check(graph string) error {
	if f.avoid == "-" && f.only == "-" || graph == "-" && (f.avoid == "-" || f.only == "-") {
		return usageError{errors.New("only one of GRAPH, --avoid and --only can be standard input")}
	}
	return nil
}

// apply returns the part of g that is asked about.
func (f *filter) apply(ctx context.Context, g *graph.Graph, threads int) (*graph.Graph, error) {
	avoided, err := vertexSet(g, f.avoid)
	if err != nil {
		return nil, err
	}
	kept, err := vertexSet(g, f.only)
	if err != nil {
		return nil, err
	}
	part, err := query.Induced(ctx, g, func(v hops.Vertex) bool { return !avoided[v] && (f.only == "" || kept[v]) }, threads)
	if errors.Is(err, query.ErrNoVertices) {
		err = noneError{fmt.Errorf("%s leaves no vertex of the graph", f.flags())}
	}
	return part, err
}

// flags are those that were given.
func (f *filter) flags() string {
	var given []string
	if f.avoid != "" {
		given = append(given, "--avoid "+f.avoid)
	}
	if f.only != "" {
		given = append(given, "--only "+f.only)
	}
	return strings.Join(given, " with ")
}

// explain returns the error of a question to a part of g. If it is about a vertex that was
// left out, it says so.
func (f *filter) explain(g *graph.Graph, err error) error {
	var unknown unknownVertex
	if !errors.As(err, &unknown) {
		return err
	}
	if _, ok := g.Lookup(unknown.name); !ok {
		return err
	}
	return fmt.Errorf("vertex %q is not in the part of the graph that %s leaves", unknown.name, f.flags())
}

// vertexSet reads the vertices that a file names; none for no file.
func vertexSet(g *graph.Graph, path string) (map[hops.Vertex]bool, error) {
	set := map[hops.Vertex]bool{}
	if path == "" {
		return set, nil
	}
	file := os.Stdin
	if path != "-" {
		var err error
		if file, err = os.Open(path); err != nil {
			return nil, err
		}
		defer file.Close()
	}
	in := bufio.NewReaderSize(file, 1<<16)
	for line := 1; ; line++ {
		text, err := in.ReadString('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if name := strings.TrimRight(text, "\r\n"); name != "" {
			v, unknown := lookup(g, name)
			if unknown != nil {
				return nil, fmt.Errorf("%s:%d: %w", path, line, unknown)
			}
			set[v] = true
		}
		if err == io.EOF {
			return set, nil
		}
	}
}

// An unknownVertex is the error for a name that no vertex has.
type unknownVertex struct {
	name string
	error
}

func (e unknownVertex) Unwrap() error { return e.error }

// partOf returns the part of g that a question is about, and says how large it is.
func (q *question) partOf(ctx context.Context, g *graph.Graph) (*graph.Graph, error) {
	part, err := q.filter.apply(ctx, g, q.input.threads)
	if err == nil && !q.input.quiet {
		fmt.Fprintf(q.stderr, "part         %s and %s are left\n", human.Plural(int64(part.NumVertices()), "vertices"), human.Plural(part.NumEdges(), "edges"))
	}
	return part, err
}

// addWithin adds the flag that ends searches.
func (a *app) addWithin(c *cobra.Command, hops *int) {
	a.formerly(c, "max-depth", "within")
	c.Flags().Var(within(hops, 0, 0, 1<<31-1), "within", "search no farther than so many hops; 0 is no limit")
}
