package lab

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/internal/page/plot"
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
	e, err := l.explore(ctx, kronecker(l.Scale), max(l.Roots/2, 1))
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

// strategies makes the claims about the best step of a level. Times of the same search
// are compared with each other.
func (f *Finding) strategies(e exploration) {
	var firstDown, firstUp, mostDown, mostUp Sample
	for _, levels := range e.searches {
		most := levels[0]
		for _, l := range levels {
			if l.Front.Edges > most.Front.Edges {
				most = l
			}
		}
		firstDown, firstUp = append(firstDown, e.least(levels[0], true)), append(firstUp, e.least(levels[0], false))
		mostDown, mostUp = append(mostDown, e.least(most, true)), append(mostUp, e.least(most, false))
	}
	const none = "no strategy is the best on all levels"
	best := map[string]bool{}
	for d := range e.depth() {
		best[e.steps[e.best(d)].Name] = true
	}
	if len(best) == 0 {
		f.claim(lacking(none, notRun))
	} else {
		f.claim(exact(none, len(best) > 1, fmt.Sprintf("best somewhere: %v", slices.Sorted(maps.Keys(best)))))
		f.quote("best on the first level", "TC", e.steps[e.best(0)].Name)
	}
	f.claim(
		larger("top-down is best on the first level", firstUp, firstDown, 1),
		larger("bottom-up is best on the largest frontier", mostDown, mostUp, 1),
	)
}

// least returns the seconds of the fastest step that is, or is not, top-down.
func (e exploration) least(l level.Exploration, down bool) float64 {
	least := math.Inf(1)
	for i, s := range e.steps {
		if topDown(s) == down {
			least = min(least, l.Times[i].Seconds())
		}
	}
	return least
}

// depth returns the number of levels of the deepest search.
func (e exploration) depth() (n int) {
	for _, levels := range e.searches {
		n = max(n, len(levels))
	}
	return n
}

// at returns a figure of the levels of one depth.
func (e exploration) at(d int, figure func(level.Exploration) float64) (s Sample) {
	for _, levels := range e.searches {
		if d < len(levels) {
			s = append(s, figure(levels[d]))
		}
	}
	return s
}

// times returns the seconds of a step on the levels of one depth.
func (e exploration) times(d, step int) Sample {
	return e.at(d, func(l level.Exploration) float64 { return l.Times[step].Seconds() })
}

// best returns the step with the least median at a depth.
func (e exploration) best(d int) (best int) {
	for i := range e.steps {
		if e.times(d, i).Median() < e.times(d, best).Median() {
			best = i
		}
	}
	return best
}

// levels adds the times of every step on every level: medians over the roots, and the
// distance of the quartiles.
func (f *Finding) levels(e exploration) {
	columns, spreads := []string{"level:#", "searches:#", "frontier:vertices", "its rows:entries"}, []string{"level:#"}
	for _, s := range e.steps {
		columns, spreads = append(columns, s.Name+":s"), append(spreads, s.Name+":%")
	}
	t, apart := f.table("levels", append(columns, "best")...), f.table("spread", spreads...)
	t.Note, apart.Note = "Medians over the searches.", "Distance of the quartiles over the searches, in percent of the median."
	for d := range e.depth() {
		vertices := e.at(d, func(l level.Exploration) float64 { return float64(l.Front.Vertices) })
		edges := e.at(d, func(l level.Exploration) float64 { return float64(l.Front.Edges) })
		row, spread := []any{d, len(vertices), vertices, edges}, []any{d}
		for i := range e.steps {
			s := e.times(d, i)
			lo, hi := s.quartiles()
			row, spread = append(row, s), append(spread, 100*(hi-lo)/s.Median())
		}
		t.add(append(row, e.steps[e.best(d)].Name)...)
		apart.add(spread...)
	}
}

func (e exploration) plot() plot.Plot {
	p := plot.Plot{
		Title: "Time of every step on every level",
		X:     plot.Axis{Label: "level"},
		Y:     plot.Axis{Label: "time", Unit: "s", Scale: plot.Log10},
	}
	for i, s := range e.steps {
		series := plot.Series{Name: s.Name, Kind: plot.Bar}
		for d := range e.depth() {
			series.Y = append(series.Y, e.times(d, i).Median())
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
	f.regrets(e, l.NoModel)
	return f, nil
}

// regrets compares the time that policies lose on the same levels: the engine's model, the
// paper's, the rules of the other two codes, and fixed directions.
func (f *Finding) regrets(e exploration, noModel string) {
	policies := map[string]level.Policy{
		"always top-down": level.Fixed{Direction: level.TopDown}, "always bottom-up": level.Fixed{Direction: level.BottomUp},
		"Zhang's model": e.policies["zhang"], "Daga": e.policies["daga"], "Yasui": e.policies["yasui"],
	}
	names := []string{"the engine's", "Zhang's model", "Daga", "Yasui", "always top-down", "always bottom-up"}
	t := f.table("regret", "policy", "regret:%")
	lost, values := map[string]Sample{}, []Sample(nil)
	for _, name := range names {
		lost[name] = e.regret(policies[name], name == names[0])
		t.add(name, lost[name])
		values = append(values, lost[name])
	}
	f.plot(bars("Time lost against the best steps in hindsight", "policy", "regret", "%", names, values...))
	ours := notRun
	if s := lost["Zhang's model"]; len(s) > 0 {
		ours = s.String() + " %"
	}
	f.quote("regret of the model", "no figure in the text", ours)
	f.Notes = append(f.Notes, "The paper compares with the codes of Daga and Yasui (zhang/fig4), not with their rules on its own steps: their regret is shown and not judged.")
	f.unless(noModel,
		larger("top-down alone takes longer than choosing level by level", whole(lost["always top-down"]), whole(lost["the engine's"]), 1),
		larger("bottom-up alone takes longer than choosing level by level", whole(lost["always bottom-up"]), whole(lost["the engine's"]), 1),
	)
}

// whole returns times relative to the best from what is lost, in percent: that may be 0.
func whole(lost Sample) (times Sample) {
	for _, x := range lost {
		times = append(times, 1+x/100)
	}
	return times
}

// regret returns what a policy, or the engine itself, loses in every search, in percent.
func (e exploration) regret(p level.Policy, own bool) (s Sample) {
	for _, levels := range e.searches {
		switch {
		case p != nil:
			s = append(s, 100*learn.Regret(learn.Choose(levels, p, e.steps)))
		case own:
			s = append(s, 100*learn.Regret(levels))
		}
	}
	return s
}

// explorers are engines that can be explored, the best for the purpose first.
var explorers = []string{"adaptive", "cpu"}

// onDevice is what findings about a device must say.
const onDevice = "Where there is no GPU, the device is whatever OpenCL offers, which may be the CPU: its steps then show that they work, not how fast a GPU is."

// An exploration has the time of every step on every level of searches.
type exploration struct {
	setting  string
	steps    []level.Step
	policies map[string]level.Policy // that levels can be judged by, by name
	searches [][]level.Exploration   // the levels of each
	missing  []string
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
	if p, ok := x.(interface {
		Policies() map[string]level.Policy
	}); ok {
		e.policies = p.Policies()
	}
	for _, root := range roots {
		levels, err := x.Explore(ctx, root, runs)
		if err != nil {
			return err
		}
		e.searches = append(e.searches, levels)
	}
	return nil
}

func (e exploration) finding() *Finding {
	return &Finding{Basis: []Basis{Measured}, Setting: e.setting, Notes: []string{onDevice}, Missing: e.missing}
}

func topDown(s level.Step) bool { return s.Direction == level.TopDown }
