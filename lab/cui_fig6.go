package lab

import (
	"context"

	"github.com/gohops/hops/internal/plot"
)

var cuiFig6 = Experiment{
	ID:    "cui/fig6",
	Title: "Steps of an allgather: plain, by leaders, shared",
	Trend: "With a leader on each node, gathering to it and distributing from it take longer than the exchange between nodes; sharing memory removes both.",
	Needs: "16 eight-socket nodes",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		const ranks, hosts = 8, 2
		size := max(1<<l.Scale/8*16, 64) // as for a graph 16 times as large: the bitmap alone is small
		ways := []string{"plain", "leader", "shared"}
		times := map[string][4]Sample{}
		for range 3 * l.Runs {
			for _, way := range ways {
				g, err := gather(way, ranks, hosts, size)
				if err != nil {
					return nil, err
				}
				s := times[way]
				s[0], s[1], s[2] = append(s[0], g.collect.Seconds()), append(s[1], g.exchange.Seconds()), append(s[2], g.distribute.Seconds())
				s[3] = append(s[3], g.total().Seconds())
				times[way] = s
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		f := &Finding{Basis: []Basis{InProcess}, Setting: "8 ranks on 2 pretended hosts; a bitmap of " + plot.Value(float64(size), "B"), Notes: []string{inProcess}}
		f.lack("a network between hosts")
		t := newTable("steps", "way", "to the leader:s", "between hosts:s", "from the leader:s", "all:s")
		p := plot.Plot{Title: "Time of an allgather by step", X: plot.Axis{Label: "way", Categories: ways}, Y: plot.Axis{Label: "time", Unit: "s"}}
		for i, step := range []string{"to the leader", "between hosts", "from the leader"} {
			series := plot.Series{Name: step, Kind: plot.Stack}
			for _, way := range ways {
				series.Y = append(series.Y, times[way][i].Median())
			}
			p.Series = append(p.Series, series)
		}
		for _, way := range ways {
			s := times[way]
			t.add(way, s[0], s[1], s[2], s[3])
		}
		f.table(t)
		f.plot(p)
		leader := times["leader"]
		inside := make(Sample, len(leader[0]))
		for i := range inside {
			inside[i] = leader[0][i] + leader[2][i]
		}
		f.claim(
			larger("by leaders, steps inside a node take longer than the one between nodes", inside, leader[1], 1),
			larger("sharing is faster than leaders", leader[3], times["shared"][3], 1),
		)
		return f, nil
	},
}

// gather is a variable so that tests can replace it.
var gather = gatherAll
