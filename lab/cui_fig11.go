package lab

import (
	"context"
	"strings"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/plot"
)

var cuiFig11 = Experiment{
	ID:    "cui/fig11",
	Title: "Where the time goes: top-down, bottom-up, communication, switch, stall",
	Trend: "Most vertices are reached bottom-up, and bottom-up computation takes most of the time on one node.",
	Needs: "an eight-socket node",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		g := kronecker(l.Scale)
		names := []string{"1 rank", "2 ranks"}
		runs, err := l.compare(ctx, g, clusterOf(1, 1, "exchange=allgather"), clusterOf(2, 1, "exchange=allgather"))
		if err != nil {
			return nil, err
		}
		f := &Finding{Basis: []Basis{InProcess}, Setting: l.setting(g, runs...), Notes: []string{inProcess}}
		f.lackOf(runs...)
		phases := []struct {
			name   string
			figure func(hops.Level) float64
		}{
			{"top-down", topDownOnly(computing)},
			{"bottom-up", bottomUp(computing)},
			{"communication", communication},
			{"switch", switching},
			{"stall", stall},
		}
		t := newTable("phases", "phase", "1 rank:s", "2 ranks:s")
		p := plot.Plot{Title: "Time of a search by phase", X: plot.Axis{Label: "ranks", Categories: names}, Y: plot.Axis{Label: "time", Unit: "s"}}
		for _, phase := range phases {
			t.add(phase.name, runs[0].sum(phase.figure), runs[1].sum(phase.figure))
			series := plot.Series{Name: phase.name, Kind: plot.Stack}
			for _, r := range runs {
				if r.Missing == "" {
					series.Y = append(series.Y, r.sum(phase.figure).Median())
				}
			}
			p.Series = append(p.Series, series)
		}
		f.table(t)
		f.plot(p)
		f.claim(
			larger("bottom-up levels reach most vertices", runs[0].sum(bottomUp(found)), runs[0].sum(found), .5),
			larger("bottom-up computing takes longer than top-down", runs[0].sum(phases[1].figure), runs[0].sum(phases[0].figure), 1),
		)
		return f, nil
	},
}

// topDownOnly restricts a figure to levels that are not bottom-up.
func topDownOnly(figure func(hops.Level) float64) func(hops.Level) float64 {
	return func(l hops.Level) float64 {
		if strings.HasPrefix(l.Step, "bottom-up") {
			return 0
		}
		return figure(l)
	}
}
