package lab

import "context"

var cygraphFig8 = Experiment{
	ID:    "cygraph/fig8",
	Title: "R-MAT graphs on 1 and 4 FPGAs",
	Trend: "Four FPGAs are faster than one on R-MAT graphs of all sizes and degrees.",
	Needs: "a Convey HC-2 with four Virtex-5 FPGAs",
	Run:   func(ctx context.Context, l *Lab) (*Finding, error) { return cygraphFigure(ctx, l, rmat) },
}
