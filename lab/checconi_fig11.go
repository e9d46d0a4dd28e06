package lab

import (
	"context"
	"fmt"

	"github.com/gohops/hops/internal/plot"
)

var checconiFig11 = Experiment{
	ID:    "checconi/fig11",
	Title: "Thread scaling",
	Trend: "TEPS grow with the threads of a node, beyond its cores up to four threads on each.",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		threads := l.threads()
		g := kronecker(l.Scale)
		var engines []string
		for _, n := range threads {
			engines = append(engines, fmt.Sprintf("cpu:threads=%d", n))
		}
		runs, err := l.compare(ctx, g, engines...)
		if err != nil {
			return nil, err
		}
		f := &Finding{Basis: []Basis{Measured}, Setting: l.setting(g, runs...)}
		f.lackOf(runs...)
		t := newTable("threads", "threads:#", "rate:TEPS", "over 1 thread:×")
		c := curve{name: "cpu"}
		var upToCPUs []Sample
		for i, n := range threads {
			t.add(n, runs[i].teps(), ratio(runs[i].teps(), runs[0].teps()))
			c.add(float64(n), runs[i].teps())
			if n <= len(l.Host.CPUs) {
				upToCPUs = append(upToCPUs, runs[i].teps())
			}
		}
		f.table(t)
		f.plot(curves("Thread scaling",
			plot.Axis{Label: "threads", Scale: plot.Log2}, plot.Axis{Label: "rate", Unit: "TEPS", Zero: true}, c))
		f.quote("threads of a node", "16 cores × 4 hardware threads", fmt.Sprintf("%d logical CPUs", len(l.Host.CPUs)))
		f.claim(rising("TEPS grow with threads up to the CPUs of the machine", upToCPUs))
		if len(l.Host.CPUs) < 2 {
			f.lack("a second CPU")
		}
		return f, nil
	},
}

// threads returns the powers of two up to twice the number of CPUs.
func (l *Lab) threads() (n []int) {
	for t := 1; t <= max(2*len(l.Host.CPUs), 2); t *= 2 {
		n = append(n, t)
	}
	return n
}
