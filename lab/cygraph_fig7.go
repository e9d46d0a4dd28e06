package lab

import "context"

var cygraphFig7 = Experiment{
	ID:    "cygraph/fig7",
	Title: "Random graphs on 1 and 4 FPGAs",
	Trend: "Four FPGAs are faster than one on random graphs of all sizes and degrees.",
	Needs: "a Convey HC-2 with four Virtex-5 FPGAs",
	Run:   func(ctx context.Context, l *Lab) (*Finding, error) { return cygraphFigure(ctx, l, uniform) },
}
