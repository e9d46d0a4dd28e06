package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/gohops/hops/internal/calibration"
	"github.com/gohops/hops/internal/human"
)

// writeCalibration prints what was learned. unfit is why it is not used, or nil.
func writeCalibration(w io.Writer, c *calibration.Calibration, path string, unfit error) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s, calibrated on %s in %s\n\n", c.Machine, c.Learned.Format("2 January 2006 15:04"), human.Duration(c.Took))
	fmt.Fprintf(out, "What a level costs, in nanoseconds\n%s\n\n", costs(c))
	fmt.Fprintf(out, "Prediction against measurement, on searches held out\n%s\n\n", fits(c))
	fmt.Fprintf(out, "Regret against the best steps in hindsight, on searches held out\n%s\n\n", regrets(c))
	if unfit != nil {
		fmt.Fprintf(out, "Not used: %v.\n", unfit)
	} else {
		fmt.Fprintf(out, "Used by the cpu engine with %d threads.\n", c.Machine.Threads)
	}
	fmt.Fprintf(out, "Kept in %s\n", path)
	return out.Flush()
}

func costs(c *calibration.Calibration) string {
	t := newTable("step", "to start", "per vertex", "per row", "per open vertex", "per entry")
	for _, name := range slices.Sorted(maps.Keys(c.Steps)) {
		s := c.Steps[name]
		line := table.Row{name}
		for _, x := range []float64{s.Fixed, s.PerVertex, s.PerRow, s.PerOpen, s.PerEntry} {
			line = append(line, fmt.Sprintf("%.4g", x))
		}
		t.AppendRow(line)
	}
	return t.Render()
}

func fits(c *calibration.Calibration) string {
	t := newTable("step", "levels", "from", "measured", "predicted", "error")
	for _, f := range c.Fit {
		t.AppendRow(table.Row{
			f.Step, f.Levels, human.Duration(f.From), human.Duration(f.Measured),
			human.Duration(f.Predicted), fmt.Sprintf("%.0f %%", f.Error),
		})
	}
	return t.Render()
}

func regrets(c *calibration.Calibration) string {
	t := newTable("graph", "levels", "alpha–beta", "calibrated")
	row := func(name string, levels int, r calibration.Regret) {
		t.AppendRow(table.Row{name, levels, fmt.Sprintf("%.1f %%", r.Without), fmt.Sprintf("%.1f %%", r.With)})
	}
	levels := 0
	for _, g := range c.Graphs {
		row(g.Name, g.Levels, g.Regret)
		levels += g.Levels
	}
	row("mean, all levels", levels, c.Regret)
	return t.Render()
}

// newTable is a plain table with numbers in all columns but the first.
func newTable(header ...string) table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.Style().Options.DrawBorder = false
	t.Style().Options.SeparateColumns = false
	t.SuppressTrailingSpaces()
	var row table.Row
	var columns []table.ColumnConfig
	for i, h := range header {
		row = append(row, h)
		if i > 0 {
			columns = append(columns, table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight})
		}
	}
	t.AppendHeader(row)
	t.SetColumnConfigs(columns)
	return t
}
