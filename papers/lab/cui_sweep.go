package lab

import (
	"context"
	"fmt"
	"math/bits"
	"strings"

	"github.com/gohops/hops/internal/page/plot"
)

// cuiHosts returns the numbers of hosts of the weak scaling of figures 12 to 15: on the
// twin up to the eight of which the text gives figures, on processes as many as have two
// each, up to eight.
func (p place) cuiHosts() []int {
	all := []int{1, 2, 4, 8}
	switch {
	case p.twin != "":
		return all
	case p.over > 0:
		return all[:min(max(bits.Len(uint(p.over))-1, 1), len(all))]
	}
	return all[:3]
}

// cuiNode is by how much smaller the graph of one node is, in scales, where several nodes
// are compared: with 1/4 of the vertices a node of the twin spends the same share of its
// time on communication, with 1/8 half of it.
const cuiNode = 2

// cuiGraph returns the graph for a number of hosts, which is a power of two: it grows with
// them, here up to the largest.
func (p place) cuiGraph(hosts int) graph {
	log := bits.Len(uint(hosts - 1))
	if p.twin != "" {
		return kronecker(max(p.Scale-cuiNode, 1) + log)
	}
	return kronecker(p.Scale + log + 1 - len(p.cuiHosts()))
}

// cuiVersions are the curves of the figures, with the ranks of each host and the engine's
// option gather.
var cuiVersions = []struct {
	name    string
	perHost int
	gather  string
}{
	{"one rank per host", 1, "per-rank"},
	{"original", 2, "per-rank"},
	{"in_queue shared", 2, "share-in-queue"},
	{"all shared", 2, "share-all"},
	{"shared, in parallel", 2, "shared"},
}

// A cuiSweep holds the runs of every version for each number of hosts.
type cuiSweep struct {
	*Finding
	place place
	hosts []int
	runs  [][]Runs // by index in hosts, then in cuiVersions
}

// twin tells whether the figures are those of the paper's machine, so that the paper's
// numbers can be asked of them.
func (s *cuiSweep) twin() bool { return s.place.twin != "" }

// swept returns the Run function of an experiment that reports what the sweep found.
func swept(report func(s cuiSweep)) func(context.Context, *Lab) (*Finding, error) {
	return staged("cui", func(ctx context.Context, f *Finding, p place) error {
		s := cuiSweep{Finding: f, place: p, hosts: p.cuiHosts()}
		if err := s.run(ctx); err != nil {
			return err
		}
		report(s)
		return nil
	})
}

func (s *cuiSweep) run(ctx context.Context) error {
	p := s.place
	for _, hosts := range s.hosts {
		g := p.cuiGraph(hosts)
		var engines []string
		for _, v := range cuiVersions {
			engines = append(engines, p.engine("cluster", g.scale, hosts, p.ranksPer(v.perHost, hosts), "exchange=allgather,bitmaps=dense,gather="+v.gather))
		}
		runs, err := s.compare(ctx, p.Lab, g, engines...)
		if err != nil {
			return err
		}
		s.runs = append(s.runs, runs)
	}
	s.Setting += ", down to one host"
	if !s.twin() {
		s.lack("a network between hosts")
	}
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
	for i, hosts := range s.hosts {
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

// tolerance is the share by which a figure of a twin may miss the paper's.
const tolerance = .25

// phaseTime is the mean time that gathering takes in a bottom-up level.
func phaseTime(r Runs) Sample { return per(r.sum(bottomUp(gathering)), r.sum(bottomUp(levels))) }

// share is the time of gathering as a share of all searches, in percent.
func share(r Runs) Sample {
	if len(r.Searches) == 0 {
		return nil
	}
	return one(100 * r.sum(bottomUp(gathering)).Mean() / r.seconds().Mean())
}

// phaseBytes is the mean number of bytes that a bottom-up level sends.
func phaseBytes(r Runs) Sample { return per(r.sum(bottomUp(bytes)), r.sum(bottomUp(levels))) }

var cuiFig12 = swept(func(s cuiSweep) {
	cost := s.curves("Time of a communication phase", "time", "s", phaseTime, 0, 1)
	sent := s.curves("Bytes sent in a communication phase", "sent", "B", phaseBytes, 0, 1)
	shares := s.curves("Share of communication", "share", "%", share, 1)
	s.quote("share of communication on one host, all hosts", "12 %, 54 % (8 nodes)",
		shares[0].y[0].String()+" %, "+shares[0].last().String()+" %")
	s.quote("several ranks per host over one, bytes of a phase", "by formula (1) as many times as ranks", times(sent[1].last(), sent[0].last()))
	s.claim(rising("the time of a phase grows with the hosts", cost[1].y))
	if s.twin() {
		s.claim(
			calibrates("time of a phase on eight nodes, eight ranks each over one", ratio(cost[1].last(), cost[0].last()), 2.34),
			about("share of communication on eight nodes, in percent", shares[0].last(), 54, tolerance),
		)
		return
	}
	s.claim(larger("several ranks per host take longer for a phase than one", cost[1].last(), cost[0].last(), 1))
})

var cuiFig13 = swept(func(s cuiSweep) {
	cost := s.curves("Time of a communication phase", "time", "s", phaseTime, 1, 2, 3, 4)
	sent := s.curves("Bytes sent in a communication phase", "sent", "B", phaseBytes, 1, 2, 3, 4)
	s.quote("original over shared, in parallel, time", "4.07× (8 nodes)", times(cost[0].last(), cost[3].last()))
	s.quote("original over shared, in parallel, bytes", "8× less by formulas (1) and (2)", times(sent[0].last(), sent[3].last()))
	s.quote("original over in_queue shared, time", "about 2×", times(cost[0].last(), cost[1].last()))
	s.claim(about("time of a phase, original over shared, in parallel", ratio(cost[0].last(), cost[3].last()), 4.07, tolerance))
	if s.twin() {
		s.claim(
			about("time of a phase, original over in_queue shared, which cuts off half", ratio(cost[0].last(), cost[1].last()), 2, tolerance),
			larger("sharing all takes less than sharing in_queue", cost[1].last(), cost[2].last(), 1),
			larger("gathering in parallel takes less than by one rank of a host", cost[2].last(), cost[3].last(), 1),
		)
	}
})

var cuiFig14 = swept(func(s cuiSweep) {
	shares := s.curves("Share of bottom-up communication", "share", "%", share, 1, 2, 3, 4)
	s.quote("original", "54 % (8 nodes)", shares[0].last().String()+" %")
	s.quote("shared, in parallel", "18 % (8 nodes)", shares[3].last().String()+" %")
	s.claim(
		rising("the share grows with the hosts", shares[0].y),
		about("share of communication on the most hosts, original, in percent", shares[0].last(), 54, tolerance),
		about("share of communication on the most hosts, shared, in percent", shares[3].last(), 18, tolerance),
	)
})

var cuiFig15 = swept(func(s cuiSweep) {
	rates := s.curves("Weak scaling", "rate", "TEPS", s.place.rate, 1, 2, 3, 4)
	s.quote("shared, in parallel over original, most hosts", "no figure in the text", times(rates[3].last(), rates[0].last()))
	if len(rates[0].y[0]) == 0 || len(rates[3].y[0]) == 0 {
		s.claim(lacking("sharing scales better", notRun))
		return
	}
	scaled := func(c curve) Sample { return ratio(c.last(), c.y[0]) }
	s.claim(larger("sharing scales better from one host to the most", scaled(rates[3]), scaled(rates[0]), 1))
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
	}{{2, 2, "per-rank"}, {4, 2, "per-rank"}, {8, 2, "per-rank"}, {4, 2, "shared"}, {8, 2, "shared"}, {8, 4, "shared"}} {
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
