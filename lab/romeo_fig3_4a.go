package lab

import (
	"context"
	"math"
)

var romeoFig34a = Experiment{
	ID:    "romeo/fig3.4a",
	Title: "Time per iteration of both directions, and their minimum",
	Trend: "Top-down is faster in the first iterations, bottom-up in the middle, and the hybrid takes the best time of each.",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		g := kronecker(l.Scale)
		runs, err := l.compare(ctx, g, "cpu:direction=top-down", "cpu:direction=bottom-up", "cpu")
		if err != nil {
			return nil, err
		}
		topDown, bottomUp, hybrid := runs[0], runs[1], runs[2]
		f := &Finding{Basis: []Basis{Measured}, Setting: l.setting(g, runs...)}
		f.lackOf(runs...)
		t := newTable("time", "iteration:#", "top-down:s", "bottom-up:s", "minimum:s", "hybrid:s", "step of the hybrid")
		for d := range deepest(runs...) {
			down, up := topDown.at(d, seconds), bottomUp.at(d, seconds)
			t.add(d, down, up, math.Min(down.Median(), up.Median()), hybrid.at(d, seconds), hybrid.step(d))
		}
		f.table(t)
		f.plot(byLevel("Time of each iteration", "time", "s", true, seconds,
			[]string{"top-down", "bottom-up", "hybrid"}, runs...))
		middle := topDown.busiest(examined)
		f.quote("time in all, top-down over hybrid", "no figure in the text", times(topDown.seconds(), hybrid.seconds()))
		f.claim(
			larger("the first iteration is faster top-down", bottomUp.at(0, seconds), topDown.at(0, seconds), 1),
			larger("the iteration with most edges is faster bottom-up", topDown.at(middle, seconds), bottomUp.at(middle, seconds), 1),
			larger("the hybrid is faster than top-down alone", topDown.seconds(), hybrid.seconds(), 1),
			larger("the hybrid is faster than bottom-up alone", bottomUp.seconds(), hybrid.seconds(), 1),
		)
		return f, nil
	},
}
