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
	*Finding
	runs [][]Runs // by index in cuiHosts, then in cuiVersions
}

// swept returns the Run function of an experiment that reports what the sweep found.
func swept(report func(s cuiSweep)) func(context.Context, *Lab) (*Finding, error) {
	return func(ctx context.Context, l *Lab) (*Finding, error) {
		s := cuiSweep{Finding: newFinding(InProcess)}
		if err := s.run(ctx, l); err != nil {
			return nil, err
		}
		report(s)
		return s.Finding, nil
	}
}

func (s *cuiSweep) run(ctx context.Context, l *Lab) error {
	for i, hosts := range cuiHosts {
		var engines []string
		for v, version := range cuiVersions {
			perHost := cuiPerHost
			if v == 0 {
				perHost = 1
			}
			engines = append(engines, clusterOf(hosts*perHost, hosts, "exchange=allgather,bitmaps=dense,gather="+version.gather))
		}
		runs, err := s.compare(ctx, l, kronecker(l.Scale-2+i), engines...)
		if err != nil {
			return err
		}
		s.runs = append(s.runs, runs)
	}
	s.Setting += ", down to one host; two ranks per host"
	s.lack("a network between hosts")
	return nil
}

// curves tabulates and draws a figure of all versions by hosts.
func (s cuiSweep) curves(title, label, unit string, figure func(Runs) Sample, versions ...int) []curve {
	columns := []string{"hosts:#"}
	var lines []curve
	for _, v := range versions {
		columns = append(columns, cuiVersions[v].name+":"+unit)
		lines = append(lines, curve{name: cuiVersions[v].name})
	}
	t := s.table(strings.ToLower(title), columns...)
	for i, hosts := range cuiHosts {
		row := []any{hosts}
		for n, v := range versions {
			y := figure(s.runs[i][v])
			row = append(row, y)
			lines[n].add(float64(hosts), y)
		}
		t.add(row...)
	}
	s.plot(curves(title, plot.Axis{Label: "hosts", Scale: plot.Log2}, plot.Axis{Label: label, Unit: unit, Zero: true}, lines...))
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

var cuiFig12 = swept(func(s cuiSweep) {
	cost := s.curves("Time of a communication phase", "time", "s", phaseTime, 0, 1)
	sent := s.curves("Bytes sent in a communication phase", "sent", "B", phaseBytes, 0, 1)
	shares := s.curves("Share of communication", "share", "%", share, 1)
	s.quote("share of communication on one host, all hosts", "12 %, 54 % (8 nodes)",
		shares[0].y[0].String()+" %, "+shares[0].y[len(cuiHosts)-1].String()+" %")
	s.claim(
		rising("what a phase sends grows with the hosts", sent[1].y),
		larger("two ranks per host send more than one", sent[1].y[2], sent[0].y[2], 1),
		rising("the time of a phase grows with the hosts", cost[1].y),
	)
})

var cuiFig13 = swept(func(s cuiSweep) {
	cost := s.curves("Time of a communication phase", "time", "s", phaseTime, 1, 2, 3)
	sent := s.curves("Bytes sent in a communication phase", "sent", "B", phaseBytes, 1, 2, 3)
	last := len(cuiHosts) - 1
	s.quote("original over shared, in parallel, time", "4.07× (8 nodes)", times(cost[0].y[last], cost[2].y[last]))
	s.quote("original over shared, in parallel, bytes", "8× less by formulas (1) and (2)", times(sent[0].y[last], sent[2].y[last]))
	s.claim(
		larger("sharing sends less in a phase", sent[0].y[last], sent[2].y[last], 1),
		larger("sharing takes less time in a phase", cost[0].y[last], cost[2].y[last], 1),
	)
})

var cuiFig14 = swept(func(s cuiSweep) {
	shares := s.curves("Share of bottom-up communication", "share", "%", share, 1, 2, 3)
	last := len(cuiHosts) - 1
	s.quote("original", "54 % (8 nodes)", shares[0].y[last].String()+" %")
	s.quote("shared, in parallel", "18 % (8 nodes)", shares[2].y[last].String()+" %")
	s.claim(
		larger("sharing lowers the share of communication", shares[0].y[last], shares[2].y[last], 1),
		rising("the share grows with the hosts", shares[0].y),
	)
})

var cuiFig15 = swept(func(s cuiSweep) {
	rates := s.curves("Weak scaling", "rate", "TEPS", Runs.teps, 1, 2, 3)
	last := len(cuiHosts) - 1
	s.quote("shared, in parallel over original, most hosts", "1.45× (16 nodes: 34.1 %, 6.5 % and 4.6 %)", times(rates[2].y[last], rates[0].y[last]))
	s.claim(larger("sharing is faster on the most hosts", rates[2].y[last], rates[0].y[last], 1))
})

func cuiBytes(ctx context.Context, l *Lab) (*Finding, error) {
	l = l.counting()
	g := kronecker(l.Scale + 2) // large enough for the counters that every level ends with to be few
	m := float64(int64(1)<<g.scale) / 8
	f := &Finding{Basis: []Basis{InProcess}}
	t := f.table("bytes", "ranks:#", "hosts:#", "gather", "formula:B", "counted in a bottom-up level:B", "counted over formula:×")
	formula, counted := plot.Series{Name: "formula", Kind: plot.Bar}, plot.Series{Name: "counted", Kind: plot.Bar}
	var names []string
	for _, shape := range []struct {
		ranks, hosts int
		way          string
	}{{2, 2, "plain"}, {4, 2, "plain"}, {8, 2, "plain"}, {4, 2, "shared"}, {8, 2, "shared"}, {8, 4, "shared"}} {
		engine := clusterOf(shape.ranks, shape.hosts, "exchange=allgather,bitmaps=dense,light=on,gather="+shape.way)
		runs, err := f.compare(ctx, l, g, engine)
		if err != nil {
			return nil, err
		}
		f.Setting += " and others; only bottom-up levels count"
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
	f.plot(plot.Plot{Title: "Bytes gathered in a level", X: plot.Axis{Label: "ranks and hosts", Categories: names}, Y: plot.Axis{Label: "sent", Unit: "B"}, Series: []plot.Series{formula, counted}})
	return f, nil
}
