package lab

import (
	"context"
	"time"

	"github.com/gohops/hops/internal/plot"
)

var checconiFig4 = Experiment{
	ID:    "checconi/fig4",
	Title: "Bandwidth by packet size",
	Trend: "Small packets waste the network: bandwidth grows with the size of packets until it levels off.",
	Needs: "a 5D torus of BlueGene/Q",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		sizes := []int{8, 32, 128, 512, 2048, 8192, 32768}
		rates := make([]Sample, len(sizes))
		for range l.Runs {
			for i, size := range sizes {
				rate, err := transfer(ctx, 1, size, l.moment())
				if err != nil {
					return nil, err
				}
				rates[i] = append(rates[i], rate)
			}
		}
		f := &Finding{Basis: []Basis{InProcess}, Setting: "two ranks of one process, 16 packets under way", Notes: []string{inProcess}}
		f.lack("a network between hosts")
		t := newTable("bandwidth", "packet:B", "bandwidth:B/s")
		c := curve{name: "one pair of ranks"}
		for i, size := range sizes {
			t.add(size, rates[i])
			c.add(float64(size), rates[i])
		}
		f.table(t)
		f.plot(curves("Bandwidth by packet size", plot.Axis{Label: "packet", Unit: "B", Scale: plot.Log2},
			plot.Axis{Label: "bandwidth", Unit: "B/s", Scale: plot.Log10}, c))
		f.claim(
			larger("packets of 512 bytes move more than packets of 8", rates[3], rates[0], 4),
			larger("growth levels off: beyond 8 KiB it is less than twofold for fourfold size", constant(2, l.Runs), per(rates[6], rates[5]), 1),
		)
		return f, nil
	},
}

// transfer is a variable so that tests can replace it.
var transfer = bandwidth

// moment returns how long one measurement of bandwidth takes.
func (l *Lab) moment() time.Duration {
	switch {
	case l.span > 0:
		return l.span
	case l.Quick:
		return 40 * time.Millisecond
	}
	return 200 * time.Millisecond
}
