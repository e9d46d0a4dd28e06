package lab

import (
	"context"
	"fmt"

	"github.com/gohops/hops/internal/plot"
)

var cuiFig16 = Experiment{
	ID:    "cui/fig16",
	Title: "Granularity of the summary",
	Trend: "A summary bit for 256 vertices is best: finer ones do not fit the cache, coarser ones are rarely zero.",
	Needs: "16 eight-socket nodes, a bitmap larger than the caches",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		g := kronecker(l.Scale)
		var engines, names []string
		sizes := []int{64, 128, 256, 512, 1024}
		for _, n := range sizes {
			engines = append(engines, clusterOf(2, 2, "exchange=allgather", fmt.Sprintf("summary=%d", n)))
			names = append(names, fmt.Sprint(n))
		}
		runs, err := l.compare(ctx, g, engines...)
		if err != nil {
			return nil, err
		}
		f := &Finding{Basis: []Basis{InProcess}, Setting: l.setting(g, runs...), Notes: []string{inProcess}}
		f.lackOf(runs...)
		t := newTable("granularity", "vertices per bit:#", "rate:TEPS", "over 64:×")
		c := curve{name: "2 ranks"}
		var rates []Sample
		for i, r := range runs {
			rates = append(rates, r.teps())
			t.add(sizes[i], r.teps(), ratio(r.teps(), runs[0].teps()))
			c.add(float64(sizes[i]), r.teps())
		}
		f.table(t)
		f.plot(curves("Rate by granularity of the summary", plot.Axis{Label: "vertices per bit", Scale: plot.Log2}, plot.Axis{Label: "rate", Unit: "TEPS"}, c))
		f.quote("256 over 64", "1.10×", times(rates[2], rates[0]))
		if cache := float64(l.Host.L2.Size); cache > 0 && float64(int64(1)<<g.scale)/8 < cache {
			f.Notes = append(f.Notes, fmt.Sprintf("The whole bitmap takes %s here and fits the cache of a core: there is little for a summary to save.",
				plot.Value(float64(int64(1)<<g.scale)/8, "B")))
		}
		f.claim(peaked("the best granularity lies between 64 and 1024", rates, names))
		return f, nil
	},
}
