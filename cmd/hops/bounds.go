package main

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/internal/base/human"
	"github.com/gohops/hops/internal/device/ceiling"
	"github.com/gohops/hops/papers/bench"
)

// boundByMemory is the share of a level's time from which it is called bound by what
// it touches. Below it, workers start, wait for each other or compute.
const boundByMemory = 0.5

// writeBounds searches from every root and prints what bounds each level.
func writeBounds(ctx context.Context, w io.Writer, s *cpu.Searcher, n hops.Vertex, roots []hops.Vertex, name func(hops.Vertex) string, runs int) error {
	size := s.Footprint()
	b, err := ceiling.MeasureBounds(ceiling.Sizes{Arrays: size.Arrays, All: size.All, Bitmap: size.Bitmap}, 0)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "In order %.1f GB/s (over %s), at random %s lines/s (%s) and %s probes/s (%s)\n", b.Stream/1e9, human.Bytes(size.Arrays),
		human.Count(b.Lines), human.Bytes(size.All), human.Count(b.Probes), human.Bytes(size.Bitmap))
	tree := hops.NewTree(n)
	for _, root := range roots {
		search, err := bench.Median(ctx, s, root, tree, runs)
		if err != nil {
			return err
		}
		trace := hops.Trace{Levels: search.Levels}
		tree.Reset()
		_, traffic, err := s.Traffic(ctx, root, tree)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "\nFrom root %s in %s\n%s\n", printable(name(root)), human.Duration(trace.Time()), boundsTable(b, trace, traffic))
	}
	return out.Flush()
}

// boundsTable says of the levels of a search what bounds them, by the traffic of another search from
// the same root: it finds the same vertices in each level, and there are as many.
func boundsTable(b ceiling.Bounds, trace hops.Trace, traffic []cpu.Traffic) string {
	shown := human.Table(1, "level", "step", "frontier", "found", "time", "bytes", "lines", "probes", "at least", "share", "bound by")
	for d := range trace.Levels {
		l, t := &trace.Levels[d], traffic[d]
		least, by := b.AtLeast(ceiling.Work(t))
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
