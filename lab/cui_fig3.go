package lab

import (
	"context"
	"fmt"
)

var cuiFig3 = Experiment{
	ID:    "cui/fig3",
	Title: "Speed-up by cores and sockets",
	Trend: "Eight cores of one socket are 6.98 times as fast as one; eight sockets are only 2.77 times as fast as one, because most memory is then remote.",
	Needs: "several sockets",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		sockets := max(l.Host.Sockets, 1)
		perSocket := max(len(l.Host.CPUs)/sockets, 1)
		g := kronecker(l.Scale)
		engines := []string{"cpu:threads=1", fmt.Sprintf("cpu:threads=%d", perSocket)}
		names := []string{"1 CPU", fmt.Sprintf("1 socket: %d CPUs", perSocket)}
		if sockets > 1 {
			engines = append(engines, fmt.Sprintf("cpu:threads=%d", len(l.Host.CPUs)))
			names = append(names, fmt.Sprintf("%d sockets: %d CPUs", sockets, len(l.Host.CPUs)))
		}
		runs, err := l.compare(ctx, g, engines...)
		if err != nil {
			return nil, err
		}
		f := &Finding{Basis: []Basis{Measured}, Setting: l.setting(g, runs...)}
		f.lackOf(runs...)
		t := newTable("speedup", "CPUs", "rate:TEPS", "over 1 CPU:×")
		var rates []Sample
		for i, r := range runs {
			t.add(names[i], r.teps(), ratio(r.teps(), runs[0].teps()))
			rates = append(rates, r.teps())
		}
		f.table(t)
		f.plot(bars("Speed by CPUs", "CPUs", "rate", "TEPS", names, rates...))
		f.quote(fmt.Sprintf("one socket over one core (paper: 8 cores, here %d CPUs)", perSocket), "6.98×", times(runs[1].teps(), runs[0].teps()))
		f.claim(larger("the CPUs of a socket are faster than one", runs[1].teps(), runs[0].teps(), 1))
		across := "sockets add less than their number"
		if sockets == 1 {
			f.lack("a second socket")
			f.claim(lacking(across, "this machine has one socket"))
			return f, nil
		}
		f.quote("all sockets over one", "2.77× for 8", times(runs[2].teps(), runs[1].teps()))
		f.claim(larger(across, constant(float64(sockets), len(runs[1].Searches)), ratio(runs[2].teps(), runs[1].teps()), 1))
		return f, nil
	},
}
