package gpu_test

import (
	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/graph500"
)

// What the benchmark may ask of this engine.
var (
	_ graph500.Searcher    = (*gpu.Searcher)(nil)
	_ graph500.TreeMaker   = (*gpu.Searcher)(nil)
	_ graph500.TreeReuser  = (*gpu.Searcher)(nil)
	_ graph500.DeviceNamer = (*gpu.Searcher)(nil)
	_ graph500.EnergyMeter = (*gpu.Searcher)(nil)
	_ graph500.OnDevice    = (*gpu.Searcher)(nil)
)

var _ graph500.DevicePaths = (*gpu.Paths)(nil)
