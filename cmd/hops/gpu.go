package main

import (
	"context"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/spec"
	"github.com/gohops/hops/internal/ranks/launch"
)

// openGPU binds the options of the GPU engine. The memory plan counts what the engine needs
// on the host. What it needs on a device, the engine compares with what is free there
// before any work.
func openGPU() ([]spec.Option, func(*launch.World) (graph500.Engine, error)) {
	var (
		o       gpu.Options
		stepped bool
		tree    string
	)
	options := []spec.Option{
		spec.Choice("driver", "cuda or opencl; by default the first that works", &o.Driver, "auto", "cuda", "opencl"),
		spec.Int("device", "number of the device within the driver; by default 0", &o.Device, 1, 255),
		optionMap(&o.Map).
			Excludes("hot", "passes by vertex do without these bits").
			Needs("one launch for all levels has no passes by vertex", "stepped"),
		spec.Switch("hot", "keep the bits of the hubs in each multiprocessor's own memory", &o.Hot).
			Excludes("stepped", "the host then runs the steps without them"),
		spec.Switch("stepped", "let the host drive the levels instead of one launch for all", &stepped),
		spec.Choice("tree", "memory in which the tree is complete when the clock of graph500 stops; by default device", &tree, "device", "host"),
		spec.Int("alpha", "go bottom-up when alpha times the frontier's edges exceed the unvisited's; by default 25, and 50 from 2²⁷ vertices on", &o.Alpha, 1, 1<<20),
		spec.Int("beta", "go back when beta times the frontier is less than the unvisited; by default 24", &o.Beta, 1, 1<<20),
	}
	return options, func(*launch.World) (graph500.Engine, error) {
		o := o // the options print the variables as they were set
		if stepped {
			o.Stepped = gpu.Policy(o)
			o.Alpha, o.Beta = 0, 0 // the policy has them
		}
		return graph500.Engine{
			Generates:    true,
			TreeOnDevice: tree == "",

			Need:  func(n hops.Vertex, m int64) int64 { return gpu.HostNeed(o, n, m) },
			Ready: func(n hops.Vertex, m int64, directed bool) error { return gpu.Ready(o, n, m, directed) },
			Build: func(ctx context.Context, src hops.Source) (graph500.Searcher, error) {
				return gpu.Build(ctx, src, o)
			},
			Weighted: weightedGPU(o),
		}, nil
	}
}

// optionMap is the option for how bottom-up levels that a host drives note what they find.
func optionMap(v *string) spec.Option {
	return spec.Choice("map", "what bottom-up passes with a thread for each vertex note their finds in: words of the bitmap, bits by atomic operations, or bytes; by default a faster pass runs", v, "auto", gpu.Words, gpu.Bits, gpu.Bytes)
}
