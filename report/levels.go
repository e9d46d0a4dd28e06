package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/page/page"
	"github.com/gohops/hops/internal/page/plot"
)

func levelSection(results []Named) page.Section {
	s := page.Section{Title: "Level by level", Text: []string{
		"Figures are medians over all searches that got to a level. A level is coloured by the step that most searches took there, or where time goes between ranks or devices, by what it was spent on.",
	}}
	kinds := make([][]*plot.Plot, 3) // of one kind after the other, so that results stand side by side
	for _, r := range results {
		p := profileOf(r.Searches)
		if len(p.levels) == 0 {
			s.Text = append(s.Text, of("There are no levels to show", r, results)+".")
			continue
		}
		for i, q := range []*plot.Plot{
			timePlot(p, r, results),
			stepPlot(p, of("Frontier", r, results), plot.Axis{Label: "frontier", Unit: "vertices", Scale: plot.Log10}, func(l levelProfile) float64 { return l.frontier }),
			stepPlot(p, of("Entries examined", r, results), plot.Axis{Label: "examined", Unit: "entries", Scale: plot.Log10}, func(l levelProfile) float64 { return l.examined }),
		} {
			kinds[i] = append(kinds[i], q)
		}
		s.Tables = append(s.Tables, levelTable(p, r, results))
	}
	s.Plots = slices.Concat(kinds...)
	return s
}

// timePlot stacks the parts of each level's time, where the trace tells them
// apart, and colours levels by their step otherwise. The time of a search outside
// its levels comes last.
func timePlot(p profile, r Named, all []Named) *plot.Plot {
	title, axis := of("Time per level", r, all), plot.Axis{Label: levelTimeName(r.Result), Unit: "s"}
	var q *plot.Plot
	if p.hasPhases() {
		q = phasePlot(p, title, axis)
	} else {
		q = stepPlot(p, title, axis, func(l levelProfile) float64 { return l.seconds })
	}
	if p.rest > 0 {
		q.X.Categories = append(q.X.Categories, "rest")
		rest := append(slices.Repeat([]float64{math.NaN()}, len(p.levels)), p.rest)
		q.Series = append(q.Series, plot.Series{Name: "outside levels", Kind: plot.Stack, Y: rest, Style: 7})
	}
	return q
}

func phasePlot(p profile, title string, y plot.Axis) *plot.Plot {
	q := &plot.Plot{Title: title, X: plot.Axis{Label: "level"}, Y: y}
	computing := plot.Series{Name: "computing", Kind: plot.Stack}
	parts := make([]plot.Series, len(phases))
	for i := range phases {
		parts[i] = plot.Series{Name: phases[i].name, Kind: plot.Stack}
	}
	for i, l := range p.levels {
		q.X.Categories = append(q.X.Categories, strconv.Itoa(i))
		left := l.seconds
		for j, s := range l.phases {
			s = min(s, left) // medians of parts may exceed the median of the whole
			left -= s
			parts[j].Y = append(parts[j].Y, s)
		}
		computing.Y = append(computing.Y, left)
	}
	q.Series = []plot.Series{computing}
	for _, s := range parts {
		if slices.Max(s.Y) > 0 {
			q.Series = append(q.Series, s)
		}
	}
	return q
}

// stepPlot is a bar for each level in the look of its step.
func stepPlot(p profile, title string, y plot.Axis, of func(levelProfile) float64) *plot.Plot {
	q := &plot.Plot{Title: title, X: plot.Axis{Label: "level"}, Y: y}
	for _, step := range p.steps() {
		s := plot.Series{Name: step, Kind: plot.Stack, Style: styleOf(step, p.steps())}
		for _, l := range p.levels {
			v := math.NaN()
			if l.step() == step {
				v = of(l)
			}
			s.Y = append(s.Y, v)
		}
		q.Series = append(q.Series, s)
	}
	for i := range p.levels {
		q.X.Categories = append(q.X.Categories, strconv.Itoa(i))
	}
	return q
}

// styleOf gives a step the same look in all plots, the two classic ones even in
// all reports. The last style is for what is no step.
func styleOf(step string, all []string) int {
	switch step {
	case "top-down":
		return 1
	case "bottom-up":
		return 2
	}
	return 3 + slices.Index(all, step)%4
}

func levelTable(p profile, r Named, all []Named) page.Table {
	t := page.Table{
		Title:   of("Levels", r, all),
		Columns: page.Columns("level:#", "step", "searches:#", "frontier:vertices", "examined:entries", "found:vertices", levelTimeName(r.Result)+":s", "share:%"),
	}
	wire := p.sends()
	if wire {
		t.Columns = append(t.Columns, page.Columns("messages", "sent:B")...)
	}
	total := p.rest
	for _, l := range p.levels {
		total += l.seconds
	}
	for i, l := range p.levels {
		line := []any{i, l.choice(), l.searches, l.frontier, l.examined, l.found, l.seconds, 100 * l.seconds / max(total, 1e-12)}
		if wire {
			line = append(line, l.messages, l.bytes)
		}
		t.Rows = append(t.Rows, line)
	}
	if p.rest > 0 {
		line := make([]any, len(t.Columns))
		line[0], line[1], line[6], line[7] = "rest", "outside levels", p.rest, 100*p.rest/max(total, 1e-12)
		t.Rows = append(t.Rows, line)
	}
	return t
}

// choice names the step of a level, or how often each was taken.
func (l levelProfile) choice() string {
	names := l.byFrequency()
	if len(names) == 1 {
		return names[0]
	}
	for i, n := range names {
		names[i] = fmt.Sprintf("%s %d×", n, l.steps[n])
	}
	return strings.Join(names, ", ")
}

func wireSection(results []Named) page.Section {
	s := page.Section{Title: "Messages and bytes"}
	for _, r := range results {
		p := profileOf(r.Searches)
		q := typical(r.Searches)
		devices := q != nil && slices.ContainsFunc(q.Levels, betweenDevices)
		if devices {
			s.Tables = append(s.Tables, deviceTable(q.Levels, r, results))
		}
		if !p.sends() && !devices {
			s.Text = append(s.Text, of("Nothing was sent over a wire or a bus", r, results)+".")
		}
		if !p.sends() {
			continue
		}
		s.Plots = append(s.Plots, stepPlot(p, of("Bytes per level", r, results), plot.Axis{Label: "sent", Unit: "B"}, func(l levelProfile) float64 { return l.bytes }))
		if slices.ContainsFunc(p.levels, func(l levelProfile) bool { return l.messages > 0 }) {
			s.Plots = append(s.Plots, stepPlot(p, of("Messages per level", r, results), plot.Axis{Label: "sent", Unit: "messages"}, func(l levelProfile) float64 { return l.messages }))
		}
		if q != nil && slices.ContainsFunc(q.Levels, func(l hops.Level) bool { return l.Exchange != nil }) {
			s.Tables = append(s.Tables, exchangeTable(q.Levels, r, results), balanceTable(q.Levels, r, results))
		}
	}
	return s
}

// betweenDevices tells whether bitmaps or parents went to a device or came from one.
func betweenDevices(l hops.Level) bool {
	return exchange(l).BusBytes > 0 || exchange(l).DeviceBytes > 0
}

// deviceTable is what crossed the bus, and what devices read of each other, in one search.
func deviceTable(levels []hops.Level, r Named, all []Named) page.Table {
	t := page.Table{
		Title:   of("Between the devices, in the search of median time", r, all),
		Columns: page.Columns("level:#", "step", "from device to device:B", "between devices and hosts:B"),
		Note:    "Bitmaps and parents, added up over all ranks or parts.",
	}
	for i, l := range levels {
		e := exchange(l)
		t.Rows = append(t.Rows, []any{i, l.Step, e.DeviceBytes, e.BusBytes})
	}
	return t
}

// exchangeTable is what the ranks told each other in one search.
func exchangeTable(levels []hops.Level, r Named, all []Named) page.Table {
	t := page.Table{
		Title: of("Between the ranks, in the search of median time", r, all),
		Columns: page.Columns("level:#", "step", "forward:edges", "probes", "claims", "packets", "raw:B", "encoded:B",
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

// balanceTable is how unequal the ranks were in one search.
func balanceTable(levels []hops.Level, r Named, all []Named) page.Table {
	t := page.Table{
		Title: of("Over the ranks, in the search of median time", r, all),
		Columns: page.Columns("level:#", "step", "least examined:entries", "mean:entries", "most:entries", "least sent:B", "mean:B", "most:B",
			"least waiting:s", "mean:s", "most:s"),
		Note: "Of one rank each. Waiting is the mean over its threads, for packets and to gather the frontier.",
	}
	for i, l := range levels {
		line := []any{i, l.Step}
		for _, s := range []hops.Spread{exchange(l).Work, exchange(l).Sent} {
			line = append(line, s.Least, s.Mean, s.Most)
		}
		waits := exchange(l).Waits
		t.Rows = append(t.Rows, append(line, time.Duration(waits.Least), time.Duration(waits.Mean), time.Duration(waits.Most)))
	}
	return t
}
