package lab

import (
	"fmt"
	"strings"
	"time"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/human"
	"github.com/gohops/hops/internal/page"
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
	t := page.Table{Title: "all experiments", Columns: page.Columns("experiment", "verdict", "what it shows", "basis", "time:s")}
	for _, f := range findings {
		v := f.Verdict()
		counts[v]++
		total += f.Took
		t.Rows = append(t.Rows, []any{f.ID, string(v), f.Title, f.basis(), f.Took})
	}
	return page.Section{
		Title: "Overview",
		Text: []string{
			"Figures and tables of five papers on breadth-first search, repeated at the size of this machine. A verdict is computed from the figures beside it: it is the weakest of the claims of its experiment.",
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
	add("basis", f.basis())
	add("setting", f.Setting)
	add("missing", f.Missing...)
	add("note", f.Notes...)
	claims := page.Table{Title: f.ID + " claims", Columns: page.Columns("claim", "verdict", "because")}
	for _, c := range f.Claims {
		claims.Rows = append(claims.Rows, []any{c.Text, string(c.Outcome), c.Why})
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

func (f *Finding) basis() string {
	var words []string
	for _, b := range f.Basis {
		words = append(words, string(b))
	}
	return strings.Join(words, "; ")
}

// shown returns the outcome for a page, with its colour.
func (o Outcome) shown() *page.Verdict {
	tone := map[Outcome]page.Tone{Holds: page.Good, Fails: page.Bad, Unclear: page.Neutral}[o]
	return &page.Verdict{Tone: tone, Text: string(o)}
}
