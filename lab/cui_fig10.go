package lab

import (
	"context"
	"fmt"
)

var cuiFig10 = Experiment{
	ID:    "cui/fig10",
	Title: "Placement policies on one node",
	Trend: "One rank per socket, bound to it, is 1.74 times as fast as one rank with interleaved memory, and 2.08 times as fast as eight that are not bound.",
	Needs: "several sockets",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		n := max(len(l.Host.CPUs), 1)
		sockets := max(l.Host.Sockets, 1)
		g := kronecker(l.Scale)
		names := []string{"one rank, all CPUs", "one rank per CPU", "one rank per socket"}
		runs, err := l.compare(ctx, g,
			fmt.Sprintf("cluster:ranks=1,hosts=1,threads=%d", n),
			fmt.Sprintf("cluster:ranks=%d,hosts=1,threads=1", n),
			fmt.Sprintf("cluster:ranks=%d,hosts=1,threads=%d", sockets, max(n/sockets, 1)))
		if err != nil {
			return nil, err
		}
		f := &Finding{Basis: []Basis{Measured, InProcess}, Setting: l.setting(g, runs...), Notes: []string{inProcess}}
		f.lackOf(runs...)
		t := newTable("policies", "policy", "rate:TEPS", "over one rank:×")
		var rates []Sample
		for i, r := range runs {
			rates = append(rates, r.teps())
			t.add(names[i], r.teps(), ratio(r.teps(), runs[0].teps()))
		}
		f.table(t)
		f.plot(bars("Rate by placement", "policy", "rate", "TEPS", names, rates...))
		f.quote("one rank per socket over one rank", "1.74×", times(rates[2], rates[0]))
		bound := "one rank per socket is faster than one rank for all sockets"
		if sockets == 1 {
			f.lack("a second socket: ranks of one socket all have the same memory")
			f.claim(lacking(bound, "this machine has one socket"))
			return f, nil
		}
		f.claim(larger(bound, rates[2], rates[0], 1))
		return f, nil
	},
}
