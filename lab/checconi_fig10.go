package lab

import (
	"context"
	"fmt"

	"github.com/gohops/hops/internal/plot"
	"github.com/gohops/hops/stats"
)

var checconiFig10 = Experiment{
	ID:    "checconi/fig10",
	Title: "Weak scaling with quartiles and harmonic mean",
	Trend: "Scaling is close to ideal up to 16 racks and gets worse on larger machines, up to 15.3 TTEPS on 65,536 nodes.",
	Needs: "65,536 nodes of BlueGene/Q",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		f := &Finding{Basis: []Basis{InProcess}, Notes: []string{inProcess}}
		t := newTable("ranks", "ranks:#", "scale:#", "min:TEPS", "1st quartile:TEPS", "median:TEPS", "3rd quartile:TEPS", "max:TEPS", "harmonic mean:TEPS")
		p := plot.Plot{Title: "Weak scaling, ranks in one process", X: plot.Axis{Label: "ranks and scale"}, Y: plot.Axis{Label: "rate", Unit: "TEPS", Zero: true}}
		boxes := plot.Series{Kind: plot.Box}
		var rates []Sample
		for i, ranks := range []int{1, 2, 4} {
			g := kronecker(l.Scale - 2 + i)
			runs, err := l.compare(ctx, g, clusterOf(ranks, ranks, "threads=1"))
			if err != nil {
				return nil, err
			}
			f.lackOf(runs...)
			f.Setting = l.setting(g, runs...) + ", down to one rank"
			rate := runs[0].teps()
			if ranks <= len(l.Host.CPUs) {
				rates = append(rates, rate)
			}
			if len(rate) == 0 {
				continue
			}
			s := stats.Summarize(rate)
			t.add(ranks, g.scale, s.Min, s.FirstQuartile, s.Median, s.ThirdQuartile, s.Max, harmonic(rate))
			p.X.Categories = append(p.X.Categories, fmt.Sprintf("ranks: %d\nscale: %d", ranks, g.scale))
			boxes.Samples = append(boxes.Samples, rate)
		}
		p.Series = []plot.Series{boxes}
		f.table(t)
		f.plot(p)
		f.claim(rising("TEPS grow with ranks and scale up to the CPUs of the machine", rates))
		return f, f.scaleOut(ctx, l)
	},
}

// scaleOut adds the projection to BlueGene/Q, one to 64 racks.
func (f *Finding) scaleOut(ctx context.Context, l *Lab) error {
	worse := "projected efficiency falls from 1 to 64 racks"
	m, why, err := l.projector(ctx)
	if err != nil {
		return err
	}
	if m == nil {
		f.lack(why)
		f.claim(lacking(worse, notRun))
		return nil
	}
	points, err := published(m, "bluegene-q", [][2]int{{1024, 34}, {2048, 35}, {4096, 36}, {8192, 37}, {16384, 38}, {32768, 39}, {65536, 40}})
	if err != nil {
		return err
	}
	f.project("Projection of BlueGene/Q, 1 to 64 racks", points)
	first, last := points[0], points[len(points)-1]
	efficiency := last.teps / first.teps / (float64(last.nodes) / float64(first.nodes))
	f.quote("64 racks, scale 40", "15.3 TTEPS", fmt.Sprintf("%s (projection)", plot.Value(last.teps, "TEPS")))
	f.quote("efficiency of 64 racks against 1", "no figure in the text", fmt.Sprintf("%.2f (projection)", efficiency))
	f.claim(exact(worse, efficiency < 1, fmt.Sprintf("%.3f", efficiency)))
	return nil
}

// harmonic is the harmonic mean of rates.
func harmonic(rates Sample) float64 {
	var per []float64
	for _, r := range rates {
		per = append(per, 1/r)
	}
	return stats.Rates(per).HarmonicMean
}
