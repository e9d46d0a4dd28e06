package lab

import (
	"context"

	"github.com/gohops/hops/internal/plot"
)

var checconiFig7 = Experiment{
	ID:    "checconi/fig7",
	Title: "Bulk-synchronous against asynchronous exchange",
	Trend: "Counting, exchanging counts and then edges is about five times slower than sending packets as they fill.",
	Needs: "a cluster",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		f := &Finding{Basis: []Basis{InProcess}, Notes: []string{inProcess, "All levels are top-down, and an edge takes 8 bytes in both: between hosts that are pretended, packets would be packed as for a slow network."}}
		ranks := min(max(2, len(l.Host.CPUs)), 4) // ranks without a core of their own wait for one most of the time
		t := newTable("rates", "scale:#", "bulk:TEPS", "asynchronous:TEPS", "asynchronous over bulk:×")
		bulk, async := curve{name: "bulk-synchronous"}, curve{name: "asynchronous"}
		for scale := l.Scale - 2; scale <= l.Scale; scale++ {
			g := kronecker(scale)
			runs, err := l.compare(ctx, g, clusterOf(ranks, 1, "exchange=messages,sync=bulk"), clusterOf(ranks, 1, "exchange=messages"))
			if err != nil {
				return nil, err
			}
			f.lackOf(runs...)
			f.Setting = l.setting(g, runs...) + ", and smaller ones"
			t.add(scale, runs[0].teps(), runs[1].teps(), ratio(runs[1].teps(), runs[0].teps()))
			bulk.add(float64(scale), runs[0].teps())
			async.add(float64(scale), runs[1].teps())
		}
		f.table(t)
		f.plot(curves("Rate by scale", plot.Axis{Label: "scale"}, plot.Axis{Label: "rate", Unit: "TEPS", Zero: true}, bulk, async))
		last := len(async.y) - 1
		f.quote("asynchronous over bulk", "about 5×", times(async.y[last], bulk.y[last]))
		f.claim(larger("asynchronous packets are faster than bulk exchanges", async.y[last], bulk.y[last], 1))
		return f, nil
	},
}
