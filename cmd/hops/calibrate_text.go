package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/gohops/hops/internal/base/human"
	"github.com/gohops/hops/internal/base/learn"
)

// writeCalibration writes what was learned of a machine, and how good it is. unfit is why
// the calibration is not used, or nil.
func writeCalibration(w io.Writer, c *learn.Calibration, path string, unfit error) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s, calibrated on %s in %s\n\n", c.Hardware, c.Learned.Format("2 January 2006 15:04"), human.Duration(c.Took))
	fmt.Fprintf(out, "What a level costs, in nanoseconds\n%s\n\n", costs(c.Steps, "step"))
	if kinds := kinds(c.Steps); kinds != "" {
		fmt.Fprintf(out, "Kinds of levels that have a factor of their own: %s.\n\n", kinds)
	}
	if len(c.Moves) > 0 {
		fmt.Fprintf(out, "What a move of a search costs\n%s\n\n", costs(moves(c), ""))
	}
	if c.Alpha > 0 {
		fmt.Fprintf(out, "Bottom-up, where it is best, looks at %.2g of the remaining row entries (α).\n\n", c.Alpha)
	}
	if c.Speeds != nil {
		fmt.Fprintf(out, "Speeds of Zhang's model, policy=zhang, from %s: %s.\n\n", trainedOn(c.Speeds), speeds(c.Speeds))
	}
	fmt.Fprintf(out, "Prediction against measurement, on searches held out\n%s\n\n", fits(c))
	fmt.Fprintf(out, "Regret against the best steps in hindsight, on searches held out\n%s\n\n", regrets(c))
	if c.GivenUp {
		fmt.Fprintf(out, "The device takes so long for a level that searches stay on the host, whose own model serves.\n")
	}
	if unfit != nil {
		fmt.Fprintf(out, "Not used: %v.\n", unfit)
	} else {
		fmt.Fprintf(out, "Used by the %s engine with %d threads.\n", c.Engine, c.Hardware.Threads)
	}
	fmt.Fprintf(out, "Kept in %s\n", path)
	return out.Flush()
}

func costs(m learn.Model, of string) string {
	header := []string{of, "to start", "per vertex", "per row", "per open vertex", "per entry"}
	if of != "step" {
		header = append(header, "per byte") // levels move none
	}
	t := human.Table(1, header...)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		t.AppendRow(costRow(name, m[name], len(header)-1))
		if short := m[name].Short; short != nil {
			t.AppendRow(costRow(name+", short", *short, len(header)-1))
		}
	}
	return t.Render()
}

// trainedOn says which part of the paper's training set the speeds are from.
func trainedOn(s *learn.Speeds) string {
	if s.Graphs >= learn.PaperGraphs {
		return fmt.Sprintf("the paper's %d graphs", learn.PaperGraphs)
	}
	return fmt.Sprintf("%d graphs, not the paper's %d", s.Graphs, learn.PaperGraphs)
}

func speeds(s *learn.Speeds) string {
	var of []string
	for _, name := range slices.Sorted(maps.Keys(s.Of)) {
		of = append(of, fmt.Sprintf("%s %.3g million entries a second", name, s.Of[name]/1e6))
	}
	return strings.Join(of, ", ")
}

// kinds says how many kinds of levels each step has that its terms do not describe,
// and from which factor to which.
func kinds(m learn.Model) string {
	var of []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if m[name].Kinds == nil {
			continue
		}
		least, most := math.Inf(1), 0.0
		for _, k := range *m[name].Kinds {
			least, most = min(least, k.Factor), max(most, k.Factor)
		}
		of = append(of, fmt.Sprintf("%d of %s (%.2g to %.2g)", len(*m[name].Kinds), name, least, most))
	}
	return strings.Join(of, ", ")
}

func costRow(name string, c learn.Cost, count int) table.Row {
	line := table.Row{name}
	for _, x := range []float64{c.Fixed, c.PerVertex, c.PerRow, c.PerOpen, c.PerEntry, c.PerByte}[:count] {
		line = append(line, fmt.Sprintf("%.4g", x))
	}
	return line
}

func moves(c *learn.Calibration) learn.Model {
	m := learn.Model{}
	for device, cost := range c.Moves {
		m["to "+cmp.Or(device, "host")] = cost
	}
	return m
}

func fits(c *learn.Calibration) string {
	t := human.Table(1, "step", "levels", "from", "measured", "predicted", "error", "1 µs … 100 ms: o measured, x predicted, * both")
	for _, f := range c.Agreement {
		t.AppendRow(table.Row{
			f.Step, f.Levels, human.Duration(f.From), human.Duration(f.Measured),
			human.Duration(f.Predicted), fmt.Sprintf("%.0f %%", f.Error), drawn(f),
		})
	}
	return t.Render()
}

// drawn is a line on a logarithmic axis of five decades with the two times on it.
func drawn(f learn.Agreement) string {
	const perDecade, decades = 8, 5
	axis := []rune(strings.Repeat("·", perDecade*decades+1))
	at := func(d time.Duration) int {
		x := perDecade * math.Log10(float64(max(d, 1))/float64(time.Microsecond))
		return int(math.Round(min(max(x, 0), perDecade*decades)))
	}
	axis[at(f.Measured)] = 'o'
	axis[at(f.Predicted)] = 'x'
	if at(f.Measured) == at(f.Predicted) {
		axis[at(f.Measured)] = '*'
	}
	return string(axis)
}

func regrets(c *learn.Calibration) string {
	t := human.Table(1, "graph", "levels", "alpha–beta", "calibrated")
	row := func(name string, levels int, r learn.Regrets) {
		t.AppendRow(table.Row{name, levels, fmt.Sprintf("%.1f %%", r.Without), fmt.Sprintf("%.1f %%", r.With)})
	}
	levels := 0
	for _, g := range c.Graphs {
		row(g.Name, g.Levels, g.Regrets)
		levels += g.Levels
	}
	row("mean, all levels", levels, c.Regrets)
	return t.Render()
}
