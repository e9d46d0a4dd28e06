package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/human"
)

// bfsFlags are the flags of the verb.
type bfsFlags struct {
	question
	root            string
	levels, parents string
	rows            string
	maxDepth        int
}

func (a *app) bfsCommand() *cobra.Command {
	var o bfsFlags
	c := &cobra.Command{
		Use:   "bfs GRAPH --root V",
		Short: "Search a graph from one vertex: how many hops to every other",
		Long: `bfs searches a graph breadth first from the root and shows how many vertices are
how many hops away. --levels writes the hops of every vertex that was reached, and
--parents the vertex by which it was reached; the root is its own parent. If one
of them goes to standard output, the histogram does not.

` + rowsHelp + "\n\n" + exitHelp,
		Example: `  hops bfs soc.txt --root 17
  hops bfs friends.csv --ids string --root Ada --levels - | sort -t, -k2n | head
  hops bfs web.hops --root 0 --max-depth 3 --parents tree.bin --json`,
		Args: exactly("GRAPH"),
		PreRunE: func(c *cobra.Command, _ []string) error {
			if !c.Flags().Changed("root") {
				return usageError{fmt.Errorf("bfs needs --root")}
			}
			return o.check()
		},
	}
	o.answer = o.search
	f := c.Flags()
	f.StringVar(&o.root, "root", "", "name of the vertex to start from")
	f.StringVar(&o.levels, "levels", "", "file for the hops of every vertex reached")
	f.StringVar(&o.parents, "parents", "", "file for the parent of every vertex reached")
	f.StringVar(&o.rows, "rows", "", "format of these files: csv, jsonl or binary")
	f.Var(within(&o.maxDepth, 0, 0, 1<<31-1), "max-depth", "end the search after so many hops; 0 is never")
	return o.bind(c, a.stderr)
}

// check refuses impossible flags before anything is read.
func (o *bfsFlags) check() error {
	if _, err := rowFormat(o.rows, ""); err != nil {
		return err
	}
	toStdout := 0
	for _, used := range []bool{o.levels == "-", o.parents == "-", o.json} {
		if used {
			toStdout++
		}
	}
	if toStdout > 1 {
		return usageError{fmt.Errorf("only one of --levels -, --parents - and --json can have standard output")}
	}
	return nil
}

// A bfsAnswer sums up a search.
type bfsAnswer struct {
	Root     any     `json:"root"`
	Directed bool    `json:"directed"`
	Vertices uint64  `json:"vertices"`
	Edges    int64   `json:"edges"`
	Reached  int64   `json:"reached"`
	Depth    int     `json:"depth"`
	Levels   []int64 `json:"levels"`
	Seconds  float64 `json:"seconds"`
}

func (o *bfsFlags) search(ctx context.Context, g *graph.Graph, _ []string, out io.Writer) error {
	root, err := lookup(g, o.root)
	if err != nil {
		return err
	}
	opts := searchOptions(o.input.threads)
	opts.MaxDepth = o.maxDepth
	searcher, err := cpu.New(g, opts)
	if err != nil {
		return err
	}
	defer searcher.Close()
	tree := hops.NewTree(g.NumVertices())
	start := time.Now()
	trace, err := searcher.Search(ctx, root, tree)
	if err != nil {
		return err
	}
	took := time.Since(start)
	if err := o.write(g, tree, out); err != nil {
		return err
	}
	a := bfsAnswer{
		Root: jsonName(g, root), Directed: g.Directed, Vertices: uint64(g.NumVertices()), Edges: g.NumEdges(),
		Reached: trace.Found() + 1, Levels: levelSizes(trace), Seconds: took.Seconds(),
	}
	a.Depth = len(a.Levels) - 1
	switch {
	case o.levels == "-" || o.parents == "-":
		return nil
	case o.json:
		return printJSON(out, a)
	}
	o.print(out, a, took)
	return nil
}

// searchOptions lets the engine decide by what hops calibrate has learned, if it
// was ever run.
func searchOptions(threads int) cpu.Options {
	o := cpu.Options{Threads: threads}
	var policy policyName
	policy.resolve(&o)
	return o
}

// levelSizes are the vertices at every depth, the root's first.
func levelSizes(trace hops.Trace) []int64 {
	sizes := []int64{1}
	for _, l := range trace.Levels {
		if l.Found > 0 {
			sizes = append(sizes, l.Found)
		}
	}
	return sizes
}

// write writes the files that were asked for.
func (o *bfsFlags) write(g *graph.Graph, tree *hops.Tree, out io.Writer) error {
	if o.levels != "" {
		levels := tree.Levels(nil)
		err := writeRows(o.levels, o.rows, out, g, column{name: "level", value: func(v hops.Vertex) (uint64, bool) {
			return uint64(levels[v]), levels[v] >= 0
		}})
		if err != nil {
			return err
		}
	}
	if o.parents == "" {
		return nil
	}
	return writeRows(o.parents, o.rows, out, g, column{name: "parent", vertex: true, value: func(v hops.Vertex) (uint64, bool) {
		p := tree.Parent(v)
		return uint64(p), p != hops.NoVertex
	}})
}

func (o *bfsFlags) print(out io.Writer, a bfsAnswer, took time.Duration) {
	fmt.Fprintf(out, "%v reaches %d of %d vertices within %d hops, found in %s\n\n", a.Root, a.Reached, a.Vertices, a.Depth, human.Duration(took))
	depths := make([]string, len(a.Levels))
	for d := range depths {
		depths[d] = strconv.Itoa(d)
	}
	bars(out, "hops", depths, a.Levels)
}
