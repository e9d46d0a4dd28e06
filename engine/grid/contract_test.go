package grid_test

import (
	"github.com/gohops/hops/engine/grid"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/learn"
)

// What the benchmark and calibration may ask of this engine.
var (
	_ graph500.Searcher       = (*grid.Searcher)(nil)
	_ graph500.MemoryReporter = (*grid.Searcher)(nil)
	_ graph500.Searcher       = (*grid.Rank)(nil)
	_ graph500.TreeMaker      = (*grid.Rank)(nil)
	_ graph500.MemoryReporter = (*grid.Rank)(nil)
	_ learn.Explorer          = (*grid.Searcher)(nil)
)
