package lab

import (
	"context"
	"fmt"

	"github.com/gohops/hops/internal/plot"
)

var cuiBytes = Experiment{
	ID:    "cui/bytes",
	Title: "The formulas for bytes gathered against bytes counted",
	Trend: "Gathering m bytes on np ranks moves m·(np-1) bytes (1); by hosts, with all ranks of a host in parallel, m·(np/8-1) (2): as many as with one rank per host.",
	Needs: "a cluster",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		l = l.counting()
		g := kronecker(l.Scale + 2) // large enough for the counters that every level ends with to be few
		m := float64(int64(1)<<g.scale) / 8
		f := &Finding{Basis: []Basis{InProcess}}
		t := newTable("bytes", "ranks:#", "hosts:#", "gather", "formula:B", "counted in a bottom-up level:B", "counted over formula:×")
		formula, counted := plot.Series{Name: "formula", Kind: plot.Bar}, plot.Series{Name: "counted", Kind: plot.Bar}
		var names []string
		for _, shape := range []struct {
			ranks, hosts int
			way          string
		}{{2, 2, "plain"}, {4, 2, "plain"}, {8, 2, "plain"}, {4, 2, "shared"}, {8, 2, "shared"}, {8, 4, "shared"}} {
			engine := clusterOf(shape.ranks, shape.hosts, "exchange=allgather,bitmaps=dense,light=on,gather="+shape.way)
			runs, err := l.compare(ctx, g, engine)
			if err != nil {
				return nil, err
			}
			f.lackOf(runs...)
			f.Setting = l.setting(g, runs...) + " and others; only bottom-up levels count"
			np := shape.ranks
			if shape.way == "shared" {
				np = shape.hosts
			}
			want, got := m*float64(np-1), phaseBytes(runs[0])
			t.add(shape.ranks, shape.hosts, shape.way, want, got, ratio(got, one(want)))
			name := fmt.Sprintf("%d on %d, %s", shape.ranks, shape.hosts, shape.way)
			text := fmt.Sprintf("%s: the formula gives what is counted, within a tenth", name)
			if len(got) == 0 {
				f.claim(lacking(text, notRun))
				continue
			}
			names = append(names, name)
			formula.Y, counted.Y = append(formula.Y, want), append(counted.Y, got.Median())
			f.claim(near(text, got.Median(), want, .1))
			f.quote(name, plot.Value(want, "B"), plot.Value(got.Median(), "B"))
		}
		f.table(t)
		f.plot(plot.Plot{Title: "Bytes gathered in a level", X: plot.Axis{Label: "ranks and hosts", Categories: names}, Y: plot.Axis{Label: "sent", Unit: "B"}, Series: []plot.Series{formula, counted}})
		return f, nil
	},
}
