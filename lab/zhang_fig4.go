package lab

import (
	"context"

	"github.com/gohops/hops/internal/plot"
)

// zhangEngines are engines for the three codes that the paper compares: its own;
// Daga's, a hybrid with fixed parameters, top-down on the host and bottom-up on the
// device; and Yasui's, on the host alone. zhangNames are their names in figures.
var (
	zhangEngines = []string{"adaptive", "adaptive:policy=daga", "adaptive:policy=yasui"}
	zhangNames   = []string{"adaptive", "Daga", "Yasui"}
)

var zhangFig4 = Experiment{
	ID:    "zhang/fig4",
	Title: "Rate by scale against two other codes",
	Trend: "The adaptive code is faster than a hybrid with fixed parameters (2.3 times) and than one on the CPU alone (1.1 times) at every scale.",
	Needs: "a processor with an integrated GPU",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		f := &Finding{Basis: []Basis{Measured}, Notes: []string{onDevice}}
		t := newTable("rates", "scale:#", "adaptive:TEPS", "Daga:TEPS", "Yasui:TEPS")
		lines := []curve{{name: zhangNames[0]}, {name: zhangNames[1]}, {name: zhangNames[2]}}
		for scale := l.Scale - 2; scale <= l.Scale; scale++ {
			g := kronecker(scale)
			runs, err := l.compare(ctx, g, zhangEngines...)
			if err != nil {
				return nil, err
			}
			f.lackOf(runs...)
			f.Setting = l.setting(g, runs...) + ", and smaller ones"
			t.add(scale, runs[0].teps(), runs[1].teps(), runs[2].teps())
			for i := range lines {
				lines[i].add(float64(scale), runs[i].teps())
			}
		}
		f.table(t)
		f.plot(curves("Rate by scale", plot.Axis{Label: "scale"}, plot.Axis{Label: "rate", Unit: "TEPS", Zero: true}, lines...))
		last := len(lines[0].y) - 1
		f.quote("adaptive over Daga", "2.3×", times(lines[0].y[last], lines[1].y[last]))
		f.quote("adaptive over Yasui", "1.1×", times(lines[0].y[last], lines[2].y[last]))
		f.claim(
			larger("adaptive is faster than fixed parameters at the largest scale", lines[0].y[last], lines[1].y[last], 1),
			larger("adaptive is faster than the CPU alone at the largest scale", lines[0].y[last], lines[2].y[last], 1),
		)
		return f, nil
	},
}
