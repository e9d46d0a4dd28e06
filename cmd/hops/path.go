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
	"github.com/gohops/hops/internal/base/spell"
	"github.com/gohops/hops/query"
)

// pathFlags are the flags of the verb.
type pathFlags struct {
	question
	pairs      string
	output     string
	all, count bool
	limit, k   int
	within     float64 // hops; in an answer by weight, the weight

	maxDistance float64 // weight
}

func (a *app) pathCommand() *cobra.Command {
	var o pathFlags
	c := &cobra.Command{
		Use:   "path GRAPH A B",
		Short: "Find shortest paths between vertices",
		Long: `path prints the vertices of a shortest path from A to B, one a line, both included.
It searches from both ends, and in a graph file of hops it reads no more than it
has to. With --weighted, the path has the least sum of weights, which must not be
negative.

With --all, it prints all shortest paths, at most --limit of them: below a header, a line
for each with its hops and its vertices, with tabs between. They are in the order of their
first vertices that differ, numbers ascending or names as they come in the file. --count
prints how many there are in place of them, exactly, however many.

With --k N, it prints the N shortest paths that visit no vertex twice, the shortest first,
in the same way; with --weighted, those of least weight, and their weights in place of
hops.

With --within, paths of more hops than that do not count; with --weighted and
--max-distance, paths of more weight.

With --pairs, it finds a path for every line of a file, which has two columns, from
and to, like an edge list. A first line of which neither name is a vertex is a header
if it looks like one, or as --header says. It prints a header and a line for each in the same order: the number of
hops and the vertices of the path, with tabs between, or -1 and the two vertices where
there is no path. It searches each pair from both ends, a pair on every core; but from
512 pairs on, if there are 16 or more for each vertex they start from, it searches the
whole graph from 64 of these vertices at a time. --output writes the lines to a file, as
they are printed or, if its name ends with .jsonl, as a JSON object for each; .gz or .zst
behind that compresses it. With --engine gpu it always does so, on
the GPU; other engines search from one vertex after the other. A single path takes no
search of the whole graph, so that --engine is for --pairs only.

Exit status: 0 there is a path, or --pairs was answered; 3 there is none; 1 the graph
or the pairs could not be read, or a vertex is unknown; 2 the command line makes no
sense; 130 interrupted.`,
		Example: `  hops path friends.txt --ids string Ada Grace
  hops path web.hops 17 4711 --json
  hops path roads.gr --weighted 17 4711
  hops path web.hops 17 4711 --all --limit 10
  hops path web.hops 17 4711 --all --count
  hops path roads.gr --weighted --k 5 17 4711
  hops path web.hops --pairs pairs.csv | tail -n +2 | cut -f1 | sort -n | uniq -c
  hops path web.hops --pairs pairs.csv --engine gpu --output paths.jsonl.gz`,
		Args: func(c *cobra.Command, args []string) error {
			if given := c.Flags().Changed; o.input.weights && given("within") && !given("max-distance") {
				a.outdated("--within of a weight", "--max-distance")
				o.maxDistance = o.within
			}
			return o.args(c, args)
		},
	}
	c.Flags().BoolVar(&o.input.weights, "weighted", false, "the path of least weight, not of fewest hops")
	o.engine = new(engineFlags)
	c.Flags().StringVar(&o.pairs, "pairs", "", "file of pairs to find paths for; - is standard input")
	c.Flags().StringVarP(&o.output, "output", "o", "-", "file for the paths of --pairs: .tsv, .txt or .jsonl; - is standard output")
	c.Flags().BoolVar(&o.all, "all", false, "all shortest paths")
	c.Flags().Var(within(&o.limit, shownPaths, 0, 1<<31-1), "limit", "how many of all paths to print at most")
	c.Flags().BoolVar(&o.count, "count", false, "how many shortest paths there are, in place of the paths")
	c.Flags().VarP(within(&o.k, 0, 1, 1<<20), "k", "k", "how many paths to find, the shortest first")
	c.Flags().Lookup("k").DefValue = ""
	c.Flags().Float64Var(&o.within, "within", math.Inf(1), "no path of more hops")
	c.Flags().Float64Var(&o.maxDistance, "max-distance", math.Inf(1), "with --weighted, no path of more weight")
	for _, limit := range []string{"within", "max-distance"} {
		c.Flags().Lookup(limit).DefValue = ""
	}
	o.answer = func(ctx context.Context, g *graph.Graph, args []string, out io.Writer) error {
		if o.input.weights {
			o.within = o.maxDistance
		}
		if o.k > 0 {
			return o.answerK(ctx, g, args[0], args[1], out)
		}
		if o.input.weights {
			return o.answerLightest(ctx, g, args[0], args[1], out)
		}
		if o.input.weighted && !o.input.quiet {
			fmt.Fprintln(o.stderr, "weights      ignored: paths have the fewest hops; --weighted finds those of least weight")
		}
		if o.pairs != "" {
			return o.answerPairs(ctx, g, out)
		}
		if o.all {
			return o.answerAll(ctx, g, args[0], args[1], out)
		}
		return o.answerPath(ctx, g, args[0], args[1], out)
	}
	return o.bind(c, a)
}

// args refuses flags that make no sense together, and wants the vertices that they leave
// to be named.
func (o *pathFlags) args(c *cobra.Command, args []string) error {
	given := c.Flags().Changed
	switch {
	case o.pairs != "" && o.input.weights:
		return usageError{errors.New("--weighted answers one pair; --pairs counts hops")}
	case o.pairs != "" && (o.all || o.k > 0):
		return usageError{errors.New("--all and --k answer one pair; --pairs finds one path for each")}
	case o.all && o.k > 0:
		return usageError{errors.New("--all has all paths of the fewest hops, --k those that are longer too: give one of them")}
	case o.all && o.input.weights:
		return usageError{errors.New("--all counts hops: sums of weights that are equal on paper differ by rounding; --k lists the lightest paths")}
	case !o.all && (o.count || given("limit")):
		return usageError{errors.New("--count and --limit need --all")}
	case given("max-distance") && !o.input.weights:
		return usageError{errors.New("--max-distance is a weight and needs --weighted; --within is a number of hops")}
	case !(o.within >= 0) || !(o.maxDistance >= 0):
		return usageError{errors.New("--within takes a number of hops and --max-distance a weight, which are not negative")}
	case o.pairs == "" && given("output"):
		return usageError{errors.New("--output is for the paths of --pairs")}
	case o.pairs != "":
		return cmp.Or(o.checkOutput(), exactly("GRAPH")(c, args))
	case given("engine"):
		return usageError{errors.New("--engine needs --pairs: a single path takes no search of the whole graph")}
	}
	return exactly("GRAPH", "A", "B")(c, args)
}

// A pathAnswer has no path, and -1 hops, if there is none.
type pathAnswer struct {
	From any   `json:"from"`
	To   any   `json:"to"`
	Hops int   `json:"hops"`
	Path []any `json:"path"`
}

func newPathAnswer(g *graph.Graph, p query.Pair, line []hops.Vertex) pathAnswer {
	return pathAnswer{From: jsonName(g, p.From), To: jsonName(g, p.To), Hops: len(line) - 1, Path: jsonNames(g, line)}
}

// jsonNames are the names of vertices as JSON has them.
func jsonNames(g *graph.Graph, line []hops.Vertex) (names []any) {
	for _, v := range line {
		names = append(names, jsonName(g, v))
	}
	return names
}

func (o *pathFlags) answerPath(ctx context.Context, g *graph.Graph, a, b string, out io.Writer) error {
	from, to, err := lookupBoth(g, a, b)
	if err != nil {
		return err
	}
	line, err := query.ShortestPath(ctx, g, from, to)
	if err != nil {
		return err
	}
	if line = o.short(line); o.json {
		return found(o, line, a, b, printJSON(out, newPathAnswer(g, query.Pair{From: from, To: to}, line)))
	}
	return found(o, line, a, b, printPath(g, line, out))
}

// printPath prints a line for each vertex of a path.
func printPath(g *graph.Graph, line []hops.Vertex, out io.Writer) error {
	for _, v := range line {
		if _, err := fmt.Fprintln(out, printable(g.Name(v))); err != nil {
			return err
		}
	}
	return nil
}

// short returns a path, or nil if it has more hops than --within allows.
func (o *pathFlags) short(line []hops.Vertex) []hops.Vertex {
	if float64(len(line)-1) > o.within {
		return nil
	}
	return line
}

// found returns the error of printing paths or, if there was none, that there is no path.
func found[T any](o *pathFlags, paths []T, a, b string, printing error) error {
	switch {
	case printing != nil || len(paths) > 0:
		return printing
	case math.IsInf(o.within, 1):
		return noneError{fmt.Errorf("no path leads from %s to %s", a, b)}
	}
	unit := "hops"
	if o.input.weights {
		unit = "weight"
	}
	return noneError{fmt.Errorf("no path leads from %s to %s within %s %s", a, b, distanceText(o.within), unit)}
}

// lookupBoth finds two vertices, or says which of them is unknown.
func lookupBoth(g *graph.Graph, a, b string) (from, to hops.Vertex, err error) {
	from, errA := lookup(g, a)
	to, errB := lookup(g, b)
	switch {
	case errA != nil && errB != nil && g.Err() == nil:
		return from, to, unknownVertex{a, fmt.Errorf("no vertex is called %q, and none %q%s", a, b, spell.Suggest(a, vertexNames(g)))}
	case errA != nil:
		return from, to, errA
	}
	return from, to, errB
}
