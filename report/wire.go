package report

import (
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/page"
	"github.com/gohops/hops/internal/plot"
)

// wireSection shows what went between processes or devices.
func wireSection(results []Named) page.Section {
	s := page.Section{Title: "Messages and bytes"}
	for _, r := range results {
		p := profileOf(r.Searches)
		if !p.sends() {
			s.Text = append(s.Text, of("Nothing was sent over a wire or a bus", r, results)+".")
			continue
		}
		s.Plots = append(s.Plots, stepPlot(p, of("Bytes per level", r, results), plot.Axis{Label: "sent", Unit: "B"}, func(l levelProfile) float64 { return l.bytes }))
		if slices.ContainsFunc(p.levels, func(l levelProfile) bool { return l.messages > 0 }) {
			s.Plots = append(s.Plots, stepPlot(p, of("Messages per level", r, results), plot.Axis{Label: "sent", Unit: "messages"}, func(l levelProfile) float64 { return l.messages }))
		}
		if q := typical(r.Searches); q != nil && slices.ContainsFunc(q.Levels, hasExchange) {
			s.Tables = append(s.Tables, exchangeTable(q.Levels, r, results))
		}
	}
	return s
}

func hasExchange(l hops.Level) bool { return l.Exchange != nil }

// exchangeTable is what the ranks told each other in one search.
func exchangeTable(levels []hops.Level, r Named, all []Named) page.Table {
	t := page.Table{
		Title: of("Between the ranks, in the search of median time", r, all),
		Columns: page.Columns("level:#", "step", "forward:edges", "probes:edges", "claims:edges", "packets", "raw:B", "encoded:B",
			"computing:s", "sending:s", "waiting:s"),
		Note: "Added up over all ranks; times are means over all workers. Raw: at 8 bytes an edge; encoded: as it travelled.",
	}
	for i, l := range levels {
		e := exchange(l)
		t.Rows = append(t.Rows, []any{
			i, l.Step, e.Forward, e.Probes, e.Claims, e.Packets, e.Raw, e.Encoded, e.Computing, e.Sending, e.Waiting,
		})
	}
	return t
}
