package lab

import "context"

var romeoFig36 = Experiment{
	ID:    "romeo/fig3.6",
	Title: "Two ways of placing ranks on devices",
	Trend: "One GPU per node, next to the network adapter, beats using both: 13.7 GTEPS on 64 GPUs against 12 on 256, because two GPUs share one adapter.",
	Needs: "a GPU cluster",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		g := kronecker(l.Scale)
		names := []string{"two ranks per host", "one rank per host"}
		runs, err := l.compare(ctx, g, gridOf(2, 2, 2), gridOf(2, 2, 4))
		if err != nil {
			return nil, err
		}
		f := &Finding{Basis: []Basis{InProcess}, Setting: l.setting(g, runs...), Notes: []string{
			inProcess,
			"What is compared is the load of a network adapter, one per host, for the same four ranks: the paper's explanation, not its rates.",
		}}
		f.lackOf(runs...)
		f.lack("GPUs with a network adapter of their own")
		t := newTable("adapters", "placement", "between hosts, all:B", "through one adapter:B", "rate:TEPS")
		var loads []Sample
		for i, hosts := range []float64{2, 4} {
			load := ratio(runs[i].sum(hostBytes), one(hosts))
			loads = append(loads, load)
			t.add(names[i], runs[i].sum(hostBytes), load, runs[i].teps())
		}
		f.table(t)
		f.plot(bars("Bytes through one network adapter in a search", "placement", "sent", "B", names, loads...))
		f.quote("both GPUs of a node against one", "12 GTEPS (256 GPUs) against 13.7 (64)", "not measured: no GPUs")
		f.claim(larger("two ranks on an adapter load it more than one", loads[0], loads[1], 1))
		return f, nil
	},
}
