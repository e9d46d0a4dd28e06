package lab

import (
	"context"

	"github.com/gohops/hops/internal/plot"
)

var checconiFig12 = Experiment{
	ID:    "checconi/fig12",
	Title: "1D against 2D partition, weak scaling",
	Trend: "The 1D code is faster than the earlier 2D code at every size: 1.4 TTEPS against 254 GTEPS on 4,096 nodes.",
	Needs: "a cluster",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		f := &Finding{Basis: []Basis{InProcess}, Notes: []string{
			inProcess,
			"The paper's 2D code had no direction optimisation and no overlap; so has the one here, its levels all top-down, in the first of the 2D columns.",
		}}
		t := newTable("partitions", "ranks:#", "scale:#", "1D:TEPS", "2D, top-down:TEPS", "2D:TEPS", "1D over 2D top-down:×", "1D, sent:B", "2D, sent:B")
		lines := []curve{{name: "1D"}, {name: "2D, top-down"}, {name: "2D"}}
		for side := 1; side <= 2; side++ {
			ranks := side * side
			g := kronecker(l.Scale - 2 + 2*(side-1))
			runs, err := l.compare(ctx, g, clusterOf(ranks, ranks), gridOf(side, side, ranks, "direction=top-down"), gridOf(side, side, ranks))
			if err != nil {
				return nil, err
			}
			f.lackOf(runs...)
			f.Setting = l.setting(g, runs...) + ", and one rank"
			for i := range lines {
				lines[i].add(float64(ranks), runs[i].teps())
			}
			t.add(ranks, g.scale, runs[0].teps(), runs[1].teps(), runs[2].teps(), ratio(runs[0].teps(), runs[1].teps()), runs[0].sum(bytes), runs[2].sum(bytes))
		}
		f.table(t)
		f.plot(curves("Weak scaling of both partitions", plot.Axis{Label: "ranks", Scale: plot.Log2}, plot.Axis{Label: "rate", Unit: "TEPS", Zero: true}, lines...))
		f.quote("1D over 2D without direction optimisation", "5.5× on 4,096 nodes", times(lines[0].y[1], lines[1].y[1]))
		f.claim(
			larger("1D is faster than plain 2D on one rank", lines[0].y[0], lines[1].y[0], 1),
			larger("1D is faster than plain 2D on four ranks", lines[0].y[1], lines[1].y[1], 1),
		)
		return f, nil
	},
}
