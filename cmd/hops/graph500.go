package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/page/live"
	"github.com/gohops/hops/internal/page/progress"
	"github.com/gohops/hops/report"
)

// graph500Flags are the flags of the verb.
type graph500Flags struct {
	graph          graphFlags
	roots          int
	kernels        string
	engine, plan   string
	format, output string
	html, live     string
	resume         string
	mpi            string
	validate       string
	skipValidation bool
	skipWarmUp     bool
	quiet          bool
}

func (a *app) graph500Command() *cobra.Command {
	var o graph500Flags
	c := &cobra.Command{
		Use:   "graph500",
		Short: "Run the Graph500 benchmark on this machine",
		Long: `graph500 generates the benchmark's graph, builds a data structure from it
(kernel 1, timed), searches it from 64 vertices (kernel 2, each search timed) and
validates every tree against the edges. The score is the harmonic mean of
traversed edges per second. With --kernels bfs,sssp it then finds shortest paths by
weight from the same vertices in the same graph (kernel 3), with a score of its own.

With --engine gpu the trees stay in the memory of the device, which validates them
too; the host validates the first tree and one more at random. --engine gpu:tree=host
counts the time to copy each tree to the host, and --validate host lets the host
validate all trees.

Scale 20 fits any machine and takes less than a minute. Each further scale doubles
memory and time; a graph that does not fit is refused before anything starts.
Scale 26 is the smallest class of the official list.

Ctrl-C stops the run and reports the searches that were finished. A JSON result
file is written after every search; --resume continues from it, however the run
has ended.

Started by mpirun or srun with --engine cluster or grid, every process is a rank with its
share of the graph.

Formats of the result:
` + formatHelp(),
		Example: `  hops graph500
  hops graph500 --scale 24 --engine cpu:threads=8
  hops graph500 --scale 22 --kernels bfs,sssp
  hops graph500 --scale 26 --engine gpu
  hops graph500 --scale 26 --to graph500 --output submission.txt
  hops graph500 --scale 22 --to json | jq .summary.teps
  hops graph500 --scale 22 --html report.html --live :8080
  mpirun -n 4 hops graph500 --scale 24 --engine cluster --resume run.json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if given := c.Flags().Changed("to"); given && o.resume != "" && o.format != jsonFormat {
				return usageError{fmt.Errorf("--to %s: --resume writes a result file in JSON, which hops report shows in every format", o.format)}
			}
			return o.run(c.Context(), a, c.OutOrStdout(), a.stderr)
		},
	}
	o.graph.add(c)
	f := c.Flags()
	f.Var(within(&o.roots, graph500.DefaultRoots, 1, 1<<20), "roots", "searches; a submission needs 64")
	f.StringVar(&o.kernels, "kernels", graph500.KernelBFS, "what to search for: bfs, sssp (shortest paths with weights) or bfs,sssp on one graph")
	complete(c, "kernels", graph500.KernelBFS, graph500.KernelSSSP, graph500.KernelBFS+","+graph500.KernelSSSP)
	f.StringVar(&o.engine, "engine", engines[0].name, "what to run on, with options: see hops engines")
	f.StringVar(&o.plan, "plan", "", "steps of the levels, for an engine that takes a plan: TC,TC,BGC,BGC,TC")
	f.StringVar(&o.format, "to", report.Formats[0].Name, "format of the result: "+strings.Join(formatNames(), ", "))
	f.StringVarP(&o.output, "output", "o", "-", "file for the result; - is standard output")
	f.StringVar(&o.html, "html", "", "file for a report with plots, as one HTML page")
	f.StringVar(&o.live, "live", "", "port, like :8080, for a page that shows the run as it goes on; for this machine only, unless an address stands before it")
	f.StringVar(&o.resume, "resume", "", "JSON result file: continue the run that it is of, if it is there, and write to it after every search")
	mpiFlag(c, &o.mpi)
	f.StringVar(&o.validate, "validate", validations[0], "who validates trees that stay on a device: device (and the host two of them) or host; none: nobody validates any tree")
	f.BoolVar(&o.skipValidation, "skip-validation", false, "trust the engine, as --validate none: faster, not submittable")
	f.BoolVar(&o.skipWarmUp, "skip-warm-up", false, "no untimed search before the first")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "no progress")
	must(c.RegisterFlagCompletionFunc("engine", engineNames))
	complete(c, "validate", validations...)
	a.formerly(c, "format", "to")
	complete(c, "to", formatNames()...)
	return c
}

// validations are the values of --validate; the first is the default.
var validations = []string{"device", "host", "none"}

func (o *graph500Flags) run(ctx context.Context, a *app, stdout, stderr io.Writer) error {
	if err := a.joinRanks(ctx, o.engine, o.mpi); err != nil {
		return err
	}
	if a.silent() {
		stdout, stderr = io.Discard, io.Discard
		o.silence()
	}
	engine, err := a.openEngine(withPlan(o.engine, o.plan))
	if err != nil {
		return usageError{err}
	}
	format, err := o.prepare()
	if err != nil {
		return usageError{err}
	}
	unlock, err := o.lock()
	if err != nil {
		return a.abort(err)
	}
	defer unlock()
	rec, err := o.record(a, engine.Name)
	if err != nil {
		return a.abort(err)
	}
	write := writeTo
	if rec.Save != nil {
		write = writeLate
	}
	var runErr error
	var res *graph500.Result
	err = withPage(o.html, func() error {
		return write(o.output, stdout, func(w io.Writer) error {
			res, runErr = o.measure(ctx, a, engine, rec, stderr)
			if nothingToReport(res) {
				return runErr
			}
			res.Command = o.command(a, engine.Name)
			if o.output != "-" && !o.quiet {
				fmt.Fprintf(stderr, "%s\nThe result is in %s.\n", report.Score(res), o.output)
			}
			return format.Write(w, res)
		})
	}, func(html io.Writer) error {
		return report.Page([]report.Named{{Name: res.Engine, Result: res}}).HTML(html)
	})
	if runErr != nil {
		return runErr
	}
	return err
}

// prepare fills in what the flags leave open, and refuses what they cannot mean.
func (o *graph500Flags) prepare() (report.Format, error) {
	if !slices.Contains(validations, o.validate) {
		return report.Format{}, fmt.Errorf("--validate %s: there are %s", o.validate, strings.Join(validations, ", "))
	}
	o.skipValidation = o.skipValidation || o.validate == "none"
	if o.html == "-" {
		return report.Format{}, errors.New("--html needs a file; standard output is for the result")
	}
	if o.resume != "" {
		if o.output != "-" && o.output != o.resume {
			return report.Format{}, errors.New("--resume names the result file; --output cannot name another")
		}
		o.output, o.format = o.resume, jsonFormat
	}
	if err := o.config().Check(); err != nil {
		return report.Format{}, err
	}
	return report.ByName(o.format)
}

// silence leaves all reporting to rank 0.
func (o *graph500Flags) silence() {
	o.output, o.html, o.live, o.resume, o.quiet = "-", "", "", "", true
}

// measure runs the benchmark, with a live page and a progress bar.
func (o *graph500Flags) measure(ctx context.Context, a *app, engine graph500.Engine, rec graph500.Record, stderr io.Writer) (res *graph500.Result, err error) {
	var watching observers
	if o.live != "" {
		server, err := live.Start(o.live, graph500.Result{Engine: engine.Name, Policy: engine.Policy, Config: o.config(), Class: graph500.Class(o.graph.scale)})
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(stderr, "live         %s\n", server.URL())
		defer func() { server.Close(res, err) }()
		watching = append(watching, server)
	}
	display := progress.New(stderr, progressMode(stderr, o.quiet))
	defer display.Close()
	if engine.Policy != "" {
		display.Note("policy       " + engine.Policy)
	}
	a.describeRanks(display.Note)
	return graph500.Continue(ctx, o.config(), engine, append(watching, watcher{display}), rec)
}

// nothingToReport tells whether a run ended before it found anything out, so
// that an older result file is not replaced by an empty one.
func nothingToReport(r *graph500.Result) bool {
	return r == nil || len(r.Searches) == 0 && (r.SSSP == nil || len(r.SSSP.Searches) == 0) && r.Invalid == ""
}

func (o *graph500Flags) config() graph500.Config {
	return graph500.Config{
		Scale: o.graph.scale, EdgeFactor: o.graph.edgeFactor, Seeds: &o.graph.seeds, Roots: o.roots, Kernels: o.kernels,
		SkipValidation: o.skipValidation, HostValidation: o.validate == "host", SkipWarmUp: o.skipWarmUp,
	}
}

// command is the command line that repeats the run, defaults spelled out.
func (o *graph500Flags) command(a *app, engine string) string {
	s := a.launcher() + fmt.Sprintf("hops graph500 --scale %d --edgefactor %v --roots %d --seed %d,%d --engine %s",
		o.graph.scale, o.graph.edgeFactor, o.roots, o.graph.seeds[0], o.graph.seeds[1], engine)
	if o.kernels != graph500.KernelBFS {
		s += " --kernels " + o.kernels
	}
	if o.validate == "host" {
		s += " --validate host"
	}
	if o.skipValidation {
		s += " --skip-validation"
	}
	if o.skipWarmUp {
		s += " --skip-warm-up"
	}
	return s
}

func formatNames() []string {
	var names []string
	for _, f := range report.Formats {
		names = append(names, f.Name)
	}
	return names
}

func formatHelp() string {
	var b strings.Builder
	for _, f := range report.Formats {
		fmt.Fprintf(&b, "  %-10s %s\n", f.Name, f.Help)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// must is for calls that fail only if this program is wrong.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
