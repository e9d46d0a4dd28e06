package lab

import (
	"context"
	"slices"

	"github.com/gohops/hops/internal/plot"
)

var checconiFig13 = Experiment{
	ID:    "checconi/fig13",
	Title: "Time per phase and level",
	Trend: "The central levels take most of the time, and scanning edges takes most of theirs, because communication overlaps with it.",
	Needs: "a cluster",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		g := kronecker(l.Scale)
		runs, err := l.compare(ctx, g, clusterOf(2, 2, "exchange=probe"))
		if err != nil {
			return nil, err
		}
		r := runs[0]
		f := &Finding{Basis: []Basis{InProcess}, Setting: l.setting(g, runs...), Notes: []string{inProcess}}
		f.lackOf(runs...)
		t := newTable("phases", "level:#", "step", "time:s", "scanning:s", "sending:s", "waiting:s", "for the slowest:s")
		for d := range r.depth() {
			t.add(d, r.step(d), r.at(d, seconds).Mean(), r.at(d, computing).Mean(), r.at(d, sending).Mean(), r.at(d, waiting).Mean(), max(0, r.at(d, stall).Mean()-r.at(d, waiting).Mean()))
		}
		f.table(t)
		p := plot.Plot{Title: "Time of each level by phase", X: plot.Axis{Label: "level", Categories: levelNames(r.depth())}, Y: plot.Axis{Label: "time", Unit: "s"}}
		for _, phase := range []struct {
			name string
			y    []float64
		}{{"scanning", r.means(computing)}, {"sending", r.means(sending)}, {"waiting", r.means(waiting)}} {
			p.Series = append(p.Series, plot.Series{Name: phase.name, Kind: plot.Stack, Y: phase.y})
		}
		f.plot(p)
		f.claim(
			larger("the two longest levels take most of the time", r.longest(2), r.sum(seconds), .5),
			larger("scanning takes more time than sending", r.sum(computing), r.sum(sending), 1),
		)
		return f, nil
	},
}

// longest returns, for every search, the time of its n longest levels together.
func (r Runs) longest(n int) (s Sample) {
	for _, x := range r.Searches {
		var times []float64
		for _, l := range x.Levels {
			times = append(times, seconds(l))
		}
		slices.Sort(times)
		var sum float64
		for _, t := range times[max(len(times)-n, 0):] {
			sum += t
		}
		s = append(s, sum)
	}
	return s
}
