package cpu_test

import (
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/learn"
)

// What the benchmark and calibration may ask of this engine.
var (
	_ graph500.Searcher       = (*cpu.Searcher)(nil)
	_ graph500.TreeClearer    = (*cpu.Searcher)(nil)
	_ graph500.MemoryReporter = (*cpu.Searcher)(nil)
	_ learn.Explorer          = (*cpu.Searcher)(nil)
)
