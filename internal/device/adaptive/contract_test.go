package adaptive_test

import (
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/internal/device/adaptive"
)

// What the benchmark and calibration may ask of this engine.
var (
	_ graph500.Searcher    = (*adaptive.Searcher)(nil)
	_ graph500.TreeMaker   = (*adaptive.Searcher)(nil)
	_ graph500.TreeReuser  = (*adaptive.Searcher)(nil)
	_ graph500.EnergyMeter = (*adaptive.Searcher)(nil)
	_ learn.Explorer       = (*adaptive.Searcher)(nil)
)

// What hosts and devices offer to this engine.
var (
	_ adaptive.Sharer  = (*cpu.Portable)(nil)
	_ adaptive.Partner = (*gpu.Portable)(nil)
)
