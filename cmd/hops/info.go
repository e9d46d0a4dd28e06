package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/human"
	"github.com/gohops/hops/query"
)

func (a *app) infoCommand() *cobra.Command {
	q := question{engine: new(engineFlags)}
	verify := false
	c := &cobra.Command{
		Use:   "info GRAPH",
		Short: "Describe a graph: size, degrees, components, diameter, memory",
		Long: `info tells how large a graph is, how its degrees are distributed, how many parts it
falls into, how far its ends are apart, and how much memory it takes. Self-loops
and duplicates are counted and left out of everything else.

The diameter is estimated: searches go from a far vertex to one that is farthest
from it, a few times, in the largest component. There are vertices so many hops
apart; there may be some that are farther (hops diameter finds the exact one). A GPU begins with 64 vertices at once, other
engines with one. Components are those without regard to the direction of edges. The
cores of this machine find them; --engine is for the searches.

--verify does nothing but to check a graph file of hops, byte by byte.

` + exitHelp,
		Example: `  hops info roads.gr.gz
  hops info web.hops --json | jq .components.count
  hops info web.hops --verify`,
		Args: exactly("GRAPH"),
	}
	c.Flags().BoolVar(&verify, "verify", false, "check all of a graph file")
	q.answer = func(ctx context.Context, g *graph.Graph, _ []string, out io.Writer) error {
		if verify && !q.input.fromFile {
			return usageError{errors.New("--verify checks graph files of hops, and this is none: hops convert makes one of it")}
		}
		if verify && q.filter.active() {
			return usageError{errors.New("--verify checks a file, which has no parts to avoid or to keep")}
		}
		if verify {
			return answerVerify(g, q.json, out)
		}
		info, err := q.describe(ctx, g)
		switch {
		case err != nil:
			return err
		case q.json:
			return printJSON(out, info)
		}
		info.print(out)
		return nil
	}
	return q.bind(c, a)
}

func answerVerify(g *graph.Graph, asJSON bool, out io.Writer) error {
	if err := g.Verify(); err != nil {
		return err
	}
	size, _ := g.Memory()
	if asJSON {
		return printJSON(out, map[string]any{"intact": true, "bytes": size})
	}
	_, err := fmt.Fprintf(out, "intact: %s\n", human.Bytes(size))
	return err
}

// A graphInfo is what info tells.
type graphInfo struct {
	Vertices   uint64         `json:"vertices"`
	Edges      int64          `json:"edges"`
	Directed   bool           `json:"directed"`
	Names      string         `json:"names"`
	Labels     string         `json:"labels"` // the same as names, by its earlier key
	Loops      int64          `json:"loops_dropped"`
	Duplicates int64          `json:"duplicates_dropped"`
	Isolated   int64          `json:"isolated"`
	Degrees    degreeInfo     `json:"degrees"`
	Components componentsInfo `json:"components"`
	Diameter   int            `json:"diameter_at_least"`
	Bytes      int64          `json:"bytes"`
	NameBytes  int64          `json:"name_bytes"`  // beside Bytes, or within them in a graph file
	LabelBytes int64          `json:"label_bytes"` // the same by its earlier key
}

// degreeInfo is about the edges out of vertices. Histogram counts the vertices
// of degree 0, 1, 2 to 3, 4 to 7, and so on.
type degreeInfo struct {
	Mean      float64 `json:"mean"`
	Max       int64   `json:"max"`
	MaxVertex any     `json:"max_vertex"`
	MaxIn     int64   `json:"max_in"`
	Histogram []int64 `json:"histogram"`
}

type componentsInfo struct {
	Count   int   `json:"count"`
	Largest int64 `json:"largest"`
}

// sweeper returns a sweep by the engine, from how many roots at once it should be, and what
// to close after it.
func (q *question) sweeper(ctx context.Context, g *graph.Graph) (query.Sweep, int, io.Closer, error) {
	engine, err := q.resolve(g, query.DiameterSweeps)
	if err != nil {
		return nil, 0, nil, err
	}
	shared, err := shareSearches(ctx, g, engine, query.DiameterSweeps, 0)
	if err != nil {
		return nil, 0, nil, err
	}
	if shared != nil {
		return query.SweepMany(g, shared), hops.MaxRoots, shared, nil
	}
	s, err := q.engine.app.newSearcher(ctx, g, engine)
	if err != nil {
		return nil, 0, nil, err
	}
	return query.SweepOne(g, s), 1, s, nil
}

func (q *question) describe(ctx context.Context, g *graph.Graph) (graphInfo, error) {
	sweep, roots, done, err := q.sweeper(ctx, g)
	if err != nil {
		return graphInfo{}, err
	}
	defer done.Close()
	d, err := query.Describe(ctx, g, sweep, roots, q.input.threads)
	if err != nil {
		return graphInfo{}, err
	}
	info := graphInfo{
		Vertices: uint64(g.NumVertices()), Edges: g.NumEdges(), Directed: g.Directed, Names: "numbers",
		Loops: g.Loops, Duplicates: g.Duplicates, Isolated: d.Degrees.Isolated,
		Degrees:    degreeInfo{Mean: d.Degrees.Mean, Max: d.Degrees.Max, MaxIn: d.Degrees.MaxIn, Histogram: d.Degrees.Histogram},
		Components: componentsInfo{d.Components, d.Largest},
		Diameter:   d.DiameterAtLeast,
	}
	if info.Vertices > 0 {
		info.Degrees.MaxVertex = jsonName(g, d.Degrees.MaxVertex)
	}
	if g.Names.IsText() {
		info.Names = "text"
	}
	info.Labels = info.Names
	info.Bytes, _ = g.Memory()
	if g.Names != nil {
		s := g.Names.Sections()
		info.NameBytes = int64(4*len(s.Narrow) + 8*len(s.Wide) + len(s.Text) + 8*len(s.Ends) + 4*len(s.Table))
		info.LabelBytes = info.NameBytes
	}
	return info, nil
}

func (info *graphInfo) print(out io.Writer) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(out, "%-11s %s\n", name, fmt.Sprintf(format, args...))
	}
	kind := "undirected"
	if info.Directed {
		kind = "directed"
	}
	line("vertices", "%d, %d of them isolated; names are %s", info.Vertices, info.Isolated, info.Names)
	line("edges", "%d, %s; dropped %s and %s", info.Edges, kind, human.Plural(info.Loops, "self-loops"), human.Plural(info.Duplicates, "duplicates"))
	if info.Vertices > 0 {
		line("degree", "%.2f on average, at most %d (vertex %v)", info.Degrees.Mean, info.Degrees.Max, info.Degrees.MaxVertex)
	}
	line("components", "%d, the largest of %s", info.Components.Count, human.Plural(info.Components.Largest, "vertices"))
	line("diameter", "at least %d", info.Diameter)
	line("memory", "%s, %s an edge; names %s", human.Bytes(info.Bytes),
		human.With(float64(info.Bytes)/float64(max(1, info.Edges)), "bytes"), human.Bytes(info.NameBytes))
	fmt.Fprintln(out)
	bars(out, "degree", bucketNames(len(info.Degrees.Histogram)), info.Degrees.Histogram)
}

// bucketNames are 0, 1, 2–3, 4–7 and so on.
func bucketNames(n int) []string {
	names := []string{"0", "1"}
	for b := 2; b < n; b++ {
		names = append(names, fmt.Sprintf("%d-%d", 1<<(b-1), 1<<b-1))
	}
	return names[:n]
}
