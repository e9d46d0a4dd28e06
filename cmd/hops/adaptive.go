package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/internal/base/spec"
	"github.com/gohops/hops/internal/device/adaptive"
	"github.com/gohops/hops/internal/ranks/launch"
)

const adaptiveEngine = "adaptive"

// mixedOptions are those of the adaptive engine and of the two that it composes.
type mixedOptions struct {
	adaptive.Options
	host   cpu.Options
	device gpu.Options
	apart  bool

	unlearned error // why there are no speeds for the policy that needs them
}

// openAdaptive binds the options of the adaptive engine.
func openAdaptive() ([]spec.Option, func(*launch.World) (graph500.Engine, error)) {
	var o mixedOptions
	options := []spec.Option{
		spec.Choice("driver", "of the device: cuda or opencl; by default the first that works", &o.device.Driver, "auto", "cuda", "opencl"),
		spec.Int("device", "number of the device within the driver; by default 0", &o.device.Device, 1, 255),
		spec.Int("threads", "workers of the host; by default one for every CPU that the process may use", &o.host.Threads, 1, 4096),
		spec.Choice("policy", "that chooses; by default what hops calibrate has learned. zhang: by one speed per step, as the paper's model, learned too; daga: top-down on the host, bottom-up on the device; yasui: the host alone; together: as daga, with bottom-up levels divided between both", &o.Policy, "auto", adaptive.Zhang, adaptive.Daga, adaptive.Yasui, adaptive.Together).
			Excludes("plan", "the plan chooses the step of every level"),
		spec.Choice("start", "where searches begin that are not planned; by default where they are fastest, which is tried on each graph", &o.Start, "auto", adaptive.OnHost, adaptive.OnDevice).
			Excludes("plan", "its first step says where a search begins").
			Excludes("policy", "the policy says where a search begins"),
		spec.Int("interval", "levels between two choices; by default 1", &o.Interval, 1, 1<<20).
			Excludes("plan", "the plan chooses the step of every level"),
		spec.List("plan", "steps of the levels, the last for all that follow: TC, BC, SC on the host, TG, BG, BGC on the device; C and G run many levels on either; BT divides a level between both", &o.Plan),
		spec.Int("share", "percentage of the vertices that the host looks for in divided levels; by default 25", &o.HostShare, 1, 100),
		optionMap(&o.device.Map),
		spec.Switch("apart", "copy what moves, even where the device shares the host's memory", &o.apart),
	}
	return options, func(*launch.World) (graph500.Engine, error) {
		words := o.resolve()
		if o.unlearned != nil {
			return graph500.Engine{}, fmt.Errorf("policy=%s: %w; hops calibrate learns this machine", adaptive.Zhang, o.unlearned)
		}
		return graph500.Engine{
			Policy: words,
			Need: func(n hops.Vertex, m int64) int64 {
				return o.host.Need(n, m) + gpu.HostNeed(o.device, n, m)
			},
			Build: func(ctx context.Context, src hops.Source) (graph500.Searcher, error) {
				return o.build(ctx, src)
			},
		}, nil
	}
}

// resolve finds what is known of this machine, and says so. That there is no device
// shows when the graph is built.
func (o *mixedOptions) resolve() (words string) {
	if c, err := loadCalibration(o.host.Threads); err == nil {
		o.host.Policy = c.Steps // so that the host searches as the cpu engine does
	}
	if o.Policy != "" && o.Policy != adaptive.Zhang || len(o.Plan) > 0 {
		return ""
	}
	name, err := gpu.DeviceName(o.device)
	if err != nil {
		return ""
	}
	if o.Speeds, err = loadSpeeds(adaptiveEngine, o.host.Threads, name, mixedSteps()); o.Policy == adaptive.Zhang {
		o.unlearned = err
		return ""
	}
	const without = "none but the device's own, if it has one"
	c, err := o.load(name)
	switch {
	case err == nil:
		o.Model = &c.DeviceModel
		return fmt.Sprintf("calibrated on %s, with %s", c.Learned.Format("2 January 2006"), name)
	case errors.Is(err, learn.ErrNone):
		return without + " (hops calibrate learns this machine)"
	case errors.Is(err, learn.ErrElsewhere) || errors.Is(err, learn.ErrVersion):
		return fmt.Sprintf("%s (%v; hops calibrate learns it anew)", without, err)
	}
	return fmt.Sprintf("%s (%v)", without, err)
}

// load returns what was learned of the host and the device of that name.
func (o *mixedOptions) load(device string) (*learn.Calibration, error) {
	dir, err := learn.Dir()
	if err != nil {
		return nil, err
	}
	here := learn.Here(o.host.Threads)
	here.Device = device
	return learn.Load(dir, adaptiveEngine, here, mixedSteps())
}

// build makes both graphs and composes their machines. Where the device works in the
// memory of the host, there is one graph: the device reads the host's rows. Otherwise the
// device makes its own rows of the source, which it may generate faster than the rows
// could be copied.
func (o *mixedOptions) build(ctx context.Context, src hops.Source) (*adaptive.Searcher, error) {
	shares, err := gpu.SharesMemory(o.device)
	if err != nil {
		return nil, err
	}
	host, err := buildCPU(ctx, src, o.host)
	if err != nil {
		return nil, err
	}
	if shares && !o.apart {
		if src, err = host.Graph().Source(); err != nil {
			return nil, errors.Join(err, host.Close())
		}
	}
	device, err := gpu.BuildPortable(ctx, src, o.device, o.apart)
	if err != nil {
		return nil, errors.Join(err, host.Close())
	}
	s, err := adaptive.New(ctx, host.Portable(), device, o.Options, device.Close, host.Close)
	if err != nil {
		return nil, errors.Join(err, device.Close(), host.Close())
	}
	return s, nil
}

// withPlan adds a plan, its steps separated by commas, to an engine and its
// options.
func withPlan(engine, plan string) string {
	if plan == "" {
		return engine
	}
	separator := ":"
	if strings.Contains(engine, ":") {
		separator = ","
	}
	return engine + separator + "plan=" + strings.ReplaceAll(plan, ",", "+")
}
