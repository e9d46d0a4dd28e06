package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/ceiling"
	"github.com/gohops/hops/internal/human"
	"github.com/gohops/hops/internal/par"
)

// bounds are the best rates of the memory of this machine, for a graph.
type bounds struct {
	size   cpu.Footprint
	stream float64 // bytes a second in order, over the arrays of bottom-up levels
	lines  float64 // a second at random, over everything
	probes float64 // a second, over a bitmap
}

func measureBounds(size cpu.Footprint, team *par.Team) (bounds, error) {
	b := bounds{size: size}
	for _, part := range []struct {
		bytes int64
		keep  func(ceiling.Rates)
	}{
		{size.Arrays, func(r ceiling.Rates) { b.stream = r.Stream }},
		{size.All, func(r ceiling.Rates) { b.lines = r.Lines }},
		{size.Bitmap, func(r ceiling.Rates) { b.probes = r.Lines }},
	} {
		r, err := ceiling.Measure(team, part.bytes)
		if err != nil {
			return b, err
		}
		part.keep(r)
	}
	return b, nil
}

// least is the time that a level takes at these rates, if its longest part hides
// all others, and which part that is.
func (b bounds) least(t cpu.Traffic) (least time.Duration, by string) {
	for _, part := range []struct {
		name string
		work int64
		rate float64
	}{
		{"bytes", t.Streamed, b.stream},
		{"lines", t.Lines, b.lines},
		{"probes", t.Probes, b.probes},
	} {
		if d := time.Duration(float64(part.work) / part.rate * float64(time.Second)); d >= least {
			least, by = d, part.name
		}
	}
	return least, by
}

// boundByMemory is the share of a level's time from which it is called bound by what
// it touches. Below it, workers start, wait for each other or compute.
const boundByMemory = 0.5

// writeBounds searches from every root and prints what bounds each level.
func writeBounds(ctx context.Context, w io.Writer, s *cpu.Searcher, n hops.Vertex, roots []hops.Vertex, runs int) error {
	team := par.NewTeam(0, nil)
	defer team.Close()
	b, err := measureBounds(s.Footprint(), team)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "In order %.1f GB/s (over %s), at random %s lines/s (%s) and %s probes/s (%s)\n", b.stream/1e9, human.Bytes(b.size.Arrays),
		human.Count(b.lines), human.Bytes(b.size.All), human.Count(b.probes), human.Bytes(b.size.Bitmap))
	tree := hops.NewTree(n)
	for _, root := range roots {
		trace, err := median(ctx, s, root, tree, runs)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "\nFrom root %d in %s\n%s\n", root, human.Duration(trace.Time()), boundsTable(s, b, trace))
	}
	return out.Flush()
}

// median returns the trace of the search that took the median time.
func median(ctx context.Context, s *cpu.Searcher, root hops.Vertex, tree *hops.Tree, runs int) (hops.Trace, error) {
	var all []hops.Trace
	for range runs {
		search, err := graph500.Time(ctx, s, root, tree)
		if err != nil {
			return hops.Trace{}, err
		}
		all = append(all, hops.Trace{Levels: search.Levels})
	}
	slices.SortFunc(all, func(a, b hops.Trace) int { return cmp.Compare(a.Time(), b.Time()) })
	return all[len(all)/2], nil
}

func boundsTable(s *cpu.Searcher, b bounds, trace hops.Trace) string {
	open := b.size.Vertices - 1 // all but the root
	shown := human.NumbersTable("level", "step", "frontier", "found", "time", "bytes", "lines", "probes", "at least", "share", "bound by")
	for d := range trace.Levels {
		l := &trace.Levels[d]
		t := s.Traffic(l, open)
		open -= l.Found
		least, by := b.least(t)
		share := least.Seconds() / max(l.Time, 1).Seconds()
		if share < boundByMemory {
			by = "waiting, " + by
		}
		shown.AppendRow(table.Row{
			d, l.Step, human.Count(float64(l.Frontier)), human.Count(float64(l.Found)), human.Duration(l.Time), human.Bytes(t.Streamed),
			human.Count(float64(t.Lines)), human.Count(float64(t.Probes)), human.Duration(least), fmt.Sprintf("%.0f %%", 100*share), by,
		})
	}
	return shown.Render()
}
