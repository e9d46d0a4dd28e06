package cluster_test

import (
	"github.com/gohops/hops/engine/cluster"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/learn"
)

// What the benchmark and calibration may ask of this engine.
var (
	_ graph500.Searcher       = (*cluster.Searcher)(nil)
	_ graph500.MemoryReporter = (*cluster.Searcher)(nil)
	_ graph500.Searcher       = (*cluster.Rank)(nil)
	_ graph500.TreeMaker      = (*cluster.Rank)(nil)
	_ graph500.MemoryReporter = (*cluster.Rank)(nil)
	_ learn.Explorer          = (*cluster.Searcher)(nil)
)
