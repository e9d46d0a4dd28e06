package lab

import (
	"fmt"
	"strings"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/human"
	"github.com/gohops/hops/internal/page/page"
	"github.com/gohops/hops/internal/page/plot"
)

// Page returns a page of findings, with an overview if there are several.
func (l *Lab) Page(command string, findings []*Finding) *Page {
	p := &page.Page{
		Title: "The paper tour",
		Subtitle: fmt.Sprintf("%s, %d of %d CPUs; largest scale %d, %d roots, %d rounds", l.Host.Model,
			len(l.Host.CPUs), len(l.Host.Online), l.Scale, l.Roots, l.Runs),
		Footer: "hops " + graph500.Version() + ", " + command,
	}
	if len(findings) == 1 {
		p.Title = findings[0].ID
	} else {
		p.Sections = append(p.Sections, overview(findings))
	}
	for _, f := range findings {
		p.Sections = append(p.Sections, f.section())
	}
	return p
}

func overview(findings []*Finding) page.Section {
	counts := map[Outcome]int{}
	var total time.Duration
	t := page.Table{Title: "all experiments", Columns: page.Columns("experiment", "verdict", "by place", "what it shows", "basis", "time:s")}
	for _, f := range findings {
		v := f.Verdict()
		counts[v]++
		total += f.Took
		t.Rows = append(t.Rows, []any{f.ID, string(v), f.byPlace(), f.Title, strings.Join(f.Basis, "; "), f.Took})
	}
	return page.Section{
		Title: "Overview",
		Text: []string{
			"Figures and tables of five papers on breadth-first search, repeated at the size of this machine. A verdict is computed from the figures beside it: it is the weakest of the claims of its experiment, on the twin of the paper's machine where there is one; the verdict of ranks on this machine stands beside it. Figures that a twin was set by are marked and not judged.",
			fmt.Sprintf("Of %d experiments the paper's trend holds in %d, does not hold in %d, and %d cannot tell, because of spread or because something is missing here. All took %s.",
				len(findings), counts[Holds], counts[Fails], counts[Unclear], human.Duration(total)),
		},
		Tables: []page.Table{t},
	}
}

func (f *Finding) section() page.Section {
	s := page.Section{Title: f.ID + " " + f.Title, Verdict: f.Verdict().shown(), Plots: f.Plots}
	add := func(name string, values ...string) {
		for _, v := range values {
			s.Facts = append(s.Facts, page.Fact{Name: name, Value: v})
		}
	}
	add("paper", Papers[Experiment{ID: f.ID}.Paper()])
	add("trend", f.Trend)
	if f.Error != "" {
		add("failed", f.Error)
		return s
	}
	add("basis", strings.Join(f.Basis, "; "))
	add("setting", f.Setting)
	add("missing", f.Missing...)
	add("note", f.Notes...)
	claims := page.Table{Title: f.ID + " claims", Columns: page.Columns("claim", "where", "verdict", "because")}
	for _, c := range f.Claims {
		claims.Rows = append(claims.Rows, []any{c.Text, c.Place, string(c.Outcome), c.Why})
	}
	quotes := page.Table{Title: f.ID + " beside the paper", Columns: page.Columns("figure", "paper", "here")}
	for _, q := range f.Paper {
		quotes.Rows = append(quotes.Rows, []any{q.What, q.Paper, q.Ours})
	}
	for _, t := range append([]*page.Table{&claims, &quotes}, f.Tables...) {
		if len(t.Rows) > 0 {
			s.Tables = append(s.Tables, *t)
		}
	}
	return s
}

// byPlace returns the verdict of each place, if there are several.
func (f *Finding) byPlace() string {
	places, outcomes := f.Verdicts()
	if len(places) < 2 {
		return ""
	}
	var all []string
	for _, p := range places {
		all = append(all, p+": "+string(outcomes[p]))
	}
	return strings.Join(all, "; ")
}

// shown returns the outcome for a page, with its colour.
func (o Outcome) shown() *page.Verdict {
	tone := map[Outcome]page.Tone{Holds: page.Good, Fails: page.Bad, Unclear: page.Neutral}[o]
	return &page.Verdict{Tone: tone, Text: string(o)}
}

// byLevel plots a figure of every level as bars, one colour for each engine.
func byLevel(title, label, unit string, log bool, figure func(hops.Level) float64, names []string, runs ...Runs) plot.Plot {
	p := plot.Plot{
		Title: title,
		X:     plot.Axis{Label: "level"},
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
		sample.addTo(&s)
	}
	p.Series = []plot.Series{s}
	return p
}

// addTo adds the median to a series, with the quartiles as its error bar.
func (s Sample) addTo(series *plot.Series) {
	lo, hi := s.quartiles()
	series.Y, series.Low, series.High = append(series.Y, s.Median()), append(series.Low, lo), append(series.High, hi)
}

// A curve is a named series of samples over numbers.
type curve struct {
	name string
	x    []float64
	y    []Sample
}

func (c *curve) add(x float64, y Sample) { c.x, c.y = append(c.x, x), append(c.y, y) }
func (c *curve) last() Sample            { return c.y[len(c.y)-1] }

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
			s.X = append(s.X, c.x[i])
			sample.addTo(&s)
		}
		if len(s.X) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	return p
}

// series tabulates and draws samples by a number, also over the first sample.
func (f *Finding) series(table, over string, p plot.Plot, name string, numbers []int, samples []Sample) {
	t := f.table(table, p.X.Label+":#", p.Y.Label+":"+p.Y.Unit, over+":×")
	c := curve{name: name}
	for i, n := range numbers {
		t.add(n, samples[i], ratio(samples[i], samples[0]))
		c.add(float64(n), samples[i])
	}
	f.plot(curves(p.Title, p.X, p.Y, c))
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
	t := &Table{Title: f.labelled(title), Columns: page.Columns(columns...)}
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
