package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/many"
	"github.com/gohops/hops/graph"
)

// closenessFlags are what the verb can be told.
type closenessFlags struct {
	question
	sample   int
	seed     uint64
	maxDepth int
}

func closenessCommand(stderr io.Writer) *cobra.Command {
	var o closenessFlags
	c := &cobra.Command{
		Use:   "closeness GRAPH [V ...]",
		Short: "Tell how near vertices are to all others",
		Long: `closeness searches from every V, 64 of them at a time, and prints a line for each,
the closest first: its closeness, the mean hops to the vertices that it reaches, the
hops to the farthest of them, how many it reaches with itself, and its label, with
tabs between. Where edges are directed, it follows them.

The closeness of V is (r-1)/s, if it reaches r vertices in s hops altogether, times
(r-1)/(n-1) if there are n: the share of the others that it reaches at all (Wasserman
and Faust). It is 1 for a neighbour of all.

Without V it takes a sample of the vertices that have neighbours.

` + exitHelp,
		Example: `  hops closeness friends.csv --ids string Ada Bob
  hops closeness web.hops --sample 1000 | head`,
		Args: atLeast("GRAPH"),
	}
	f := c.Flags()
	f.Var(within(&o.sample, 64, 1, 1<<31-1), "sample", "how many vertices to draw where none are named")
	f.Uint64Var(&o.seed, "seed", 1, "of the sample")
	f.Var(within(&o.maxDepth, 0, 0, 1<<31-1), "max-depth", "end searches after so many hops; 0 is never")
	o.answer = o.find
	return o.bind(c, stderr)
}

// A closenessAnswer has the closest first.
type closenessAnswer struct {
	Vertices uint64      `json:"vertices"`
	Edges    int64       `json:"edges"`
	Directed bool        `json:"directed"`
	Roots    []closeness `json:"roots"`
}

// A closeness is how a vertex lies in its graph.
type closeness struct {
	Vertex    any     `json:"vertex"`
	Closeness float64 `json:"closeness"`
	MeanHops  float64 `json:"mean_hops"`
	Depth     int     `json:"depth"`
	Reached   int64   `json:"reached"`

	label hops.Vertex
}

func (o *closenessFlags) find(ctx context.Context, g *graph.Graph, labels []string, out io.Writer) error {
	roots, err := o.roots(g, labels)
	if err != nil {
		return err
	}
	searcher, err := many.New(g, many.Options{Threads: o.input.threads, MaxDepth: o.maxDepth})
	if err != nil {
		return err
	}
	defer searcher.Close()
	all := make([]closeness, 0, len(roots))
	d := many.NewDepths(g.NumVertices())
	for some := range slices.Chunk(roots, many.MaxRoots) {
		if _, err := searcher.Search(ctx, some, d); err != nil {
			return err
		}
		for i, sum := range d.Sums() {
			all = append(all, closenessOf(g, some[i], sum))
		}
	}
	slices.SortStableFunc(all, func(a, b closeness) int { return cmp.Compare(b.Closeness, a.Closeness) })
	if o.json {
		return printJSON(out, closenessAnswer{uint64(g.NumVertices()), g.NumEdges(), g.Directed, all})
	}
	for _, c := range all {
		if _, err := fmt.Fprintf(out, "%.6f\t%.4f\t%d\t%d\t%s\n", c.Closeness, c.MeanHops, c.Depth, c.Reached, g.Name(c.label)); err != nil {
			return err
		}
	}
	return nil
}

// roots are the vertices that were named, or else a sample.
func (o *closenessFlags) roots(g *graph.Graph, labels []string) (roots []hops.Vertex, err error) {
	for _, label := range labels {
		root, err := lookup(g, label)
		if err != nil {
			return nil, err
		}
		roots = append(roots, root)
	}
	if len(labels) > 0 {
		return roots, nil
	}
	// Of the first k vertices each is in the sample with the same probability,
	// whatever k is.
	random, seen := rand.New(rand.NewPCG(o.seed, 0)), 0
	for v := range g.NumVertices() {
		if g.Degree(v) == 0 {
			continue
		}
		seen++
		if len(roots) < o.sample {
			roots = append(roots, v)
		} else if i := random.IntN(seen); i < o.sample {
			roots[i] = v
		}
	}
	return roots, nil
}

func closenessOf(g *graph.Graph, v hops.Vertex, s many.DepthSum) closeness {
	c := closeness{Vertex: jsonName(g, v), Depth: s.Depth, Reached: s.Reached, label: v}
	if s.Hops > 0 {
		others := float64(s.Reached - 1)
		c.MeanHops = float64(s.Hops) / others
		c.Closeness = others / c.MeanHops / float64(g.NumVertices()-1)
	}
	return c
}
