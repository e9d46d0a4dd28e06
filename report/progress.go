package report

import (
	"fmt"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/human"
	"github.com/gohops/hops/internal/page"
)

// A Section is a part of a page. Its HTML method writes the section as an element, and
// returns the element's identifier.
type Section = page.Section

// Progress is the part of a page that can be shown before all of it is known: the
// score, the levels and what was sent.
func Progress(r *graph500.Result) []Section { return progress([]Named{{r.Engine, r}}) }

// Running is Progress of a run that goes on, judged by its latest searches, with the
// last of them level by level. There is nothing to see before the first search.
func Running(r graph500.Result) []Section {
	summary, err := graph500.Summarize(r.Searches, !r.Config.SkipValidation)
	if err != nil || len(r.Searches) == 0 {
		return nil
	}
	r.Summary = summary
	all := progress([]Named{{r.Engine, &r}})
	all[0].Verdict = &page.Verdict{Tone: page.Neutral, Text: fmt.Sprintf("So far %s ± %s, the harmonic mean of the last %d searches.",
		human.Count(summary.TEPS.HarmonicMean)+"TEPS", human.Count(summary.TEPS.HarmonicDeviation), len(r.Searches))}
	return append(all, searchSection("The last search", r.Searches[len(r.Searches)-1]))
}

func progress(results []Named) []page.Section {
	return []page.Section{scoreSection(results), levelSection(results), wireSection(results)}
}

func searchSection(title string, q graph500.Search) page.Section {
	t := page.Table{
		Columns: page.Columns("level:#", "step", "frontier:vertices", "examined:edges", "found:vertices", "time:s", "messages", "sent:B"),
	}
	for i, l := range q.Levels {
		t.Rows = append(t.Rows, []any{i, l.Step, l.Frontier, l.Examined, l.Found, l.Time, l.Messages, l.Bytes})
	}
	return page.Section{Title: title, Tables: []page.Table{t}, Text: []string{
		fmt.Sprintf("From root %d in %s: %s in the tree, %s.", q.Root, human.Duration(q.Time),
			human.With(float64(q.Vertices), "vertices"), human.Count(q.TEPS())+"TEPS"),
	}}
}
