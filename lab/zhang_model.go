package lab

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/plot"
	"github.com/gohops/hops/learn"
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

func zhangTable5(ctx context.Context, l *Lab) (*Finding, error) {
	e, err := l.explore(ctx, kronecker(l.Scale), 1)
	if err != nil {
		return nil, err
	}
	f := e.finding()
	f.levels(e)
	f.paperLevels()
	f.plot(e.plot())
	f.strategies(e)
	return f, nil
}

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
		if l.Front.Edges > most.Front.Edges {
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

func (e exploration) best(l learn.Exploration) level.Step { return e.steps[fastest(l.Times)] }

func fastest(times []time.Duration) int { return slices.Index(times, slices.Min(times)) }

func (f *Finding) levels(e exploration) {
	columns := []string{"level:#", "frontier:vertices", "its rows:entries"}
	for _, s := range e.steps {
		columns = append(columns, s.Name+":s")
	}
	t := f.table("levels", append(columns, "chosen", "best")...)
	for d, l := range e.levels {
		row := []any{d, l.Front.Vertices, l.Front.Edges}
		for _, x := range l.Times {
			row = append(row, x.Seconds())
		}
		t.add(append(row, e.steps[l.Chosen].Name, e.best(l).Name)...)
	}
}

func (e exploration) plot() plot.Plot {
	p := plot.Plot{
		Title: "Time of every step on every level of one search",
		X:     plot.Axis{Label: "level"},
		Y:     plot.Axis{Label: "time", Unit: "s", Scale: plot.Log10},
	}
	for i, s := range e.steps {
		series := plot.Series{Name: s.Name, Kind: plot.Bar}
		for _, l := range e.levels {
			series.Y = append(series.Y, l.Times[i].Seconds())
		}
		p.Series = append(p.Series, series)
	}
	return p
}

func (f *Finding) paperLevels() {
	t := f.table("paper", "level:#", "frontier:vertices", "TC:s", "TG:s", "BC:s", "BG:s", "BGC:s")
	for d, x := range zhangLevels {
		t.add(d+1, x[0], x[1], x[2], x[3], x[4], x[5])
	}
}

func zhangModel(ctx context.Context, l *Lab) (*Finding, error) {
	e, err := l.explore(ctx, kronecker(l.Scale), max(l.Roots/2, 1))
	if err != nil {
		return nil, err
	}
	f := e.finding()
	f.regrets(e)
	return f, nil
}

// regrets compares the time lost by the engine's policy with that of fixed directions
// and of the alpha–beta rule, on the same levels.
func (f *Finding) regrets(e exploration) {
	t := f.table("regret", "policy", "regret:%")
	names, values := []string{"the engine's", "alpha–beta", "always top-down", "always bottom-up"}, make([]float64, 4)
	if len(e.all) > 0 {
		values[0] = 100 * learn.Regret(e.all)
		for i, other := range []level.Policy{level.RuleOfThumb, level.Fixed{Direction: level.TopDown}, level.Fixed{Direction: level.BottomUp}} {
			values[i+1] = 100 * learn.Regret(learn.Choose(e.all, other, e.steps))
		}
	}
	for i, name := range names {
		t.add(name, values[i])
	}
	f.plot(plot.Plot{
		Title: "Time lost against the best steps in hindsight",
		X:     plot.Axis{Label: "policy", Categories: names},
		Y:     plot.Axis{Label: "regret", Unit: "%"}, Series: []plot.Series{{Kind: plot.Bar, Y: values}},
	})
	f.quote("regret of the model", "no figure in the text", fmt.Sprintf("%.1f %%", values[0]))
	if len(e.all) == 0 {
		f.claim(lacking("choosing level by level loses less than either direction alone", notRun))
		return
	}
	f.claim(exact("choosing level by level loses less than either direction alone",
		values[0] < values[2] && values[0] < values[3],
		fmt.Sprintf("%.1f %% against %.1f %% and %.1f %%", values[0], values[2], values[3])))
}

// explorers are engines that can be explored, the best for the purpose first.
var explorers = []string{"adaptive", "cpu"}

// onDevice is what findings about a device must say.
const onDevice = "Where there is no GPU, the device is whatever OpenCL offers, which may be the CPU: its steps then show that they work, not how fast a GPU is."

// An exploration has the time of every step on every level of searches.
type exploration struct {
	setting string
	steps   []level.Step
	levels  []learn.Exploration // of the first root
	all     []learn.Exploration // of all roots
	missing []string
}

// explore times every step on every level, of so many searches, with the first
// engine that can.
func (l *Lab) explore(ctx context.Context, g graph, searches int) (e exploration, err error) {
	src, roots, err := l.inputs(ctx, g)
	if err != nil {
		return e, err
	}
	roots = roots[:min(searches, len(roots))]
	for _, spec := range explorers {
		graph, missing, err := l.open(ctx, spec, src)
		if err != nil {
			return e, err
		}
		if missing != "" {
			e.missing = append(e.missing, missing)
			continue
		}
		if x, ok := graph.(learn.Explorer); ok {
			err = e.visit(ctx, x, roots, l.Runs)
			e.setting = fmt.Sprintf("%s; %s; %d roots, every step of every level the least of %d runs", g.name, spec, len(roots), l.Runs)
			_ = graph.Close()
			return e, err
		}
		e.missing = append(e.missing, spec+": cannot time single levels")
		_ = graph.Close()
	}
	return e, nil
}

func (e *exploration) visit(ctx context.Context, x learn.Explorer, roots []hops.Vertex, runs int) error {
	e.steps = x.Steps()
	for i, root := range roots {
		levels, err := x.Explore(ctx, root, runs)
		if err != nil {
			return err
		}
		e.all = append(e.all, levels...)
		if i == 0 {
			e.levels = levels
		}
	}
	return nil
}

func (e exploration) finding() *Finding {
	return &Finding{Basis: []Basis{Measured}, Setting: e.setting, Notes: []string{onDevice}, Missing: e.missing}
}

func topDown(s level.Step) bool { return s.Direction == level.TopDown }
