package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/internal/calibration"
	"github.com/gohops/hops/internal/progress"
)

// calibrateFlags are what the verb can be told.
type calibrateFlags struct {
	scale, threads     int
	quick, show, quiet bool
}

// The scale of the largest graph to learn from: its arrays should not fit in the
// caches, or nothing is learned about memory.
const (
	learnScale      = 20
	learnScaleQuick = 18
	learnScaleLeast = 10
	learnScaleMost  = 28
)

func calibrateCommand(stderr io.Writer) *cobra.Command {
	var o calibrateFlags
	c := &cobra.Command{
		Use:   "calibrate",
		Short: "Learn how fast each step of a search is on this machine",
		Long: `calibrate measures every way to run a level of a search (top-down, bottom-up,
split) on generated graphs and learns what each costs on this machine. The cpu
engine then takes the one that it expects to be the fastest, level by level.
Without a calibration it follows the alpha–beta rule, which knows no machine.

Run it once on a machine that is otherwise idle, which takes minutes, and again
after a change of hardware; what was learned elsewhere is not used. Each number of
threads has a calibration of its own.

Regret is the time that decisions lose against the best ones in hindsight, on
searches that nothing was learned from. A calibration that does not lower it is
kept to be looked at, and not used.

--quick learns from smaller graphs, in less than a minute on two cores. --show
prints what is known, and how well it agrees with what was measured.
--engine cpu:policy=alpha-beta searches without it.`,
		Example: `  hops calibrate
  hops calibrate --quick --threads 1
  hops calibrate --show`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.show && (o.quick || c.Flags().Changed("scale")) {
				return usageError{fmt.Errorf("--show learns nothing, so it goes with --threads only")}
			}
			return o.run(c.Context(), c.OutOrStdout(), stderr)
		},
	}
	f := c.Flags()
	f.BoolVar(&o.quick, "quick", false, "learn from fewer and smaller graphs")
	f.BoolVar(&o.show, "show", false, "print what was learned before")
	f.Var(within(&o.threads, 0, 1, 4096), "threads", "workers; by default one for every CPU that the process may use")
	f.Lookup("threads").DefValue = ""
	f.Var(within(&o.scale, 0, learnScaleLeast, learnScaleMost), "scale",
		fmt.Sprintf("of the largest graph; by default %d, with --quick %d", learnScale, learnScaleQuick))
	f.Lookup("scale").DefValue = ""
	f.BoolVarP(&o.quiet, "quiet", "q", false, "no progress")
	return c
}

func (o *calibrateFlags) run(ctx context.Context, stdout, stderr io.Writer) error {
	dir, err := calibration.Dir()
	if err != nil {
		return err
	}
	here := thisMachine(o.threads)
	path := calibration.Path(dir, calibratedEngine, here.Threads)
	var c *calibration.Calibration
	if o.show {
		c, err = calibration.Read(path)
	} else {
		c, err = o.learn(ctx, path, here, stderr)
	}
	if err != nil {
		return err
	}
	return writeCalibration(stdout, c, path, c.Check(calibratedEngine, here, cpu.Steps()))
}

// learn makes a calibration and stores it.
func (o *calibrateFlags) learn(ctx context.Context, path string, here calibration.Machine, stderr io.Writer) (c *calibration.Calibration, err error) {
	build := func(ctx context.Context, src hops.Source) (calibration.Explorer, error) {
		return cpu.Build(ctx, src, cpu.Options{Threads: here.Threads})
	}
	display := progress.New(stderr, progressMode(stderr, o.quiet))
	defer display.Close()
	err = calibration.Store(path, func() (*calibration.Calibration, error) {
		plan := o.plan()
		display.Begin("explore", int64(plan.Searches()), "searches")
		c, err = calibration.Learn(ctx, plan, build, display.Advance)
		if err == nil {
			c.Engine, c.Machine = calibratedEngine, here
		}
		return c, err
	})
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return nil, cause
	}
	return c, err
}

func (o *calibrateFlags) plan() calibration.Plan {
	p := calibration.Plan{MinScale: learnScale - 4, MaxScale: learnScale, Others: 5, Roots: 6, Runs: 3}
	if o.quick {
		p = calibration.Plan{MinScale: learnScaleQuick - 2, MaxScale: learnScaleQuick, Others: 3, Roots: 6, Runs: 5}
	}
	if o.scale > 0 {
		p.MinScale, p.MaxScale = o.scale-(p.MaxScale-p.MinScale), o.scale
	}
	return p
}
