package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/internal/page/progress"
)

// calibrateFlags are the flags of the verb.
type calibrateFlags struct {
	scale, threads     int
	quick, show, quiet bool
	device             string
}

// calibrateDevices are the drivers of a device, and none.
var calibrateDevices = []string{"auto", "none", "cuda", "opencl"}

func calibrateCommand(stderr io.Writer) *cobra.Command {
	var o calibrateFlags
	c := &cobra.Command{
		Use:   "calibrate",
		Short: "Learn how fast each step of a search is on this machine",
		Long: `calibrate measures every way to run a level of a search (top-down, bottom-up,
split) on generated graphs and learns what each costs on this machine. The cpu
engine then takes the one that it expects to be the fastest, level by level.
Without a calibration it follows the alpha–beta rule, which knows no machine.
Where there is a GPU, or anything that OpenCL takes for one, its steps are
measured too, with the moves of a search to it and back: that is for the adaptive
engine, which uses both.

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
				return usageError{fmt.Errorf("--show learns nothing, so it goes with --threads and --device only")}
			}
			if !slices.Contains(calibrateDevices, o.device) {
				return usageError{fmt.Errorf("--device %s: want one of %s", o.device, strings.Join(calibrateDevices, ", "))}
			}
			return o.run(c.Context(), c.OutOrStdout(), stderr)
		},
	}
	f := c.Flags()
	f.StringVar(&o.device, "device", calibrateDevices[0], "to learn about beside the host: "+strings.Join(calibrateDevices, ", "))
	complete(c, "device", calibrateDevices...)
	f.BoolVar(&o.quick, "quick", false, "learn from fewer and smaller graphs")
	f.BoolVar(&o.show, "show", false, "print what was learned before")
	f.Var(within(&o.threads, 0, 1, 4096), "threads", "workers; by default one for every CPU that the process may use")
	f.Lookup("threads").DefValue = ""
	f.Var(within(&o.scale, 0, learn.LeastScale, learn.MostScale), "scale",
		fmt.Sprintf("of the largest graph; by default %d, with --quick %d", learn.FullScale, learn.QuickScale))
	f.Lookup("scale").DefValue = ""
	f.BoolVarP(&o.quiet, "quiet", "q", false, "no progress")
	return c
}

func (o *calibrateFlags) run(ctx context.Context, stdout, stderr io.Writer) error {
	dir, err := learn.Dir()
	if err != nil {
		return err
	}
	here := learn.Here(o.threads)
	path := learn.Path(dir, calibratedEngine, here.Threads)
	var c *learn.Calibration
	if o.show {
		c, err = learn.Read(path)
	} else {
		c, err = o.learn(ctx, path, here, stderr)
	}
	if err != nil {
		return err
	}
	if err := writeCalibration(stdout, c, path, c.Check(calibratedEngine, here, cpu.Steps())); err != nil {
		return err
	}
	return o.runDevices(ctx, c, stdout, stderr)
}

// learn makes a calibration of the host alone and stores it.
func (o *calibrateFlags) learn(ctx context.Context, path string, here learn.Hardware, stderr io.Writer) (*learn.Calibration, error) {
	build := func(ctx context.Context, src hops.Source) (learn.Explorer, error) {
		return cpu.Build(ctx, src, cpu.Options{Threads: here.Threads})
	}
	set := o.training()
	return o.store(ctx, path, calibratedEngine, here, set.Searches(), stderr, func(advance func(int64)) (*learn.Calibration, error) {
		return learn.Calibrate(ctx, set, build, advance)
	})
}

// store keeps what measure returns, and shows how many of the searches are done.
func (o *calibrateFlags) store(ctx context.Context, path, engine string, here learn.Hardware, searches int, stderr io.Writer,
	measure func(advance func(int64)) (*learn.Calibration, error),
) (c *learn.Calibration, err error) {
	display := progress.New(stderr, progressMode(stderr, o.quiet))
	defer display.Close()
	err = learn.Store(path, func() (*learn.Calibration, error) {
		display.Begin("explore", int64(searches), "searches")
		c, err = measure(display.Advance)
		if err == nil {
			c.Engine, c.Hardware = engine, here
		}
		return c, err
	})
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return nil, cause
	}
	return c, err
}

// training is what to learn from.
func (o *calibrateFlags) training() learn.TrainingSet {
	return learn.Training(learn.Here(o.threads).Threads, o.scale, o.quick)
}
