package lab

import (
	"context"
	"fmt"

	"github.com/gohops/hops/check"
	"github.com/gohops/hops/internal/page/plot"
)

// zhangEngines are engines for the three codes that the paper compares: adaptive; Daga's, a
// hybrid with fixed parameters, top-down on the host and bottom-up on the device; and
// Yasui's, on the host alone. The last is adaptive by the paper's own model. zhangNames are
// their names in figures.
var (
	zhangEngines = []string{"adaptive", "adaptive:policy=daga", "adaptive:policy=yasui", "adaptive:policy=zhang"}
	zhangNames   = []string{"adaptive", "Daga", "Yasui", "Zhang's model"}
)

// The paper's averages over its five scales, and the share of Daga's that has to be reached.
const (
	zhangOverDaga  = 2.3
	zhangTolerance = .7
)

func zhangFig4(ctx context.Context, l *Lab) (*Finding, error) {
	f := &Finding{Basis: []Basis{Measured}, Notes: []string{onDevice}}
	t := f.table("rates", "scale:#", "adaptive:TEPS", "Daga:TEPS", "Yasui:TEPS", "Zhang's model:TEPS")
	var lines []curve
	for _, name := range zhangNames {
		lines = append(lines, curve{name: name})
	}
	all := make([]Sample, len(zhangNames))
	var claims []Claim
	for scale := l.Scale - 2; scale <= l.Scale; scale++ {
		runs, err := f.compare(ctx, l, kronecker(scale), zhangEngines...)
		if err != nil {
			return nil, err
		}
		here := rates(runs)
		t.add(scale, here[0], here[1], here[2], here[3])
		for i := range lines {
			lines[i].add(float64(scale), here[i])
			all[i] = append(all[i], here[i]...)
		}
		claims = append(
			claims,
			larger(fmt.Sprintf("adaptive is faster than fixed parameters at scale %d", scale), here[0], here[1], 1),
			larger(fmt.Sprintf("adaptive is faster than the CPU alone at scale %d", scale), here[0], here[2], 1),
		)
	}
	f.Setting += ", and smaller ones"
	f.plot(curves("Rate by scale", plot.Axis{Label: "scale"}, plot.Axis{Label: "rate", Unit: "TEPS", Zero: true}, lines...))
	f.quote("adaptive over Daga", "2.3×", times(all[0], all[1]))
	f.quote("adaptive over Yasui", "1.1×", times(all[0], all[2]))
	f.quote("adaptive by the paper's model over Daga", "2.3×", times(all[3], all[1]))
	text := fmt.Sprintf("over all scales it is at least %g of 2.3 times as fast as fixed parameters", zhangTolerance)
	f.unless(l.NoModel, append(claims, larger(text, all[0], all[1], zhangTolerance*zhangOverDaga))...)
	return f, nil
}

// zhangSaved is the share of vertices without an edge in the paper's table 6, in
// percent, by scale.
var zhangSaved = map[int]float64{22: 42.87, 23: 45.03, 24: 47.12, 25: 49.15, 26: 51.12}

func zhangTable6(ctx context.Context, l *Lab) (*Finding, error) {
	f := &Finding{Basis: []Basis{Measured}, Setting: "Graph500 graphs, counted from the edge list"}
	saved := map[int]float64{}
	// Scales are larger than those of searches, since only edges are counted, and should
	// include the paper's, from 22 on.
	hi := min(l.Scale+6, 26)
	lo := max(hi-6, 4)
	for scale := lo; scale <= hi; scale++ {
		src, err := kronecker(scale).source()
		if err != nil {
			return nil, err
		}
		connected, err := check.HasEdge(ctx, src, 0)
		if err != nil {
			return nil, err
		}
		kept := 0
		for v := range src.NumVertices() {
			if connected(v) {
				kept++
			}
		}
		saved[scale] = 100 * (1 - float64(kept)/float64(src.NumVertices()))
	}
	f.remapping(lo, hi, saved)
	return f, nil
}

// remapping reports the share of vertices saved at each scale and makes the claims.
func (f *Finding) remapping(lo, hi int, saved map[int]float64) {
	t := f.table("vertices", "scale:#", "original:vertices", "kept:vertices", "saved:%", "paper, saved:%")
	c, paper := curve{name: "here"}, curve{name: "paper"}
	var row []Sample
	for scale := lo; scale <= hi; scale++ {
		n := float64(int64(1) << scale)
		theirs, known := zhangSaved[scale]
		t.add(scale, n, n*(1-saved[scale]/100), saved[scale], map[bool]any{true: theirs}[known])
		row = append(row, one(saved[scale]))
		c.add(float64(scale), one(saved[scale]))
		if known {
			paper.add(float64(scale), one(theirs))
			f.quote(fmt.Sprintf("saved at scale %d", scale), fmt.Sprintf("%.2f %%", theirs), fmt.Sprintf("%.2f %%", saved[scale]))
			f.claim(near(fmt.Sprintf("at scale %d the share is the paper's", scale), saved[scale], theirs, .01))
		}
	}
	f.plot(curves("Vertices without an edge", plot.Axis{Label: "scale"}, plot.Axis{Label: "saved", Unit: "%"}, c, paper))
	f.claim(rising("the share saved grows with the scale", row))
}
