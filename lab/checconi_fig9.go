package lab

import "context"

var checconiFig9 = Experiment{
	ID:    "checconi/fig9",
	Title: "Impact of each optimisation",
	Trend: "Direction optimisation gives the largest speed-up, almost an order of magnitude more than compression and load balancing.",
	Needs: "a cluster",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		g := kronecker(l.Scale)
		names := []string{"none", "direction", "compression", "load balancing", "all"}
		runs, err := l.compare(ctx, g,
			clusterOf(4, 4, "exchange=messages,encoding=plain,light=on"),
			clusterOf(4, 4, "exchange=probe,encoding=plain,light=on"),
			clusterOf(4, 4, "exchange=messages,encoding=differential,light=on"),
			clusterOf(4, 4, "exchange=messages,encoding=plain"),
			clusterOf(4, 4, "exchange=probe,encoding=differential"))
		if err != nil {
			return nil, err
		}
		f := &Finding{Basis: []Basis{InProcess}, Setting: l.setting(g, runs...), Notes: []string{inProcess}}
		f.lackOf(runs...)
		t := newTable("impact", "optimisation", "rate:TEPS", "speed-up:×", "sent:B")
		var rates []Sample
		for i, r := range runs {
			rates = append(rates, r.teps())
			t.add(names[i], r.teps(), ratio(r.teps(), runs[0].teps()), r.sum(bytes))
		}
		f.table(t)
		f.plot(bars("Rate with each optimisation alone, and with all", "optimisation", "rate", "TEPS", names, rates...))
		f.quote("direction optimisation", "the largest, almost an order of magnitude more than others", times(rates[1], rates[0]))
		f.quote("compression", "not representative at this size", times(rates[2], rates[0]))
		f.quote("load balancing", "not representative at this size", times(rates[3], rates[0]))
		f.claim(
			larger("direction optimisation makes searches faster", rates[1], rates[0], 1),
			larger("it gains more than compression", rates[1], rates[2], 1),
			larger("it gains more than load balancing", rates[1], rates[3], 1),
		)
		return f, nil
	},
}
