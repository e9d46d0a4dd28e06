package report

import (
	"fmt"
	"strings"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/page/page"
	"github.com/gohops/hops/internal/page/plot"
)

func scoreSection(results []Named) page.Section {
	s := page.Section{Title: "Score"}
	if len(results) == 1 {
		s.Verdict = verdict(results[0].Result)
	}
	sideBySide(&s, "", results, runFacts)
	if len(results) > 1 {
		s.Tables = append(s.Tables, validity(results))
	}
	if p := rates(results); p != nil {
		s.Plots = append(s.Plots, p)
	}
	for _, r := range results {
		if r.Summary == nil {
			continue
		}
		if warning := busy(r.Summary.Time); warning != "" {
			if len(results) > 1 {
				warning = r.Name + ": " + warning
			}
			s.Text = append(s.Text, warning)
		}
		s.Plots = append(s.Plots, inOrder(r, results))
		s.Tables = append(s.Tables, statistics(r, results))
	}
	return s
}

func verdict(r *graph500.Result) *page.Verdict {
	v := &page.Verdict{Tone: page.Good, Text: strings.ReplaceAll(Score(r), "\n", " ")}
	switch {
	case r.Invalid != "":
		v.Tone = page.Bad
	case !r.Submittable:
		v.Tone = page.Neutral
	default:
		v.Text += " Every tree is valid; the run is by the rules of the Graph500."
	}
	return v
}

func validity(results []Named) page.Table {
	t := page.Table{Title: "Validity", Columns: page.Columns("result", "verdict")}
	for _, r := range results {
		t.Rows = append(t.Rows, []any{r.Name, verdict(r.Result).Text})
	}
	return t
}

func rates(results []Named) *plot.Plot {
	p := &plot.Plot{
		Title: "Rate of the searches",
		X:     plot.Axis{Label: "result"},
		Y:     plot.Axis{Label: "rate", Unit: "TEPS"},
		Note:  "Box: quartiles and median. Whiskers: up to 1.5 times the box. Dots: searches beyond. TEPS: traversed edges per second.",
	}
	boxes := plot.Series{Kind: plot.Box}
	for _, r := range results {
		if r.Summary != nil {
			p.X.Categories = append(p.X.Categories, r.Name)
			boxes.Samples = append(boxes.Samples, rateSample(r.Result))
		}
	}
	if len(results) == 1 {
		p.X = plot.Axis{Label: fmt.Sprintf("%d searches", len(results[0].Searches)), Categories: []string{results[0].Engine}}
	}
	p.Series = []plot.Series{boxes}
	if boxes.Samples == nil {
		return nil
	}
	return p
}

func rateSample(r *graph500.Result) []float64 {
	var sample []float64
	for _, s := range r.Searches {
		sample = append(sample, s.TEPS())
	}
	return sample
}

// inOrder shows searches as they came, so that a machine that became slower, or
// was disturbed, gives itself away.
func inOrder(r Named, all []Named) *plot.Plot {
	p := &plot.Plot{
		Title: of("Searches in their order", r, all),
		X:     plot.Axis{Label: "search", Whole: true},
		Y:     plot.Axis{Label: timeName(r.Result), Unit: "s", Zero: true},
	}
	s := plot.Series{Name: "search", Kind: plot.Points}
	each := (len(r.Searches) + mostRows - 1) / mostRows
	if each > 1 {
		s.Name = fmt.Sprintf("median of %d searches", each)
	}
	for first := 0; first < len(r.Searches); first += each {
		var group []float64
		for _, q := range r.Searches[first:min(first+each, len(r.Searches))] {
			group = append(group, q.Time.Seconds())
		}
		s.X, s.Y = append(s.X, float64(first+1)), append(s.Y, median(group))
	}
	median := r.Summary.Time.Median
	p.Series = []plot.Series{s, {Name: "median", X: []float64{1, float64(len(r.Searches))}, Y: []float64{median, median}}}
	return p
}

// statistics are the figures that the benchmark asks for, one quantity a row,
// and so with units in the cells.
func statistics(r Named, all []Named) page.Table {
	t := page.Table{
		Title:   of("Statistics", r, all),
		Columns: page.Columns("", "min", "1st quartile", "median", "3rd quartile", "max", "mean", "deviation"),
		Note:    "The mean of rates is harmonic.",
	}
	for _, q := range quantities(r.Result) {
		line := []any{q.name}
		for _, row := range q.rows {
			line = append(line, page.Quantity{Value: row.value, Unit: q.unit})
		}
		t.Rows = append(t.Rows, line)
	}
	if note := clockNote(r.Result); note != "" {
		t.Note += " " + note
	}
	return t
}
