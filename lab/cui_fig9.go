package lab

import (
	"context"
	"fmt"
)

var cuiFig9 = Experiment{
	ID:    "cui/fig9",
	Title: "Each optimisation in turn",
	Trend: "One rank per socket gives 1.53 times the speed of one per node, sharing and parallel gathering more, a coarser summary more still: 2.44 times in all.",
	Needs: "16 eight-socket nodes",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		const hosts, perHost = 2, 4
		g := kronecker(l.Scale)
		names := []string{"1 rank per host", "4 ranks per host", "leaders", "shared, in parallel", "summary of 256"}
		gathered := "exchange=allgather,bitmaps=dense,"
		runs, err := l.compare(ctx, g,
			clusterOf(hosts, hosts, gathered+"gather=plain,summary=64"),
			clusterOf(hosts*perHost, hosts, gathered+"gather=plain,summary=64"),
			clusterOf(hosts*perHost, hosts, gathered+"gather=leader,summary=64"),
			clusterOf(hosts*perHost, hosts, gathered+"summary=64"),
			clusterOf(hosts*perHost, hosts, gathered+"summary=256"))
		if err != nil {
			return nil, err
		}
		f := &Finding{Basis: []Basis{InProcess}, Setting: l.setting(g, runs...), Notes: []string{inProcess}}
		f.lackOf(runs...)
		if l.Host.Sockets < 2 {
			f.lack("sockets to bind ranks to")
		}
		t := newTable("optimisations", "version", "rate:TEPS", "over 1 rank per host:×", "sent in all:B", "sent between hosts:B")
		var rates []Sample
		for i, r := range runs {
			rates = append(rates, r.teps())
			t.add(names[i], r.teps(), ratio(r.teps(), runs[0].teps()), r.sum(bytes), r.sum(hostBytes))
		}
		f.table(t)
		f.plot(bars("Rate after each optimisation", "version", "rate", "TEPS", names, rates...))
		for i, paper := range []string{"1.53×", "", "2.22× (sharing and parallel allgather)", "2.44×"} {
			if paper != "" {
				f.quote(fmt.Sprintf("%s over 1 rank per node", names[i+1]), paper, times(rates[i+1], rates[0]))
			}
		}
		f.claim(
			larger("sharing is faster than every rank keeping its own bitmap", rates[3], rates[1], 1),
			larger("sharing sends fewer bytes", runs[1].sum(bytes), runs[3].sum(bytes), 1),
			larger("all optimisations together beat the original with as many ranks", rates[4], rates[1], 1),
		)
		return f, nil
	},
}
