package cygraph_test

import (
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/papers/cygraph"
)

// What the benchmark may ask of this engine.
var (
	_ graph500.Searcher       = (*cygraph.Searcher)(nil)
	_ graph500.MemoryReporter = (*cygraph.Searcher)(nil)
)
