package distributed_test

import (
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/internal/ranks/distributed"
)

// What the benchmark and calibration may ask of the engines that run on ranks.
var (
	_ graph500.Searcher       = (*distributed.Searcher)(nil)
	_ graph500.TreeMaker      = (*distributed.Searcher)(nil)
	_ graph500.MemoryReporter = (*distributed.Searcher)(nil)
	_ graph500.TreeClearer    = (*distributed.Searcher)(nil)
	_ graph500.Searcher       = (*distributed.Rank)(nil)
	_ graph500.TreeMaker      = (*distributed.Rank)(nil)
	_ graph500.MemoryReporter = (*distributed.Rank)(nil)
	_ graph500.TreeClearer    = (*distributed.Rank)(nil)
	_ learn.Explorer          = (*distributed.Searcher)(nil)
)
