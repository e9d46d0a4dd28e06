package lab

import (
	"context"

	"github.com/gohops/hops/internal/plot"
)

var cygraphFig9 = Experiment{
	ID:    "cygraph/fig9",
	Title: "Effect of the average degree",
	Trend: "The time of a search grows with the degree, but less than the number of edges: throughput rises towards the limit of the memory ports.",
	Needs: "a Convey HC-2 with four Virtex-5 FPGAs",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		m := l.simulated()
		f := &Finding{Basis: []Basis{ModelTime}, Setting: "4 FPGAs; " + m.setting(uniform(m.Scale, 8)) + "; and R-MAT"}
		t := newTable("degree", "graph", "degree:#", "model time:s", "rate, edges at both ends:edges/s")
		times, rates := [2]curve{{name: "random"}, {name: "R-MAT"}}, [2]curve{{name: "random"}, {name: "R-MAT"}}
		for i, kind := range []func(scale, degree int) graph{uniform, rmat} {
			for _, degree := range cygraphDegrees {
				runs, err := m.compare(ctx, kind(m.Scale, degree), cygraphMachines[1])
				if err != nil {
					return nil, err
				}
				f.lackOf(runs...)
				t.add(times[i].name, degree, runs[0].seconds(), runs[0].entries())
				times[i].add(float64(degree), runs[0].seconds())
				rates[i].add(float64(degree), runs[0].entries())
			}
		}
		f.table(t)
		x := plot.Axis{Label: "average degree", Scale: plot.Log2}
		f.plot(curves("Time of a search", x, plot.Axis{Label: "model time", Unit: "s"}, times[:]...))
		f.plot(curves("Throughput", x, plot.Axis{Label: "rate", Unit: "edges/s", Zero: true}, rates[:]...))
		f.claim(
			rising("time grows with the degree on random graphs", times[0].y),
			rising("time grows with the degree on R-MAT graphs", times[1].y),
			rising("throughput grows with the degree on random graphs", rates[0].y),
		)
		return f, nil
	},
}
