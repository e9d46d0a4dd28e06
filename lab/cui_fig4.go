package lab

import (
	"context"

	"github.com/gohops/hops/internal/plot"
)

var cuiFig4 = Experiment{
	ID:    "cui/fig4",
	Title: "Bandwidth between two nodes by ranks per node",
	Trend: "Several ranks per node that send at once reach the full bandwidth of the network; one reaches about half.",
	Needs: "two hosts with two InfiniBand ports each",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		const size = 64 << 10
		perNode := []int{1, 2, 4, 8}
		rates := make([]Sample, len(perNode))
		for range l.Runs {
			for i, n := range perNode {
				rate, err := transfer(ctx, n, size, l.moment())
				if err != nil {
					return nil, err
				}
				rates[i] = append(rates[i], rate)
			}
		}
		f := &Finding{Basis: []Basis{InProcess}, Setting: "two pretended hosts of one process, packets of 64 KiB, 16 under way for each rank", Notes: []string{inProcess}}
		f.lack("a network between hosts")
		t := newTable("bandwidth", "ranks per host:#", "bandwidth:B/s", "over one:×")
		c := curve{name: "two pretended hosts"}
		for i, n := range perNode {
			t.add(n, rates[i], ratio(rates[i], rates[0]))
			c.add(float64(n), rates[i])
		}
		f.table(t)
		f.plot(curves("Bandwidth by ranks per host", plot.Axis{Label: "ranks per host", Scale: plot.Log2},
			plot.Axis{Label: "bandwidth", Unit: "B/s", Zero: true}, c))
		f.quote("one rank per node over eight", "about half", times(rates[0], rates[3]))
		f.claim(larger("eight ranks per host move more than one", rates[3], rates[0], 1))
		return f, nil
	},
}
