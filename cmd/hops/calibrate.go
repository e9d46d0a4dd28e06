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
	"github.com/gohops/hops/internal/calibration"
	"github.com/gohops/hops/internal/progress"
)

// calibrateFlags are what the verb can be told.
type calibrateFlags struct {
	scale, threads     int
	quick, show, quiet bool
	device             string
}

// The scale of the largest graph to learn from: its arrays should not fit in the
// caches, or nothing is learned about memory.
const (
	learnScale      = 20
	learnScaleQuick = 18
	learnScaleLeast = 10
	learnScaleMost  = 28

	// manyWorkers, who pass over the bitmaps of small graphs in no time, need
	// graphs that are larger by so much: what each vertex costs is otherwise taken
	// from what a level costs to start, and is far too much where it matters.
	manyWorkers = 8
	manyScale   = 2
)

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
	if err := writeCalibration(stdout, c, path, c.Check(calibratedEngine, here, cpu.Steps())); err != nil {
		return err
	}
	return o.runDevices(ctx, c, stdout, stderr)
}

// learn makes a calibration of the host alone and stores it.
func (o *calibrateFlags) learn(ctx context.Context, path string, here calibration.Machine, stderr io.Writer) (*calibration.Calibration, error) {
	build := func(ctx context.Context, src hops.Source) (calibration.Explorer, error) {
		return cpu.Build(ctx, src, cpu.Options{Threads: here.Threads})
	}
	plan := o.plan()
	return o.store(ctx, path, calibratedEngine, here, plan.Searches(), stderr, func(advance func(int64)) (*calibration.Calibration, error) {
		return calibration.Learn(ctx, plan, build, advance)
	})
}

// store keeps what learn returns, and shows how many of the searches are done.
func (o *calibrateFlags) store(ctx context.Context, path, engine string, here calibration.Machine, searches int, stderr io.Writer,
	learn func(advance func(int64)) (*calibration.Calibration, error),
) (c *calibration.Calibration, err error) {
	display := progress.New(stderr, progressMode(stderr, o.quiet))
	defer display.Close()
	err = calibration.Store(path, func() (*calibration.Calibration, error) {
		display.Begin("explore", int64(searches), "searches")
		c, err = learn(display.Advance)
		if err == nil {
			c.Engine, c.Machine = engine, here
		}
		return c, err
	})
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return nil, cause
	}
	return c, err
}

func (o *calibrateFlags) plan() calibration.Plan {
	more := 0
	if thisMachine(o.threads).Threads >= manyWorkers {
		more = manyScale
	}
	p := calibration.Plan{MinScale: learnScale - 4, MaxScale: learnScale + more, Others: 80, OthersMaxScale: learnScale - 1, Roots: 6, OthersRoots: 2, Runs: 3}
	if o.quick {
		p = calibration.Plan{MinScale: learnScaleQuick - 2, MaxScale: learnScaleQuick + more, Stride: 1 + more/2, Others: 3, OthersMaxScale: learnScaleQuick, Roots: 6, Runs: 5}
	}
	if o.scale > 0 {
		p.MinScale, p.MaxScale, p.OthersMaxScale = o.scale-(p.MaxScale-p.MinScale), o.scale, min(p.OthersMaxScale, o.scale)
	}
	return p
}
