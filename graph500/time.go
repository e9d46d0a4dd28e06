package graph500

import (
	"context"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/gohops/hops"
)

// Time runs kernel 2, one search, and times it as the benchmark does: the clock
// starts with an empty tree and stops when the parents are in memory. Whatever else
// a search needs to be empty, the engine empties within that time. No garbage is
// collected meanwhile. Time empties the tree before it starts the clock, and does not
// validate it: what only validation tells is missing in the Search.
func Time(ctx context.Context, graph Searcher, root hops.Vertex, tree *hops.Tree) (Search, error) {
	start := func() (stop, error) {
		start := time.Now()
		return func() (time.Duration, error) { return time.Since(start), nil }, nil
	}
	if own, ok := graph.(Timer); ok {
		start = func() (stop, error) { return own.StartClocks(ctx, root, tree) }
	}
	return treeOf(graph, tree).timed(ctx, root, start)
}

// A stop function stops a clock and returns the time since it was started.
type stop func() (time.Duration, error)

// timed is Time with a clock of the caller's.
func (t target) timed(ctx context.Context, root hops.Vertex, start func() (stop, error)) (Search, error) {
	defer quiet()()
	t.clear()
	return measure(root, start, func() (hops.Trace, error) { return t.search(ctx, root) })
}

// quiet collects all garbage, and keeps the collector from running again until the
// function that it returns is called.
func quiet() (end func()) {
	runtime.GC()
	before := debug.SetGCPercent(-1)
	return func() { debug.SetGCPercent(before) }
}

// measure times one search.
func measure(root hops.Vertex, start func() (stop, error), search func() (hops.Trace, error)) (Search, error) {
	stop, err := start()
	if err != nil {
		return Search{}, err
	}
	trace, err := search()
	if err != nil {
		return Search{}, err
	}
	elapsed, err := stop()
	if trace.Clock == hops.Model {
		elapsed = trace.Time()
	}
	s := Search{
		Root: root, Time: max(elapsed, 1), Vertices: trace.Found() + 1, // a clock may be too coarse to see a search
		Clock: trace.Clock.String(), Levels: trace.Clone().Levels,
	}
	if trace.Clock == hops.Device {
		s.Device = trace.Time()
	}
	return s, err
}
