package lab

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gohops/hops/internal/plot"
	"github.com/gohops/hops/level"
)

// zhangLevels is the paper's table 5, at scale 26. For each level: vertices of the
// frontier, then the seconds of the strategies TC, TG, BC, BG and BGC.
var zhangLevels = [][]float64{
	{1, 0.02, 0.03, 4.37, 9.42, 9.44},
	{1, 0.02, 0.05, 4.34, 8.53, 8.47},
	{5198, 1.81, 3.44, 3.16, 0.29, 0.27},
	{55391290, 9.76, 17.35, 2.66, 0.08, 0.07},
	{126205388, 0.30, 0.97, 2.84, 0.06, 0.06},
	{414288, 0.03, 0.08, 2.82, 0.05, 0.05},
	{1132, 0.02, 0.02, 2.83, 0.05, 0.05},
	{4, 0.02, 0.02, 0.03, 0.05, 0.05},
}

var zhangTable5 = Experiment{
	ID:    "zhang/table5",
	Title: "Time of every strategy on every level",
	Trend: "No strategy suits all levels: top-down is best while the frontier is small, bottom-up where it is large.",
	Needs: "a processor with an integrated GPU",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		e, err := l.explore(ctx, kronecker(l.Scale), 1)
		if err != nil {
			return nil, err
		}
		f := &Finding{Basis: []Basis{Measured}, Setting: e.setting, Notes: []string{onDevice}}
		f.lack(e.missing...)
		f.table(e.table())
		f.table(paperLevels())
		f.plot(e.plot())
		f.strategies(e)
		return f, nil
	},
}

// strategies makes the claims about which step was best on which level.
func (f *Finding) strategies(e exploration) {
	const none, first, largest = "no strategy is the best on all levels", "top-down is best on the first level", "bottom-up is best on the largest frontier"
	if len(e.levels) == 0 {
		f.claim(lacking(none, notRun), lacking(first, notRun), lacking(largest, notRun))
		return
	}
	best := map[string]bool{}
	most := e.levels[0]
	for _, l := range e.levels {
		best[e.best(l).Name] = true
		if l.edges > most.edges {
			most = l
		}
	}
	f.claim(
		exact(none, len(best) > 1, fmt.Sprintf("best somewhere: %v", slices.Sorted(maps.Keys(best)))),
		exact(first, topDown(e.best(e.levels[0])), e.best(e.levels[0]).Name),
		exact(largest, !topDown(e.best(most)), e.best(most).Name),
	)
	f.quote("best on the first level, largest frontier", "TC, BGC", e.best(e.levels[0]).Name+", "+e.best(most).Name)
}

// best returns the step that took the least time on a level.
func (e exploration) best(l exploredLevel) level.Step { return e.steps[fastest(l.times)] }

func fastest(times []time.Duration) int { return slices.Index(times, slices.Min(times)) }

func (e exploration) table() table {
	columns := []string{"level:#", "frontier:vertices", "its rows:edges"}
	for _, s := range e.steps {
		columns = append(columns, s.Name+":s")
	}
	t := newTable("levels", append(columns, "chosen", "best")...)
	for d, l := range e.levels {
		row := []any{d, l.frontier, l.edges}
		for _, x := range l.times {
			row = append(row, x.Seconds())
		}
		t.add(append(row, e.steps[l.chosen].Name, e.best(l).Name)...)
	}
	return t
}

func (e exploration) plot() plot.Plot {
	p := plot.Plot{
		Title: "Time of every step on every level of one search",
		X:     plot.Axis{Label: "level", Categories: levelNames(len(e.levels))},
		Y:     plot.Axis{Label: "time", Unit: "s", Scale: plot.Log10},
	}
	for i, s := range e.steps {
		series := plot.Series{Name: s.Name, Kind: plot.Bar}
		for _, l := range e.levels {
			series.Y = append(series.Y, l.times[i].Seconds())
		}
		p.Series = append(p.Series, series)
	}
	return p
}

func paperLevels() table {
	t := newTable("paper", "level:#", "frontier:vertices", "TC:s", "TG:s", "BC:s", "BG:s", "BGC:s")
	for d, row := range zhangLevels {
		t.add(d+1, row[0], row[1], row[2], row[3], row[4], row[5])
	}
	return t
}
