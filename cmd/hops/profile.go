package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/human"
	"github.com/gohops/hops/internal/device/adaptive"
)

// profileFlags are the flags of the verb.
type profileFlags struct {
	graph       graphFlags
	input       inputFlags
	engine      string
	roots, runs int
}

func (a *app) profileCommand() *cobra.Command {
	var o profileFlags
	c := &cobra.Command{
		Use:     "profile [GRAPH]",
		Aliases: []string{"levels"},
		Short:   "Time every step of host and device on every level, or say what bounds a level",
		Long: `profile searches a graph with the adaptive engine and then times every step on
every level, the moves between host and device too. It shows which step the engine
chose, which one was the best, and what the choice cost: the regret, level by level
as if moves were free, against the five steps of Zhang et al. and against all, and
that of the whole way with its moves.

With the cpu engine it shows what bounds each level of a search: the bytes it
passes over, the lines it looks up and the bits it probes, the time that these take
at the best rates of this machine's memory, and the share of the level's time.

Without GRAPH it searches a graph of the benchmark.

` + inputHelp,
		Example: `  hops profile --scale 24 --roots 2
  hops profile --engine cpu --scale 22
  hops profile --engine adaptive:policy=daga
  hops profile web.hops --engine cpu --roots 3`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return o.run(c.Context(), a, args, c.OutOrStdout())
		},
	}
	o.graph.add(c)
	o.input.add(c)
	f := c.Flags()
	f.StringVar(&o.engine, "engine", adaptiveEngine, "adaptive or cpu, with options: see hops engines")
	must(c.RegisterFlagCompletionFunc("engine", engineNames))
	f.Var(within(&o.roots, 1, 1, 64), "roots", "searches to look at")
	f.Var(within(&o.runs, 3, 1, 99), "runs", "of every step on every level; the least counts")
	return c
}

func (o *profileFlags) run(ctx context.Context, a *app, args []string, w io.Writer) error {
	engine, err := a.openEngine(o.engine)
	if err != nil {
		return usageError{err}
	}
	src, name, release, err := o.source(ctx, args, a.stderr)
	if err != nil {
		return err
	}
	defer release()
	built, err := engine.Build(ctx, src)
	if err != nil {
		return err
	}
	defer built.Close()
	connected, err := check.HasEdge(ctx, src, 0)
	if err != nil {
		return err
	}
	roots := graph500.Roots(o.graph.seeds, src.NumVertices(), o.roots, connected)
	switch s := built.(type) {
	case *cpu.Searcher:
		fmt.Fprintf(w, "%s, policy %s\n", engine.Name, engine.Policy)
		return writeBounds(ctx, w, s, src.NumVertices(), roots, name, o.runs)
	case *adaptive.Searcher:
		fmt.Fprintf(w, "%s, policy %s\n", engine.Name, engine.Policy)
		return o.tabulate(ctx, w, s, roots, name)
	}
	return usageError{fmt.Errorf("--engine %s: want %s or cpu, with options", o.engine, adaptiveEngine)}
}

// source is the graph to search, with the names of its vertices. release gives it back.
func (o *profileFlags) source(ctx context.Context, args []string, stderr io.Writer) (src hops.Source, name func(hops.Vertex) string, release func(), err error) {
	if len(args) == 0 {
		src, err = o.graph.kronecker()
		return src, (*graph.Names)(nil).Name, func() {}, err
	}
	g, err := o.input.load(ctx, args[0], stderr)
	if err != nil {
		return nil, nil, nil, err
	}
	list, err := g.Source()
	if err != nil {
		return nil, nil, nil, errors.Join(err, g.Close())
	}
	return list, g.Name, func() { _ = g.Close() }, nil
}

// tabulate prints the table of every root.
func (o *profileFlags) tabulate(ctx context.Context, w io.Writer, s *adaptive.Searcher, roots []hops.Vertex, name func(hops.Vertex) string) error {
	if trials := s.Trials(); len(trials) > 0 {
		fmt.Fprintf(w, "tried where to begin: %s\n", tried(trials))
	}
	for _, root := range roots {
		t, err := s.Tabulate(ctx, root, o.runs)
		if err != nil {
			return err
		}
		if err := writeLevels(w, t, name(root)); err != nil {
			return err
		}
	}
	return nil
}

// tried says what searches took that began in each way, the chosen one first.
func tried(trials []adaptive.Trial) string {
	var words []string
	for _, t := range trials {
		took := "longer"
		if t.Time > 0 {
			took = human.Duration(t.Time)
		}
		words = append(words, t.Start+" "+took)
	}
	return strings.Join(words, ", ")
}

// writeLevels prints a table of levels and steps.
func writeLevels(w io.Writer, t adaptive.Table, root string) error {
	out := bufio.NewWriter(w)
	header := []string{"level", "frontier", "entries"}
	for _, s := range t.Steps {
		header = append(header, s.Name)
	}
	shown := human.Table(1, append(header, "to device", "to host", "chosen", "best")...)
	for d, r := range t.Rows {
		line := table.Row{d, human.Count(float64(r.Frontier)), human.Count(float64(r.Edges))}
		for _, x := range r.Times {
			line = append(line, human.Duration(x))
		}
		shown.AppendRow(append(line, human.Duration(r.ToDevice), human.Duration(r.ToHost), t.Steps[r.Chosen].Name, t.Steps[r.Best()].Name))
	}
	fmt.Fprintf(out, "\nFrom root %s, the whole search in %s\n%s\n", printable(root), human.Duration(t.Whole), shown.Render())
	fmt.Fprintf(out, "Regret level by level: %.1f %% against the best of TC, BC, TG, BG and BGC, %.1f %% against the best of all steps.\n",
		100*t.LevelRegret(adaptive.Five), 100*t.LevelRegret(adaptive.All))
	fmt.Fprintf(out, "Regret of the way through the levels, moves included: %.1f %%, %s chosen, %s at best.\n",
		100*t.Regret(), human.Duration(t.Chosen), human.Duration(t.Best))
	return out.Flush()
}
