package lab

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/page"
	"github.com/gohops/hops/internal/plot"
)

// levelNames returns the numbers of n levels as the categories of an axis.
func levelNames(n int) (names []string) {
	for d := range n {
		names = append(names, strconv.Itoa(d))
	}
	return names
}

// byLevel plots a figure of every level as bars, one colour for each engine.
func byLevel(title, label, unit string, log bool, figure func(hops.Level) float64, names []string, runs ...Runs) plot.Plot {
	p := plot.Plot{
		Title: title,
		X:     plot.Axis{Label: "level", Categories: levelNames(deepest(runs...))},
		Y:     plot.Axis{Label: label, Unit: unit},
	}
	if log {
		p.Y.Scale = plot.Log10
	}
	for i, r := range runs {
		if r.Missing == "" {
			p.Series = append(p.Series, plot.Series{Name: names[i], Kind: plot.Bar, Y: r.means(figure)})
		}
	}
	return p
}

// bars plots the medians of samples, with error bars from the first to the third quartile.
func bars(title, x, label, unit string, names []string, samples ...Sample) plot.Plot {
	p := plot.Plot{Title: title, X: plot.Axis{Label: x}, Y: plot.Axis{Label: label, Unit: unit}}
	s := plot.Series{Kind: plot.Bar}
	for i, sample := range samples {
		if len(sample) == 0 {
			continue
		}
		p.X.Categories = append(p.X.Categories, names[i])
		lo, hi := sample.quartiles()
		s.Y, s.Low, s.High = append(s.Y, sample.Median()), append(s.Low, lo), append(s.High, hi)
	}
	p.Series = []plot.Series{s}
	return p
}

// A curve is a named series of samples over numbers.
type curve struct {
	name string
	x    []float64
	y    []Sample
}

func (c *curve) add(x float64, y Sample) { c.x, c.y = append(c.x, x), append(c.y, y) }

// curves plots the medians of curves, with error bars from the first to the third
// quartile.
func curves(title string, x, y plot.Axis, all ...curve) plot.Plot {
	p := plot.Plot{Title: title, X: x, Y: y}
	for _, c := range all {
		s := plot.Series{Name: c.name, Kind: plot.Line}
		for i, sample := range c.y {
			if len(sample) == 0 {
				continue
			}
			lo, hi := sample.quartiles()
			s.X, s.Y = append(s.X, c.x[i]), append(s.Y, sample.Median())
			s.Low, s.High = append(s.Low, lo), append(s.High, hi)
		}
		if len(s.X) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	return p
}

// setting describes a comparison: graph, engines, roots and rounds.
func (l *Lab) setting(g graph, runs ...Runs) string {
	var names []string
	for _, r := range runs {
		switch {
		case r.Missing != "":
		case r.Policy != "":
			names = append(names, r.Engine+" ("+r.Policy+")")
		default:
			names = append(names, r.Engine)
		}
	}
	return fmt.Sprintf("%s; %s; %d roots × %d rounds, interleaved, every tree validated",
		g.name, strings.Join(names, ", "), l.Roots, l.Runs)
}

// times returns the ratio of two samples as text: "3.2×".
func times(a, b Sample) string {
	if len(a) == 0 || len(b) == 0 {
		return notRun
	}
	return ratio(a, b).String() + "×"
}

// A table is a table of a finding that is filled row by row. Numbers are stored as
// float64, so that they are the same after a tour was interrupted and read back from JSON.
type table struct{ *Table }

// table adds a table. Its columns are given as for page.Columns: "time:s".
func (f *Finding) table(title string, columns ...string) table {
	t := &Table{Title: title, Columns: page.Columns(columns...)}
	f.Tables = append(f.Tables, t)
	return table{t}
}

// add appends a row of texts, numbers and samples. A sample becomes its median, an empty
// one an unknown value.
func (t table) add(cells ...any) {
	row := make([]any, len(cells))
	for i, c := range cells {
		row[i] = cell(c)
	}
	t.Rows = append(t.Rows, row)
}

func cell(c any) any {
	switch x := c.(type) {
	case Sample:
		if len(x) == 0 {
			return nil
		}
		return x.Median()
	case int:
		return float64(x)
	case int64:
		return float64(x)
	}
	return c
}
