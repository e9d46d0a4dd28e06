package bench

import (
	"fmt"
	"io"

	"github.com/gohops/hops/internal/page"
	"github.com/gohops/hops/internal/plot"
)

// WriteText writes the result for a terminal.
func (r *Result) WriteText(w io.Writer) error { return r.page().Text(w) }

// WriteHTML writes the result as one file that needs nothing else.
func (r *Result) WriteHTML(w io.Writer) error { return r.page().HTML(w) }

func (r *Result) page() *page.Page {
	return &page.Page{
		Title:    "Engines in turn",
		Subtitle: fmt.Sprintf("%s: %d roots, %d rounds", r.Graph.Name, r.Roots, r.Rounds),
		Sections: []page.Section{{
			Title: "Comparison",
			Facts: []page.Fact{
				{Name: "graph", Value: fmt.Sprintf("%s, %d vertices, %d edges", r.Graph.Name, r.Graph.Vertices, r.Graph.Edges)},
				{Name: "host", Value: r.Host},
				{Name: "version", Value: r.Version},
				{Name: "validated", Value: validations[r.Validate]},
				{Name: "trees", Value: "in the memory of the " + r.Tree},
			},
			Plots:    []*plot.Plot{r.plot()},
			Tables:   []page.Table{r.table()},
			Commands: []string{r.Command},
		}},
	}
}

var validations = map[Validation]string{
	All:   "every tree",
	First: "the first tree of every engine and root",
	None:  "the first tree of every root",
}

func (r *Result) table() page.Table {
	t := page.Table{
		Title:   "time of a search",
		Columns: page.Columns("engine", "build:s", "min:s", "median:s", "mean:s", "TEPS:TEPS", "rounds, from:s", "to:s", "speed", "from", "to"),
		Note: "TEPS: traversed edges per second, harmonic mean. Rounds: quartiles of the mean time of a search in each round. " +
			"Speed: relative to the first engine in the same round, median and quartiles; above 1 is faster.",
	}
	for _, f := range r.Engines {
		var build any
		if f.BuildSeconds > 0 {
			build = f.BuildSeconds
		}
		t.Rows = append(t.Rows, []any{
			f.Engine, build, f.MinSeconds, f.MedianSeconds, f.MeanSeconds, f.HarmonicTEPS, f.Spread.First, f.Spread.Third,
			f.Speed.Median, f.Speed.First, f.Speed.Third,
		})
	}
	return t
}

func (r *Result) plot() *plot.Plot {
	p := &plot.Plot{
		Title: "Mean time of a search in each round",
		X:     plot.Axis{Label: "round", Whole: true},
		Y:     plot.Axis{Label: "time", Unit: "s", Zero: true},
	}
	for _, f := range r.Engines {
		s := plot.Series{Name: f.Engine, Y: f.RoundSeconds}
		for i := range f.RoundSeconds {
			s.X = append(s.X, float64(i+1))
		}
		p.Series = append(p.Series, s)
	}
	return p
}
