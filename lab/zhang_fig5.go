package lab

import (
	"context"
	"fmt"
	"time"

	"github.com/gohops/hops/bench"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/graph500"
)

var zhangFig5 = Experiment{
	ID:    "zhang/fig5",
	Title: "Energy: traversed edges per second and watt",
	Trend: "The adaptive code needs the least energy: 2.3 times less than fixed parameters, 1.6 times less than the CPU alone.",
	Needs: "a processor with an integrated GPU, and a power meter",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		g := kronecker(l.Scale)
		f := &Finding{Basis: []Basis{Measured}, Setting: fmt.Sprintf("%s; engines one after another, each for %v a round, %d rounds", g.name, l.energyTime(), l.Runs)}
		edges := make([]Sample, len(zhangEngines))
		for range l.Runs {
			for i, spec := range zhangEngines {
				perJoule, missing, err := l.efficiency(ctx, g, spec)
				if err != nil {
					return nil, err
				}
				if missing != "" {
					f.lack(missing)
					continue
				}
				edges[i] = append(edges[i], perJoule)
			}
		}
		t := newTable("energy", "engine", "efficiency:TEPS/W", "over Daga:×")
		for i, name := range zhangNames {
			t.add(name, edges[i], ratio(edges[i], edges[1]))
		}
		f.table(t)
		f.plot(bars("Energy efficiency", "engine", "efficiency", "TEPS/W", zhangNames, edges...))
		f.quote("adaptive over Daga", "2.3× (A10-7850K), 2.5× (Ryzen 5 2400G)", times(edges[0], edges[1]))
		f.quote("adaptive over Yasui", "1.6×, 1.3×", times(edges[0], edges[2]))
		f.claim(
			larger("adaptive searches need less energy than those with fixed parameters", edges[0], edges[1], 1),
			larger("they need less than those on the CPU alone", edges[0], edges[2], 1),
		)
		return f, nil
	},
}

// energyTime returns how long an engine searches while energy is counted: long beside
// the millisecond or so between two updates of a counter.
func (l *Lab) energyTime() time.Duration { return 10 * l.moment() }

// efficiency searches with one engine for energyTime, and returns the traversed edges
// divided by the energy that the whole machine used meanwhile. missing says why it could
// not be measured.
func (l *Lab) efficiency(ctx context.Context, g graph, spec string) (edgesPerJoule float64, missing string, err error) {
	if l.Joules == nil {
		return 0, "a meter of energy", nil
	}
	src, err := g.source()
	if err != nil {
		return 0, "", err
	}
	roots, err := bench.Roots(ctx, src, l.Roots)
	if err != nil {
		return 0, "", err
	}
	r, err := l.open(ctx, spec, src)
	if err != nil || r.graph == nil {
		return 0, r.Missing, err
	}
	defer r.graph.Close()
	first, err := r.search(ctx, roots[0], check.New(src, 0)) // also warms up
	if err != nil {
		return 0, "", err
	}
	before, err := l.Joules()
	if err != nil {
		return 0, err.Error(), nil
	}
	var edges float64
	for start := time.Now(); time.Since(start) < l.energyTime(); edges += float64(first.Edges) {
		graph500.ClearTree(r.graph, r.tree)
		if _, err := r.graph.Search(ctx, roots[0], r.tree); err != nil {
			return 0, "", err
		}
	}
	after, err := l.Joules()
	if err != nil || after <= before {
		return 0, fmt.Sprintf("a meter of energy that moves (%v)", err), nil
	}
	return edges / (after - before), "", nil
}
