package lab

import (
	"context"
	"fmt"
)

// romeoIterations is the paper's table 3.1: edges examined in each iteration.
var romeoIterations = []struct{ topDown, bottomUp, hybrid int64 }{
	{27, 22_090_111, 27},
	{8_156, 1_568_798, 8_156},
	{3_695_684, 587_893, 587_893},
	{19_565_465, 12_586, 12_586},
	{214_578, 8_256, 8_256},
	{5_865, 1_201, 1_201},
	{12, 156, 12},
}

var romeoTable31 = Experiment{
	ID:    "romeo/table3.1",
	Title: "Edges per iteration: top-down, bottom-up, hybrid",
	Trend: "Each direction alone looks at some 24 million edges; their hybrid takes the better of each iteration and looks at 38 times fewer.",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		g := kronecker(l.Scale)
		runs, err := l.compare(ctx, g, "cpu:direction=top-down", "cpu:direction=bottom-up", "cpu")
		if err != nil {
			return nil, err
		}
		topDown, bottomUp, hybrid := runs[0], runs[1], runs[2]
		f := &Finding{Basis: []Basis{Measured}, Setting: l.setting(g, runs...)}
		f.lackOf(runs...)
		t := newTable("edges", "iteration:#", "top-down:edges", "bottom-up:edges", "hybrid:edges", "paper, top-down:edges", "paper, bottom-up:edges", "paper, hybrid:edges")
		for d := range max(deepest(runs...), len(romeoIterations)) {
			row := []any{d, topDown.at(d, examined).Mean(), bottomUp.at(d, examined).Mean(), hybrid.at(d, examined).Mean(), nil, nil, nil}
			if d < len(romeoIterations) {
				p := romeoIterations[d]
				row[4], row[5], row[6] = p.topDown, p.bottomUp, p.hybrid
			}
			t.add(row...)
		}
		f.table(t)
		f.plot(byLevel("Edges examined in each iteration", "edges", "edges", true, examined,
			[]string{"top-down", "bottom-up", "hybrid"}, runs...))

		down, up, both := topDown.sum(examined), bottomUp.sum(examined), hybrid.sum(examined)
		f.quote("edges in all, top-down over hybrid", fmt.Sprintf("%.1f×", 23_489_787.0/618_131), times(down, both))
		f.quote("edges in all, bottom-up over hybrid", fmt.Sprintf("%.1f×", 24_269_001.0/618_131), times(up, both))
		f.claim(
			larger("the hybrid looks at fewer edges than top-down by an order of magnitude", down, both, 10),
			larger("the hybrid looks at fewer edges than bottom-up", up, both, 1),
			larger("bottom-up pays in its first iteration", bottomUp.at(0, examined), topDown.at(0, examined), 10),
		)
		return f, nil
	},
}
