package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/topo"
	"github.com/gohops/hops/internal/page/progress"
	"github.com/gohops/hops/internal/ranks/launch"
	"github.com/gohops/hops/papers/bench"
)

// benchFlags are the flags of the verb.
type benchFlags struct {
	graph          kindFlags
	input          inputFlags
	kernel         string
	engines        []string
	peers          []string
	roots, rounds  int
	many           int
	validate, tree string
	json, html     string
	file           string // GRAPH; "": a generated graph
}

func (a *app) benchCommand() *cobra.Command {
	var o benchFlags
	c := &cobra.Command{
		Use:   "bench [GRAPH]",
		Short: "Time engines, and other programs, in turn on one graph",
		Long: `bench searches one graph with several engines and shows how their times compare.
The searches are in turn: engines change fastest, then roots, then rounds, so that
whatever else the host does meets all engines alike. --engine may be repeated; the
first engine is the one that others are compared with. Every engine has a graph of its
own, and engines that take turns slow each other down: to compare an engine with --peer,
whose searches follow one another, give that engine alone.

GRAPH is any file that hops reads. Without it, --graph and --scale name a generated
graph: the benchmark's Kronecker graph, a uniform random graph, or a grid. Options follow
the name, name:option=value,option=value:

` + describeKinds() + `

--kernel sssp searches for shortest paths by weight, as kernel 3 of the benchmark does, in
a Kronecker graph or in a file with weights.

--many N also searches from N roots at once, 64 of which share a search.

--peer NAME=COMMAND lets another program take part, once in every round. COMMAND is
run by a shell. In it, {graph} stands for a file with the graph (of a generated one an
edge list in text), {scale}, {roots} and {threads} for these numbers. The program
searches from its own roots. What counts is, in this order: the harmonic mean of TEPS
in Graph500's format, "Average Time:" of the GAP Benchmark Suite, or the last word of
its output, the mean seconds of a search.

--tree device leaves trees in the memory of a GPU, and verifies them there.`,
		Example: `  hops bench --scale 20 --engine cpu --engine cluster:ranks=2 --roots 64 --rounds 5
  hops bench roads.gr.gz --engine cpu --engine cpu:direction=top-down --json roads.json
  hops bench --graph grid:width=4000,height=1000,missing=0.1 --roots 16
  hops bench --graph kronecker:chains=20000,permute=on --scale 20 --roots 16
  hops bench --scale 24 --engine gpu --tree device
  hops bench --kernel sssp --scale 20 --peer 'reference=SKIP_BFS=1 SKIP_VALIDATION=1 mpirun -n {threads} ./graph500_reference_bfs_sssp {scale} 16'
  hops bench --peer 'gap=OMP_NUM_THREADS={threads} ./bfs -s -f {graph} -n {roots}'
  hops bench --peer 'reference=SKIP_VALIDATION=1 mpirun -n {threads} ./graph500_reference_bfs {scale} 16'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o.file = strings.Join(args, "")
			if err := o.check(c.Flags().Changed); err != nil {
				return usageError{err}
			}
			err := o.run(c.Context(), a, c.OutOrStdout())
			if cause := context.Cause(c.Context()); err != nil && cause != nil {
				return cause
			}
			return err
		},
	}
	o.graph.add(c)
	o.input.add(c)
	f := c.Flags()
	f.StringVar(&o.kernel, "kernel", graph500.KernelBFS, "what to search for: bfs or sssp (shortest paths with weights)")
	f.StringArrayVar(&o.engines, "engine", []string{engines[0].name}, "what to run on, with options, any number of times: see hops engines")
	f.StringArrayVar(&o.peers, "peer", nil, "NAME=COMMAND: another program, any number of times")
	f.Var(within(&o.roots, graph500.DefaultRoots, 1, 1<<20), "roots", "searches of each engine in a round")
	f.Var(within(&o.rounds, 5, 1, 1<<20), "rounds", "of all searches")
	f.Var(within(&o.many, 0, 0, 1<<20), "many", "also search from so many roots at once; 0 is none")
	f.StringVar(&o.validate, "validate", string(bench.First), "which trees: all, first (of every engine and root) or none (but one of every root)")
	f.StringVar(&o.tree, "tree", "host", "memory for the trees: host or device")
	f.StringVar(&o.json, "json", "", "file for the result as JSON; - is standard output, which then has no table")
	f.StringVar(&o.html, "html", "", "file for the result as one HTML page")
	must(c.RegisterFlagCompletionFunc("engine", engineNames))
	complete(c, "kernel", graph500.KernelBFS, graph500.KernelSSSP)
	complete(c, "validate", "all", "first", "none")
	complete(c, "tree", "host", "device")
	return c
}

// check refuses what the flags cannot mean.
func (o *benchFlags) check(changed func(string) bool) error {
	for _, flag := range []string{"scale", "edgefactor", "seed", "graph"} {
		if o.file != "" && changed(flag) {
			return fmt.Errorf("--%s describes a generated graph, but GRAPH is %s", flag, o.file)
		}
	}
	if err := o.graph.parse(changed); err != nil {
		return err
	}
	for _, choice := range []struct {
		flag, value string
		all         []string
	}{
		{"kernel", o.kernel, []string{graph500.KernelBFS, graph500.KernelSSSP}},
		{"validate", o.validate, []string{"all", "first", "none"}},
		{"tree", o.tree, []string{"host", "device"}},
	} {
		if !slices.Contains(choice.all, choice.value) {
			return fmt.Errorf("--%s %s: there are %s", choice.flag, choice.value, strings.Join(choice.all, ", "))
		}
	}
	if err := o.checkWeighted(); err != nil {
		return err
	}
	for _, p := range o.peers {
		if name, command, ok := strings.Cut(p, "="); !ok || name == "" || command == "" {
			return fmt.Errorf("--peer %s: want NAME=COMMAND", p)
		}
		if o.file == "" && o.graph.sized() && strings.Contains(p, "{scale}") {
			return fmt.Errorf("--peer %s: {scale} stands for nothing, --graph %s has a size", p, o.graph.text)
		}
	}
	if o.html == "-" {
		return errors.New("--html needs a file")
	}
	if n := launch.Processes(); n > 1 {
		return fmt.Errorf("bench runs in one process, but a launcher started %d; ranks of several processes take part as --peer", n)
	}
	return nil
}

// checkWeighted refuses what shortest paths do not have.
func (o *benchFlags) checkWeighted() error {
	o.input.weights = o.kernel == graph500.KernelSSSP
	switch {
	case !o.input.weights:
		return nil
	case o.many > 0 || o.tree == "device":
		return errors.New("--kernel sssp has neither --many nor --tree device")
	case o.file == "" && !o.graph.plain():
		return fmt.Errorf("--kernel sssp: a generated graph of --graph %s has no weights", o.graph.text)
	case o.file == "" && strings.Contains(strings.Join(o.peers, " "), "{graph}"):
		return errors.New("--kernel sssp: a --peer that reads {graph} needs GRAPH, a file with weights")
	}
	return nil
}

func (o *benchFlags) run(ctx context.Context, a *app, stdout io.Writer) error {
	list := make([]graph500.Engine, len(o.engines))
	for i, text := range o.engines {
		var err error
		if list[i], err = a.openEngine(text); err != nil {
			return usageError{err}
		}
	}
	display := progress.New(a.stderr, progressMode(a.stderr, o.input.quiet))
	defer display.Close()
	src, name, release, err := o.source(ctx, display)
	if err != nil {
		return err
	}
	defer release()
	var r *bench.Result
	work := func(w io.Writer) (err error) {
		if r, err = o.compare(ctx, src, list, display); err != nil {
			return err
		}
		r.Graph.Name, r.Command = name, o.command(list)
		if o.json == "" {
			return r.WriteText(w)
		}
		if err := r.WriteJSON(w); err != nil || o.json == "-" {
			return err
		}
		return r.WriteText(stdout)
	}
	return withPage(o.html, func() error { return writeTo(cmp.Or(o.json, "-"), stdout, work) }, func(w io.Writer) error { return r.WriteHTML(w) })
}

func (o *benchFlags) compare(ctx context.Context, src hops.Source, list []graph500.Engine, display *progress.Display) (*bench.Result, error) {
	display.Begin("roots", 0, "vertices")
	roots, err := bench.Roots(ctx, src, max(o.roots, o.many))
	if err != nil {
		return nil, err
	}
	extras, release, err := o.extras(ctx, src, roots, display)
	if err != nil {
		return nil, err
	}
	defer release()
	opts := bench.Options{
		Roots: roots[:min(o.roots, len(roots))], Rounds: o.rounds, Kernel: o.kernel, Validate: bench.Validation(o.validate), OnDevice: o.tree == "device",
		Available: topo.Here().Memory.Available, Extras: extras,
	}
	display.Begin("build", int64(len(list)), "engines")
	begun := false
	opts.Searched = func(done, total int) {
		if !begun {
			display.Begin("search", int64(total), "searches")
			begun = true
		}
		display.Advance(int64(done))
	}
	c, err := bench.Compare(ctx, src, list, opts)
	if err != nil {
		return nil, err
	}
	r, err := bench.Summarize(c, o.rounds)
	if err != nil {
		return nil, err
	}
	r.Graph = bench.Graph{Vertices: uint64(src.NumVertices()), Edges: src.NumEdges(), Directed: hops.IsDirected(src)}
	r.Roots, r.Validate, r.Tree = len(opts.Roots), opts.Validate, o.tree
	return r, nil
}

// command is the command line that repeats the comparison, defaults spelled out.
func (o *benchFlags) command(list []graph500.Engine) string {
	s := "hops bench"
	if o.file != "" {
		s += " " + o.file
	} else {
		s += " " + o.graph.flags()
	}
	if o.kernel != graph500.KernelBFS {
		s += " --kernel " + o.kernel
	}
	for _, e := range list {
		s += " --engine " + e.Name
	}
	if o.many > 0 {
		s += fmt.Sprintf(" --many %d", o.many)
	}
	for _, p := range o.peers {
		s += " --peer '" + p + "'"
	}
	return s + fmt.Sprintf(" --roots %d --rounds %d --validate %s --tree %s", o.roots, o.rounds, o.validate, o.tree)
}
