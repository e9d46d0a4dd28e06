package lab

import (
	"context"
	"fmt"
	"strings"

	"github.com/gohops/hops/internal/plot"
)

// cuiHosts are the numbers of hosts of the weak scaling of figures 12 to 15. The scale
// grows by one with each doubling.
var cuiHosts = []int{1, 2, 4}

// cuiPerHost is the number of ranks of each host.
const cuiPerHost = 2

// cuiVersions are the curves of the figures, with the engine's option gather.
var cuiVersions = []struct{ name, gather string }{
	{"one rank per host", "plain"},
	{"original", "plain"},
	{"leaders", "leader"},
	{"shared, in parallel", "shared"},
}

// A cuiSweep holds the runs of every version for each number of hosts.
type cuiSweep struct {
	finding *Finding
	runs    [][]Runs // by index in cuiHosts, then in cuiVersions
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
		s.runs = append(s.runs, runs)
	}
	s.finding.lack("a network between hosts")
	return s, nil
}

// curves tabulates and draws a figure of all versions by hosts.
func (s cuiSweep) curves(title, label, unit string, figure func(Runs) Sample, versions ...int) []curve {
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
			y := figure(s.runs[i][v])
			row = append(row, y)
			lines[n].add(float64(hosts), y)
		}
		t.add(row...)
	}
	s.finding.table(t)
	s.finding.plot(curves(title, plot.Axis{Label: "hosts", Scale: plot.Log2}, plot.Axis{Label: label, Unit: unit, Zero: true}, lines...))
	return lines
}

// phaseTime is the mean time that gathering takes in a bottom-up level.
func phaseTime(r Runs) Sample { return per(r.sum(bottomUp(gathering)), r.sum(bottomUp(levels))) }

// share is the time of gathering as a share of the search, in percent.
func share(r Runs) Sample {
	s := per(r.sum(bottomUp(gathering)), r.seconds())
	for i := range s {
		s[i] *= 100
	}
	return s
}

// phaseBytes is the mean number of bytes that a bottom-up level sends.
func phaseBytes(r Runs) Sample { return per(r.sum(bottomUp(bytes)), r.sum(bottomUp(levels))) }
