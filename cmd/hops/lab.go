package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/atomicfile"
	"github.com/gohops/hops/internal/base/human"
	"github.com/gohops/hops/internal/page/progress"
	"github.com/gohops/hops/papers/lab"
)

func (a *app) labCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "lab",
		Short: "Repeat the figures and tables of the papers on this machine",
		Long: `lab repeats the experiments of the five papers that hops descends from, at the
size of the machine at hand: the same axes and curves, the paper's own figures
beside ours where its text gives them, and a computed verdict on whether its
trend holds here.

An experiment that needs what is not here says so and runs what it can: ranks in
one process instead of a cluster, model time instead of an FPGA.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(labListCommand(), a.labRunCommand())
	return c
}

func labListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the experiments",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			t := human.Table(3, "experiment", "what it shows", "needs")
			for _, e := range lab.Experiments {
				t.AppendRow([]any{e.ID, e.Title, e.Needs})
			}
			_, err := fmt.Fprintln(c.OutOrStdout(), t.Render())
			return err
		},
	}
}

// labFlags are the flags of the verb.
type labFlags struct {
	options    lab.Options
	pages      reportFlags
	state      string
	quiet      bool
	mpi        string
	experiment []lab.Experiment
}

func (a *app) labRunCommand() *cobra.Command {
	var o labFlags
	c := &cobra.Command{
		Use:   "run ID…|all",
		Short: "Run experiments",
		Long: `run runs experiments, by the names that hops lab list gives them, and prints what
they find. all runs every one, the paper tour, and writes a page, hops-tour.html
unless --html says otherwise; with --quick that takes minutes.

A tour that is interrupted goes on where it stopped when it is started again with
the same options: what is finished is kept beside the page until the tour is
over.

Started by mpirun, experiments about ranks also run with a process for each rank, with
tables and a verdict of their own beside those of ranks in one process and those of the
twin of the paper's machine. The first process runs all the rest, so that it should not
be bound to a core: mpirun --bind-to none.`,
		Example: `  hops lab run checconi/fig9
  hops lab run zhang/table5 zhang/model --scale 20
  hops lab run all --quick --html tour.html --csv tables
  mpirun -n 16 --bind-to none hops lab run cui/fig13`,
		Args:              atLeast("an experiment, or all; hops lab list names them"),
		ValidArgsFunction: experimentNames,
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.choose(args); err != nil {
				return usageError{err}
			}
			return a.leadRanks(c.Context(), o.mpi, func(ctx context.Context) error { return o.run(ctx, a, args, c.OutOrStdout()) })
		},
	}
	f := c.Flags()
	f.BoolVar(&o.options.Quick, "quick", false, "small graphs and few searches")
	f.Var(within(&o.options.Scale, 0, 6, 28), "scale", "of the largest graph; by default 20, with --quick 16")
	f.Var(within(&o.options.Roots, 0, 1, 64), "roots", "searches of each graph; by default 16, with --quick 4")
	f.Var(within(&o.options.Runs, 0, 1, 64), "rounds", "of all searches, interleaved; by default 5, with --quick 3")
	for _, name := range []string{"scale", "roots", "rounds"} {
		f.Lookup(name).DefValue = ""
	}
	o.pages.add(c, "file for the findings as one HTML page")
	f.StringVar(&o.state, "state", "", "keep what is finished in this file; by default beside the page")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "no progress")
	mpiFlag(c, &o.mpi)
	return c
}

// choose finds the experiments, and the files of a tour.
func (o *labFlags) choose(ids []string) error {
	for _, id := range ids {
		if id == "all" {
			o.experiment = append(o.experiment, lab.Experiments...)
			if o.pages.html == "" {
				o.pages.html = "hops-tour.html"
			}
			continue
		}
		e, err := lab.Find(id)
		if err != nil {
			return err
		}
		o.experiment = append(o.experiment, e)
	}
	if o.pages.html == "" {
		return nil
	}
	if o.state == "" {
		o.state = o.pages.html + ".state"
	}
	_, err := os.Stat(filepath.Dir(o.pages.html)) // better now than after the tour
	return err
}

func (o *labFlags) run(ctx context.Context, a *app, ids []string, stdout io.Writer) error {
	l := &lab.Lab{Engine: openHere, Host: graph500.ThisHost(), Options: o.options}
	if a.ranks != nil && a.ranks.Size() > 1 {
		l.Processes = a.processes()
	}
	l.Joules, l.Unmetered, l.Times = openMeters()
	l.NoGPU, l.NoModel = noGPU(), noModel()
	findings, tourErr := o.tour(ctx, l, a)
	if l.Processes != nil {
		tourErr = errors.Join(tourErr, l.Processes.End(ctx))
	}
	if ctx.Err() != nil {
		return tourErr
	}
	command := a.launcher() + "hops lab run " + strings.Join(ids, " ") + o.spelled()
	p := l.Page(command, findings)
	if o.pages.html != "" {
		tourErr = errors.Join(tourErr, atomicfile.Write(o.pages.html, p.HTML))
	}
	return errors.Join(tourErr, o.pages.writeFolders(p, io.Discard), p.Text(stdout))
}

// tour runs the experiments with a bar for the whole.
func (o *labFlags) tour(ctx context.Context, l *lab.Lab, a *app) ([]*lab.Finding, error) {
	display := progress.New(a.stderr, progressMode(a.stderr, o.quiet))
	defer display.Close()
	a.describeRanks(display.Note)
	display.Begin("lab", int64(len(o.experiment)), "experiments")
	done, took := int64(0), time.Duration(0)
	begin := func(e lab.Experiment) {
		left := ""
		if done > 0 {
			left = ", about " + human.Duration((took / time.Duration(done) * time.Duration(int64(len(o.experiment))-done)).Round(time.Second)) + " left"
		}
		display.Note(fmt.Sprintf("%-18s is %d of %s%s", e.ID, done+1, human.Plural(int64(len(o.experiment)), "experiments"), left))
	}
	l.Begun = func(graph string, engines int) {
		display.Note(fmt.Sprintf("  %s on %s", graph, human.Plural(int64(engines), "engines")))
	}
	t := lab.Tour{Lab: l, State: o.state, Begin: begin, Done: func(f *lab.Finding, remembered bool) {
		how := human.Duration(f.Took)
		if remembered {
			how = "done before"
		}
		display.Note(fmt.Sprintf("%-18s %s (%s)", f.ID, f.Verdict(), how))
		took += f.Took
		done++
		display.Advance(done)
	}}
	return t.Run(ctx, o.experiment)
}

func (o *labFlags) spelled() (s string) {
	if o.options.Quick {
		s += " --quick"
	}
	for _, n := range []struct {
		name  string
		value int
	}{{"scale", o.options.Scale}, {"roots", o.options.Roots}, {"rounds", o.options.Runs}} {
		if n.value > 0 {
			s += fmt.Sprintf(" --%s %d", n.name, n.value)
		}
	}
	return s
}

func experimentNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	names := []string{"all\tevery experiment"}
	for _, e := range lab.Experiments {
		names = append(names, e.ID+"\t"+e.Title)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
