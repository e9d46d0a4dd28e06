package report

import (
	"math"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/page/page"
	"github.com/gohops/hops/internal/page/plot"
)

func memorySection(results []Named) page.Section {
	s := page.Section{Title: "Memory"}
	for _, r := range results {
		m := r.Memory
		tuples := m.Tuples
		if !m.KeepTuples {
			tuples = 0
		}
		s.Plots = append(s.Plots, &plot.Plot{
			Title: of("Memory planned and used", r, results),
			X:     plot.Axis{Label: "stage", Categories: []string{"planned", "graph while built", "graph finished", "process at most"}},
			Y:     plot.Axis{Label: "memory", Unit: "B"},
			Series: []plot.Series{
				{Name: "graph", Kind: plot.Stack, Y: inBytes(m.Graph, m.BuildPeak, m.Finished)},
				{Name: "tree", Kind: plot.Stack, Y: inBytes(m.Tree)},
				{Name: "validation", Kind: plot.Stack, Y: inBytes(m.Check)},
				{Name: "edge list", Kind: plot.Stack, Y: inBytes(tuples)},
				{Name: "process", Kind: plot.Stack, Y: inBytes(0, 0, 0, m.Process), Style: 7},
			},
		})
		s.Tables = append(s.Tables, memoryTable(r, results, m))
	}
	return s
}

// inBytes are sizes for a plot; 0 is one that is unknown or has no place there.
func inBytes(sizes ...int64) []float64 {
	y := make([]float64, len(sizes))
	for i, n := range sizes {
		if y[i] = float64(n); n == 0 {
			y[i] = math.NaN()
		}
	}
	return y
}

func memoryTable(r Named, all []Named, m graph500.Memory) page.Table {
	t := page.Table{Title: of("Memory", r, all), Columns: page.Columns("what", "size:B", "when")}
	add := func(what string, size int64, when string) {
		if size > 0 {
			t.Rows = append(t.Rows, []any{what, size, when})
		}
	}
	add("tree", m.Tree, "planned")
	add("validation", m.Check, "planned")
	add("graph at its peak", m.Graph, "planned")
	if m.KeepTuples {
		add("edge list, kept in memory", m.Tuples, "planned")
	} else {
		add("edge list, had it been kept", m.Tuples, "not used")
	}
	add("available", m.Available, "at the start")
	add("graph while it was built", m.BuildPeak, "measured")
	add("graph when it was finished", m.Finished, "measured")
	add("process at its largest", m.Process, "measured")
	return t
}

func energySection(results []Named) page.Section {
	s := page.Section{Title: "Energy"}
	t := page.Table{
		Title:   "Energy of a search",
		Columns: page.Columns("result", "energy:J", "power:W", "efficiency:TEPS/W", "searches:#", "meter"),
		Note:    "Measured after the score, by searching from the same roots again: meters are slower than searches.",
	}
	for _, r := range results {
		switch e := r.Energy; {
		case e == nil:
			s.Text = append(s.Text, of("Unavailable: no meter was read", r, results)+".")
		case e.Unavailable != "" || e.Joules <= 0 || e.Searches <= 0 || e.Time <= 0:
			s.Text = append(s.Text, of("Unavailable: "+known(e.Unavailable), r, results)+".")
		default:
			if e.Unmetered != "" {
				s.Text = append(s.Text, of("Energy and power are at least, and efficiency is at most, what the table says, without "+e.Unmetered, r, results)+".")
			}
			t.Rows = append(t.Rows, []any{r.Name, e.PerSearch(), e.Watts(), e.TEPSPerWatt(), e.Searches, metered(e)})
		}
	}
	if len(t.Rows) > 0 {
		s.Tables = append(s.Tables, t)
	}
	return s
}
