package lab

import (
	"context"
	"fmt"
	"strings"

	"github.com/gohops/hops/internal/plot"
)

// The weak scaling of figures 12 to 15: 1, 2 and 4 hosts of two ranks, a scale
// more for each doubling.
var cuiHosts = []int{1, 2, 4}

const cuiPerHost = 2

// cuiVersions are the curves of the figures, by what is told to the engine.
var cuiVersions = []struct{ name, gather string }{
	{"one rank per host", "plain"},
	{"original", "plain"},
	{"leaders", "leader"},
	{"shared, in parallel", "shared"},
}

// A cuiSweep has the runs of every version for each number of hosts. The engine
// does not time the gathering of a level apart, so the same gathering is timed by
// itself.
type cuiSweep struct {
	finding *Finding
	points  [][]cuiPoint // by hosts, then version
}

type cuiPoint struct {
	Runs
	phase Sample // seconds of one gathering
}

func (l *Lab) cuiSweep(ctx context.Context) (cuiSweep, error) {
	s := cuiSweep{finding: &Finding{Basis: []Basis{InProcess}, Notes: []string{inProcess}}}
	for i, hosts := range cuiHosts {
		g := kronecker(l.Scale - 2 + i)
		var engines []string
		for v, version := range cuiVersions {
			perHost := cuiPerHost
			if v == 0 {
				perHost = 1
			}
			engines = append(engines, clusterOf(hosts*perHost, hosts, "exchange=allgather,bitmaps=dense,gather="+version.gather))
		}
		runs, err := l.compare(ctx, g, engines...)
		if err != nil {
			return s, err
		}
		s.finding.lackOf(runs...)
		s.finding.Setting = fmt.Sprintf("%s, down to one host; two ranks per host", l.setting(g, runs...))
		points := make([]cuiPoint, len(runs))
		for v, r := range runs {
			points[v] = cuiPoint{Runs: r}
			if r.Missing == "" {
				if points[v].phase, err = l.gatherTimes(ctx, v, hosts, 1<<g.scale/8); err != nil {
					return s, err
				}
			}
		}
		s.points = append(s.points, points)
	}
	s.finding.lack("a network between hosts")
	return s, nil
}

// gatherTimes is how long gathering a bitmap takes in one of the versions.
func (l *Lab) gatherTimes(ctx context.Context, version, hosts, size int) (s Sample, err error) {
	ranks := hosts * cuiPerHost
	if version == 0 {
		ranks = hosts
	}
	for range 3 * l.Runs {
		g, err := gather(cuiVersions[version].gather, ranks, hosts, max(size, ranks))
		if err != nil {
			return nil, err
		}
		s = append(s, g.total().Seconds())
	}
	return s, ctx.Err()
}

// curves tabulates and draws a figure of all versions by hosts.
func (s cuiSweep) curves(title, label, unit string, figure func(cuiPoint) Sample, versions ...int) []curve {
	columns := []string{"hosts:#"}
	var lines []curve
	for _, v := range versions {
		columns = append(columns, cuiVersions[v].name+":"+unit)
		lines = append(lines, curve{name: cuiVersions[v].name})
	}
	t := newTable(strings.ToLower(title), columns...)
	for i, hosts := range cuiHosts {
		row := []any{hosts}
		for n, v := range versions {
			y := figure(s.points[i][v])
			row = append(row, y)
			lines[n].add(float64(hosts), y)
		}
		t.add(row...)
	}
	s.finding.table(t)
	s.finding.plot(curves(title, plot.Axis{Label: "hosts", Scale: plot.Log2}, plot.Axis{Label: label, Unit: unit, Zero: true}, lines...))
	return lines
}

// phaseTime is how long gathering takes in a bottom-up level.
func phaseTime(p cuiPoint) Sample { return p.phase }

// share is the part of a search that its gatherings take, in percent.
func share(p cuiPoint) Sample {
	s := ratio(p.sum(bottomUp(levels)), p.seconds())
	for i := range s {
		s[i] *= 100 * p.phase.Median()
	}
	return s
}

// phaseBytes is what a bottom-up level sends.
func phaseBytes(p cuiPoint) Sample { return per(p.sum(bottomUp(bytes)), p.sum(bottomUp(levels))) }

func rate(p cuiPoint) Sample { return p.teps() }
