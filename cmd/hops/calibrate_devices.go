package main

import (
	"context"
	"fmt"
	"io"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/level"
)

// mixedSteps are all that an adaptive search can run.
func mixedSteps() []level.Step {
	return append(cpu.PortableSteps(), gpu.PortableSteps()...)
}

// runDevices calibrates, or shows, the host and the device together. host is what
// is known of the host alone.
func (o *calibrateFlags) runDevices(ctx context.Context, host *learn.Calibration, stdout, stderr io.Writer) error {
	if o.device == "none" {
		return nil
	}
	var mixed mixedOptions
	mixed.host.Threads = o.threads
	if host.Helps() {
		mixed.host.Policy = host.Steps // as the engine will have it
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
	here := learn.Here(o.threads)
	here.Device = name
	dir, err := learn.Dir()
	if err != nil {
		return err
	}
	path := learn.Path(dir, adaptiveEngine, here.Threads)
	var c *learn.Calibration
	if o.show {
		c, err = learn.Read(path)
	} else {
		set := o.training().ForDevices()
		c, err = o.store(ctx, path, adaptiveEngine, here, set.MixedSearches(), stderr, func(advance func(int64)) (*learn.Calibration, error) {
			build := func(ctx context.Context, src hops.Source, m *learn.DeviceModel) (learn.Rehearser, error) {
				mixed.Model = m
				return mixed.build(ctx, src)
			}
			return learn.CalibrateDevices(ctx, set, build, host, advance)
		})
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout)
	return writeCalibration(stdout, c, path, c.Check(adaptiveEngine, here, mixedSteps()))
}
