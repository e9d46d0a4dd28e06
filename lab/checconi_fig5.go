package lab

import (
	"context"
	"fmt"
)

var checconiFig5 = Experiment{
	ID:    "checconi/fig5",
	Title: "Edges per level, plain and direction-optimised",
	Trend: "Most edges fall into one central level, and direction optimisation looks at some 20 times fewer of them.",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		g := kronecker(l.Scale)
		runs, err := l.compare(ctx, g, "cpu:direction=top-down", "cpu")
		if err != nil {
			return nil, err
		}
		plain, optimised := runs[0], runs[1]
		f := &Finding{Basis: []Basis{Measured}, Setting: l.setting(g, runs...)}
		f.lackOf(runs...)
		t := newTable("edges", "level:#", "examined, plain:edges", "examined, optimised:edges", "found:vertices", "step taken")
		for d := range deepest(runs...) {
			t.add(d, plain.at(d, examined).Mean(), optimised.at(d, examined).Mean(), plain.at(d, found).Mean(), optimised.step(d))
		}
		f.table(t)
		f.plot(byLevel("Edges examined", "edges", "edges", true, examined, []string{"plain", "optimised"}, runs...))

		all, fewer := plain.sum(examined), optimised.sum(examined)
		f.quote("edges examined, plain over optimised", "roughly 20×", times(all, fewer))
		f.quote("least possible: one edge for each vertex of the tree", "close to it", times(fewer, optimised.sum(found))+" of it")
		f.claim(
			larger("direction optimisation saves an order of magnitude of edges", all, fewer, 10),
			central("a central level has most of the edges of a plain search", plain),
		)
		return f, nil
	},
}

// central claims that the level with most edges is neither at the beginning nor
// at the end of a search.
func central(text string, r Runs) Claim {
	if len(r.Searches) == 0 {
		return lacking(text, notRun)
	}
	d := r.busiest(examined)
	return exact(text, d > 1 && d < r.depth()-1, fmt.Sprintf("level %d of 0 to %d", d, r.depth()-1))
}
