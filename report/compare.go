package report

import (
	"fmt"
	"math"

	"github.com/aclements/go-moremath/stats"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/page/page"
	"github.com/gohops/hops/internal/page/plot"
)

// significance is the probability of chance up to which a difference is called
// one, the usual level.
const significance = 0.05

// A difference is what a result has over the first.
type difference struct {
	ratio float64 // of what is compared
	p     float64 // that it is chance
}

// faster compares rates: the score, and all searches.
func faster(base, r *graph500.Result) (difference, bool) {
	if base.Summary == nil || r.Summary == nil || base.Summary.TEPS.HarmonicMean == 0 {
		return difference{}, false
	}
	return difference{r.Summary.TEPS.HarmonicMean / base.Summary.TEPS.HarmonicMean, chance(rateSample(r), rateSample(base))}, true
}

// chance is the probability that two samples of one distribution differ at least as much,
// by the test of Mann and Whitney, which assumes no normal distribution: times of searches
// have none. Samples that are empty, or of one value only, show no difference.
func chance(a, b []float64) float64 {
	test, err := stats.MannWhitneyUTest(a, b, stats.LocationDiffers)
	if err != nil {
		return 1
	}
	return test.P
}

func comparison(results []Named) page.Section {
	base := results[0]
	s := page.Section{
		Title: "Comparison",
		Text: []string{
			fmt.Sprintf("Everything is compared with %s. A difference counts if chance alone would show one like it in fewer than %.0f of 100 cases (Mann–Whitney U over all searches).", base.Name, 100*significance),
			"Searches of one run share its luck with the machine: to trust a small difference, repeat the runs in turn.",
		},
	}
	for _, r := range results[1:] {
		for _, why := range unlike(base.Result, r.Result) {
			s.Text = append(s.Text, fmt.Sprintf("Note: %s and %s differ in %s.", base.Name, r.Name, why))
		}
	}
	t := page.Table{
		Title:   "Scores",
		Columns: page.Columns("result", "engine", "score:TEPS", "±:TEPS", "difference", "chance (p)", "verdict", "construction:s", "process:B"),
	}
	for i, r := range results {
		t.Rows = append(t.Rows, scoreRow(base, r, i == 0))
	}
	s.Tables = append(s.Tables, t)
	s.Plots = append(s.Plots, scorePlot(results), levelTimes(results))
	return s
}

func scoreRow(base, r Named, first bool) []any {
	row := []any{r.Name, r.Engine, nil, nil, nil, nil, "no score", r.Construction, r.Memory.Process}
	if r.Summary == nil {
		return row
	}
	row[2], row[3], row[6] = r.Summary.TEPS.HarmonicMean, r.Summary.TEPS.HarmonicDeviation, "the base"
	if d, ok := faster(base.Result, r.Result); ok && !first {
		row[4], row[5], row[6] = percent(d.ratio), d.chance(), d.verdict()
	}
	return row
}

func (d difference) verdict() string {
	switch {
	case d.p >= significance:
		return "within the noise"
	case d.ratio > 1:
		return "faster"
	}
	return "slower"
}

func (d difference) chance() string {
	if d.p < 0.001 {
		return "< 0.001"
	}
	return fmt.Sprintf("%.3f", d.p)
}

func percent(ratio float64) string { return fmt.Sprintf("%+.1f %%", 100*(ratio-1)) }

// unlike tells in what two results differ so that they do not compare.
func unlike(a, b *graph500.Result) []string {
	var why []string
	if a.Config.Scale != b.Config.Scale || a.Config.EdgeFactor != b.Config.EdgeFactor {
		why = append(why, "the size of the graph")
	} else if a.Config.Seeds != nil && b.Config.Seeds != nil && *a.Config.Seeds != *b.Config.Seeds {
		why = append(why, "the seeds of the graph")
	}
	if timeName(a) != timeName(b) {
		why = append(why, "the clock: times of a model are not those of a machine")
	}
	if a.Host.Model != b.Host.Model || len(a.Host.CPUs) != len(b.Host.CPUs) {
		why = append(why, "the machine")
	}
	return why
}

func scorePlot(results []Named) *plot.Plot {
	s := plot.Series{Kind: plot.Bar}
	p := &plot.Plot{
		Title: "Score", X: plot.Axis{Label: "result"}, Y: plot.Axis{Label: "harmonic mean", Unit: "TEPS"},
		Note: "Whiskers: deviation of the harmonic mean.",
	}
	for _, r := range results {
		p.X.Categories = append(p.X.Categories, r.Name)
		score, spread := math.NaN(), math.NaN()
		if r.Summary != nil {
			score, spread = r.Summary.TEPS.HarmonicMean, r.Summary.TEPS.HarmonicDeviation
		}
		s.Y, s.Low, s.High = append(s.Y, score), append(s.Low, score-spread), append(s.High, score+spread)
	}
	p.Series = []plot.Series{s}
	return p
}

func levelTimes(results []Named) *plot.Plot {
	p := &plot.Plot{Title: "Time per level", X: plot.Axis{Label: "level"}, Y: plot.Axis{Label: "time", Unit: "s"}}
	for _, r := range results {
		s := plot.Series{Name: r.Name, Kind: plot.Bar}
		for _, l := range profileOf(r.Searches).levels {
			s.Y = append(s.Y, l.seconds)
		}
		p.Series = append(p.Series, s)
	}
	return p
}
