package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/human"
	"github.com/gohops/hops/query"
)

// bfsFlags are the flags of the verb.
type bfsFlags struct {
	question
	roots           []string
	levels, parents string
	rows            string
	maxDepth        int
}

func (a *app) bfsCommand() *cobra.Command {
	var o bfsFlags
	c := &cobra.Command{
		Use:   "bfs GRAPH --root V",
		Short: "Search a graph from one vertex or several: how many hops to every other",
		Long: `bfs searches a graph breadth first from the root and shows how many vertices are
how many hops away. --levels writes the hops of every vertex that was reached, and
--parents the vertex by which it was reached; the root is its own parent. If one
of them goes to standard output, the histogram does not.

With several --root, hops are those to the nearest of them, and each root is its own
parent. The engine then builds the graph once more, with a vertex beside all roots.

` + rowsHelp + "\n\n" + exitHelp,
		Example: `  hops bfs soc.txt --root 17
  hops bfs friends.csv --ids string --root Ada --levels - | sort -t, -k2n | head
  hops bfs web.hops --root 0 --within 3 --parents tree.bin --json
  hops bfs web.hops --root 0 --engine gpu
  hops bfs roads.hops --root hospital1 --root hospital2 --levels nearest.csv
  mpirun -n 4 hops bfs web.hops --root 0 --engine cluster:exchange=probe --levels far.csv`,
		Args: exactly("GRAPH"),
		PreRunE: func(*cobra.Command, []string) error {
			if len(o.roots) == 0 {
				return usageError{errors.New("bfs needs --root")}
			}
			return o.check()
		},
	}
	o.answer, o.engine = o.search, new(engineFlags)
	f := c.Flags()
	f.StringArrayVar(&o.roots, "root", nil, "name of the vertex to start from; several for the hops to the nearest")
	f.StringVar(&o.levels, "levels", "", "file for the hops of every vertex reached")
	f.StringVar(&o.parents, "parents", "", "file for the parent of every vertex reached")
	addRows(c, &o.rows)
	a.addWithin(c, &o.maxDepth)
	return o.bind(c, a)
}

// check refuses impossible flags before anything is read.
func (o *bfsFlags) check() error {
	for _, path := range []string{o.levels, o.parents} {
		if _, err := rowFormat(o.rows, path); err != nil {
			return err
		}
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
	Root     any     `json:"root,omitempty"`
	Roots    []any   `json:"roots,omitempty"` // if there are several
	Directed bool    `json:"directed"`
	Vertices uint64  `json:"vertices"`
	Edges    int64   `json:"edges"`
	Reached  int64   `json:"reached"`
	Depth    int     `json:"depth"`
	Levels   []int64 `json:"levels"`
	Seconds  float64 `json:"seconds"`
}

func (o *bfsFlags) search(ctx context.Context, g *graph.Graph, _ []string, out io.Writer) error {
	roots, err := lookupAll(g, o.roots)
	if err != nil {
		return err
	}
	searcher, err := o.searcher(ctx, g, roots)
	if err != nil {
		return err
	}
	defer searcher.Close()
	sizes, tree, err := o.searchFrom(ctx, searcher, roots)
	if err != nil {
		return err
	}
	if o.engine.app.silent() {
		return nil
	}
	if err := o.write(g, tree, out); err != nil {
		return err
	}
	a := bfsAnswer{
		Directed: g.Directed, Vertices: uint64(g.NumVertices()), Edges: g.NumEdges(),
		Levels: sizes, Depth: len(sizes) - 1, Seconds: searcher.took.Seconds(),
	}
	if a.Root = jsonName(g, roots[0]); len(roots) > 1 {
		a.Root = nil
		for _, root := range roots {
			a.Roots = append(a.Roots, jsonName(g, root))
		}
	}
	for _, size := range sizes {
		a.Reached += size
	}
	switch {
	case o.levels == "-" || o.parents == "-":
		return nil
	case o.json:
		return printJSON(out, a)
	}
	o.print(out, a, searcher.took)
	return nil
}

// searchFrom searches from all roots and returns the number of vertices at every depth.
// The tree is nil if no file is to be made of it.
func (o *bfsFlags) searchFrom(ctx context.Context, s *searcher, roots []hops.Vertex) (sizes []int64, tree *hops.Tree, err error) {
	root, depth, before := roots[0], o.maxDepth, 0
	if len(roots) > 1 { // the vertex beside them is one level before
		root, before = s.vertices-1, 1
	}
	if depth > 0 {
		depth += before
	}
	limited := s.limit(depth)
	var trace hops.Trace
	if o.levels == "" && o.parents == "" {
		trace, err = s.trace(ctx, root)
	} else if tree, err = s.NewTree(); err == nil {
		trace, err = s.Search(ctx, root, tree)
	}
	if err != nil {
		return nil, nil, err
	}
	if tree != nil && before > 0 {
		query.Disjoin(tree)
	}
	sizes = levelSizes(trace)[before:]
	if o.maxDepth > 0 {
		sizes = sizes[:min(len(sizes), o.maxDepth+1)]
		if tree != nil && !limited {
			prune(tree, o.maxDepth)
		}
	}
	return sizes, tree, nil
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

// prune takes the vertices out of a tree that are farther from its root than so many
// hops.
func prune(tree *hops.Tree, depth int) {
	for v, level := range tree.Levels(nil) {
		if int(level) > depth {
			tree.SetParent(hops.Vertex(v), hops.NoVertex)
		}
	}
}

// write writes the files that were asked for.
func (o *bfsFlags) write(g *graph.Graph, tree *hops.Tree, out io.Writer) error {
	if o.levels != "" {
		levels := tree.Levels(nil)
		err := writeRows(o.levels, o.rows, out, g, column{name: "level", none: math.MaxUint32, value: func(v hops.Vertex) (uint64, bool) {
			return uint64(levels[v]), levels[v] >= 0
		}})
		if err != nil {
			return err
		}
	}
	if o.parents == "" {
		return nil
	}
	return writeRows(o.parents, o.rows, out, g, column{name: "parent", vertex: true, none: math.MaxUint32, value: func(v hops.Vertex) (uint64, bool) {
		p := tree.Parent(v)
		return uint64(p), p != hops.NoVertex
	}})
}

func (o *bfsFlags) print(out io.Writer, a bfsAnswer, took time.Duration) {
	who := fmt.Sprintf("%v reaches", a.Root)
	if a.Roots != nil {
		who = fmt.Sprintf("%d roots reach", len(a.Roots))
	}
	fmt.Fprintf(out, "%s %d of %s within %s, found in %s\n\n", who, a.Reached,
		human.Plural(int64(a.Vertices), "vertices"), human.Plural(int64(a.Depth), "hops"), human.Duration(took))
	depths := make([]string, len(a.Levels))
	for d := range depths {
		depths[d] = strconv.Itoa(d)
	}
	bars(out, "hops", depths, a.Levels)
}
