package lab

import (
	"context"
	"fmt"

	"github.com/gohops/hops/internal/plot"
)

var romeoFig35 = Experiment{
	ID:    "romeo/fig3.5",
	Title: "Strong and weak scaling of the 2D algorithm",
	Trend: "At a fixed scale of 21 the code scales up to 16 GPUs and is slower on 64; when the graph grows with the GPUs it reaches 12 GTEPS.",
	Needs: "64 GPUs",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		f := &Finding{Basis: []Basis{InProcess}, Notes: []string{inProcess}}
		f.lack("GPUs in several hosts")
		t := newTable("ranks", "ranks:#", "strong, scale:#", "strong:TEPS", "weak, scale:#", "weak:TEPS")
		strong, weak := curve{name: "strong"}, curve{name: "weak"}
		for i, side := range []int{1, 2} {
			ranks := side * side
			engine := gridOf(side, side, ranks)
			fixed, err := l.compare(ctx, kronecker(l.Scale-2), engine)
			if err != nil {
				return nil, err
			}
			growing, err := l.compare(ctx, kronecker(l.Scale-2+2*i), engine)
			if err != nil {
				return nil, err
			}
			f.lackOf(fixed[0], growing[0])
			f.Setting = l.setting(kronecker(l.Scale), growing...) + ", and one rank"
			t.add(ranks, l.Scale-2, fixed[0].teps(), l.Scale-2+2*i, growing[0].teps())
			strong.add(float64(ranks), fixed[0].teps())
			weak.add(float64(ranks), growing[0].teps())
		}
		f.table(t)
		f.plot(curves("2D algorithm, ranks in one process", plot.Axis{Label: "ranks", Scale: plot.Log2}, plot.Axis{Label: "rate", Unit: "TEPS", Zero: true}, strong, weak))
		f.claim(larger("with more ranks a growing graph does better than a fixed one", weak.y[1], strong.y[1], 1))
		return f, f.moreGPUs(ctx, l)
	},
}

// moreGPUs adds the projection to 64 GPUs of the paper's cluster.
func (f *Finding) moreGPUs(ctx context.Context, l *Lab) error {
	stops := "projected, a fixed scale gains less from 64 GPUs than from 16"
	m, why, err := l.projector(ctx)
	if err != nil {
		return err
	}
	if m == nil {
		f.lack(why)
		f.claim(lacking(stops, notRun))
		return nil
	}
	strong, err := published(m, "romeo", [][2]int{{1, 21}, {4, 21}, {16, 21}, {64, 21}})
	if err != nil {
		return err
	}
	weak, err := published(m, "romeo", [][2]int{{1, 21}, {4, 23}, {16, 25}, {64, 27}})
	if err != nil {
		return err
	}
	f.project("Projection of ROMEO, strong scaling at scale 21", strong)
	f.project("Projection of ROMEO, weak scaling", weak)
	f.quote("16 GPUs, scale 21", "4.80 GTEPS", "calibrates the projection")
	f.quote("64 GPUs, weak scaling", "13.7 GTEPS", plot.Value(weak[3].teps, "TEPS")+" (projection)")
	before, after := strong[2].teps/strong[1].teps, strong[3].teps/strong[2].teps
	f.claim(
		exact(stops, after < before, fmt.Sprintf("%.2f× after %.2f×", after, before)),
		exact("projected, 64 GPUs at a fixed scale are slower than 16", after < 1, fmt.Sprintf("%.2f×", after)),
	)
	return nil
}
