package lab

import (
	"context"
	"fmt"

	"github.com/gohops/hops/check"
	"github.com/gohops/hops/internal/plot"
)

// zhangSaved is the share of vertices without an edge in the paper's table 6, in
// percent, by scale.
var zhangSaved = map[int]float64{22: 42.87, 23: 45.03, 24: 47.12, 25: 49.15, 26: 51.12}

var zhangTable6 = Experiment{
	ID:    "zhang/table6",
	Title: "Vertices before and after remapping",
	Trend: "Dropping vertices of degree zero saves about 48 % of them, more with every scale.",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		f := &Finding{Basis: []Basis{Measured}, Setting: "Graph500 graphs, counted from the edge list"}
		saved := map[int]float64{}
		lo, hi := l.remapScales()
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
	},
}

// remapScales returns the range of scales. They are larger than those of searches, since
// only edges are counted, and should include the paper's, from 22 on.
func (l *Lab) remapScales() (lo, hi int) {
	hi = min(l.Scale+6, 26)
	return max(hi-6, 4), hi
}

// remapping reports the share of vertices saved at each scale and makes the claims.
func (f *Finding) remapping(lo, hi int, saved map[int]float64) {
	t := newTable("vertices", "scale:#", "original:vertices", "kept:vertices", "saved:%", "paper, saved:%")
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
	f.table(t)
	f.plot(curves("Vertices without an edge", plot.Axis{Label: "scale"}, plot.Axis{Label: "saved", Unit: "%"}, c, paper))
	f.claim(rising("the share saved grows with the scale", row))
}
