package lab

import "context"

var checconiFig6 = Experiment{
	ID:    "checconi/fig6",
	Title: "Messages per level by kind",
	Trend: "Direction optimisation cuts the number of messages drastically; what is left are probes and claims of the bottom-up levels.",
	Needs: "a cluster",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		g := kronecker(l.Scale)
		runs, err := l.compare(ctx, g, clusterOf(4, 4, "exchange=messages"), clusterOf(4, 4, "exchange=probe"))
		if err != nil {
			return nil, err
		}
		plain, optimised := runs[0], runs[1]
		f := &Finding{Basis: []Basis{InProcess}, Setting: l.setting(g, runs...), Notes: []string{inProcess}}
		f.lackOf(runs...)
		t := newTable("messages", "level:#", "plain:messages", "optimised, forward:messages", "optimised, probes:messages", "optimised, claims:messages", "step taken")
		for d := range deepest(runs...) {
			t.add(d, plain.at(d, messages).Mean(), optimised.at(d, forward).Mean(), optimised.at(d, probes).Mean(), optimised.at(d, claims).Mean(), optimised.step(d))
		}
		f.table(t)
		f.plot(byLevel("Messages", "messages", "messages", true, messages, []string{"plain", "optimised"}, runs...))
		f.quote("messages, plain over optimised", "drastically fewer", times(plain.sum(messages), optimised.sum(messages)))
		f.claim(
			larger("direction optimisation saves most of the messages", plain.sum(messages), optimised.sum(messages), 2),
			larger("not every probe is answered by a claim", optimised.sum(probes), optimised.sum(claims), 1),
		)
		return f, nil
	},
}
