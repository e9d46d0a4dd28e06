package lab

import "context"

var checconiFig14 = Experiment{
	ID:    "checconi/fig14",
	Title: "Edge list, skip list, skip list with coarse index",
	Trend: "Without an index light levels pay for passing over all rows; the index costs little in the central levels and saves that several times.",
	Needs: "a cluster",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		g := kronecker(l.Scale)
		names := []string{"edge list", "skip list", "coarse index"}
		runs, err := l.compare(ctx, g, clusterOf(2, 2, "exchange=messages,rows=list"),
			clusterOf(2, 2, "exchange=messages,rows=skip"), clusterOf(2, 2, "exchange=messages,rows=coarse"))
		if err != nil {
			return nil, err
		}
		list, skip, coarse := runs[0], runs[1], runs[2]
		f := &Finding{Basis: []Basis{InProcess}, Setting: l.setting(g, runs...) + "; without direction optimisation, as in the paper", Notes: []string{inProcess}}
		f.lackOf(runs...)
		t := newTable("levels", "level:#", "edge list:s", "skip list:s", "coarse index:s")
		for d := range deepest(runs...) {
			t.add(d, list.at(d, seconds), skip.at(d, seconds), coarse.at(d, seconds))
		}
		f.table(t)
		f.plot(byLevel("Time of each level", "time", "s", true, seconds, names, runs...))
		busy := coarse.busiest(examined)
		f.quote("central level, coarse index over skip list", "slightly worse", times(coarse.at(busy, seconds), skip.at(busy, seconds)))
		f.quote("first level, skip list over coarse index", "a fixed cost without the index", times(skip.at(0, seconds), coarse.at(0, seconds)))
		f.claim(
			larger("the index is faster than the skip list on the first level", skip.at(0, seconds), coarse.at(0, seconds), 1),
			larger("the edge list is slower than the skip list on the first level", list.at(0, seconds), skip.at(0, seconds), 1),
		)
		return f, nil
	},
}
