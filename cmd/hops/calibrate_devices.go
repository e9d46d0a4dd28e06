package main

import (
	"context"
	"fmt"
	"io"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/internal/calibration"
	"github.com/gohops/hops/level"
)

// mixedSteps are all that an adaptive search can run.
func mixedSteps() []level.Step {
	return append(cpu.PortableSteps(), gpu.PortableSteps()...)
}

// runDevices calibrates, or shows, the host and the device together. host is what
// is known of the host alone.
func (o *calibrateFlags) runDevices(ctx context.Context, host *calibration.Calibration, stdout, stderr io.Writer) error {
	if o.device == "none" {
		return nil
	}
	var mixed mixedOptions
	mixed.host.Threads = o.threads
	if host.Helps() {
		mixed.host.Model = host.Steps // as the engine will have it
	}
	if o.device != "auto" {
		mixed.device.Driver = o.device
	}
	name, err := gpu.DeviceName(mixed.device)
	if err != nil && o.device == "auto" {
		_, err = fmt.Fprintf(stdout, "\nNo device beside the host: %v\n", err)
		return err
	}
	if err != nil {
		return err
	}
	here := thisMachine(o.threads)
	here.Device = name
	dir, err := calibration.Dir()
	if err != nil {
		return err
	}
	path := calibration.Path(dir, adaptiveEngine, here.Threads)
	var c *calibration.Calibration
	if o.show {
		c, err = calibration.Read(path)
	} else {
		plan := o.devicePlan()
		c, err = o.store(ctx, path, adaptiveEngine, here, plan.MixedSearches(), stderr, func(advance func(int64)) (*calibration.Calibration, error) {
			build := func(ctx context.Context, src hops.Source, m *level.DeviceModel) (calibration.Rehearser, error) {
				mixed.Model = m
				return mixed.build(ctx, src)
			}
			return calibration.LearnDevices(ctx, plan, build, cpu.PortableModel(host.Steps), host.Regret, advance)
		})
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout)
	return writeCalibration(stdout, c, path, c.Check(adaptiveEngine, here, mixedSteps()))
}

// devicePlan is like plan, but has a large graph even when it should be quick: what
// a device is worth shows there.
func (o *calibrateFlags) devicePlan() calibration.Plan {
	p := o.plan()
	if o.quick && o.scale == 0 {
		p.MaxScale, p.Stride, p.OthersMaxScale = learnScale, 2, learnScaleQuick
		p.Roots, p.Runs = 4, 3
	}
	return p
}
