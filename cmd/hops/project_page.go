package main

import (
	"fmt"

	"github.com/gohops/hops/internal/page"
	"github.com/gohops/hops/internal/plot"
	"github.com/gohops/hops/projection"
)

// projectionPage shows a projection, and how much to believe it.
func projectionPage(m *projection.Model, machine projection.Published, p projection.Projection, here, papers []projection.Check) *page.Page {
	return &page.Page{
		Title:    "Projection",
		Subtitle: fmt.Sprintf("Scale %d on %d nodes: nothing on this page was measured at that size", p.Scale, p.Nodes),
		Sections: []page.Section{
			projectionSection(m, machine, p),
			checkSection("Checked here", "Fitted without what is compared: the largest scale, and all but one number of ranks.", here),
			checkSection("Checked against the papers", "The speed of a node of each machine is taken from one rate in its paper; other figures of the text are projected.", papers),
		},
	}
}

func projectionSection(m *projection.Model, machine projection.Published, p projection.Projection) page.Section {
	n := machine.Network
	facts := []page.Fact{
		{Name: "projection", Value: fmt.Sprintf("%s, a search takes %s", plot.Value(p.TEPS, "TEPS"), plot.Value(p.Time.Seconds(), "s"))},
		{Name: "machine", Value: fmt.Sprintf("%s; a node is %.3g times as fast as this machine", machine.Name, max(machine.Speed, 1e-9))},
		{Name: "network", Value: fmt.Sprintf("%s, %s a link, latency %s; %s", n.Topology, plot.Value(n.Bandwidth, "B/s"), plot.Value(n.Latency, "s"), machine.Exchange)},
		{Name: "learned from", Value: fmt.Sprintf("searches at scales %v on this machine", m.Scales)},
	}
	if machine.Assumed != "" {
		facts = append(facts, page.Fact{Name: "assumed", Value: machine.Assumed})
	}
	t := page.Table{
		Title:   "projection by level",
		Columns: page.Columns("level:#", "step", "frontier:vertices", "examined:edges", "found:vertices", "sent:B", "computing:s", "network:s", "collectives:s", "time:s"),
		Note:    "All figures are projections. Computing and network overlap unless exchanges are in bulk.",
	}
	series := []plot.Series{{Name: "computing", Kind: plot.Bar}, {Name: "network", Kind: plot.Bar}, {Name: "collectives", Kind: plot.Bar}}
	var labels []string
	for i, l := range p.Levels {
		t.Rows = append(t.Rows, []any{float64(i), l.Step, l.Frontier, l.Examined, l.Found, l.Bytes, l.Compute, l.Network, l.Collect, l.Time})
		labels = append(labels, fmt.Sprint(i))
		for j, x := range []float64{l.Compute.Seconds(), l.Network.Seconds(), l.Collect.Seconds()} {
			series[j].Y = append(series[j].Y, x)
		}
	}
	return page.Section{
		Title: "Projection by level", Facts: facts, Tables: []page.Table{t},
		Plots: []*plot.Plot{{
			Title: "Projected time of each level", Note: "projection",
			X: plot.Axis{Label: "level", Categories: labels}, Y: plot.Axis{Label: "time, projected", Unit: "s", Scale: plot.Log10}, Series: series,
		}},
	}
}

func checkSection(title, text string, checks []projection.Check) page.Section {
	t := page.Table{Title: title, Columns: page.Columns("what", "projected", "known", "error:%", "known from")}
	for _, c := range checks {
		t.Rows = append(t.Rows, []any{c.What, page.Quantity{Value: c.Projected, Unit: c.Unit}, page.Quantity{Value: c.Known, Unit: c.Unit}, 100 * c.Error(), c.Source})
	}
	return page.Section{Title: title, Text: []string{text}, Tables: []page.Table{t}}
}
