package lab

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/plot"
)

func cuiFig3(ctx context.Context, l *Lab) (*Finding, error) {
	sockets := max(l.Host.Sockets, 1)
	perSocket := max(len(l.Host.CPUs)/sockets, 1)
	engines := []string{"cpu:threads=1", fmt.Sprintf("cpu:threads=%d", perSocket)}
	names := []string{"1 CPU", fmt.Sprintf("1 socket: %d CPUs", perSocket)}
	if sockets > 1 {
		engines = append(engines, fmt.Sprintf("cpu:threads=%d", len(l.Host.CPUs)))
		names = append(names, fmt.Sprintf("%d sockets: %d CPUs", sockets, len(l.Host.CPUs)))
	}
	f, runs, err := l.study(ctx, Measured, engines...)
	if err != nil {
		return nil, err
	}
	t := f.table("speedup", "CPUs", "rate:TEPS", "over 1 CPU:×")
	var rates []Sample
	for i, r := range runs {
		t.add(names[i], r.teps(), ratio(r.teps(), runs[0].teps()))
		rates = append(rates, r.teps())
	}
	f.plot(bars("Speed by CPUs", "CPUs", "rate", "TEPS", names, rates...))
	f.quote(fmt.Sprintf("one socket over one core (paper: 8 cores, here %d CPUs)", perSocket), "6.98×", times(runs[1].teps(), runs[0].teps()))
	f.claim(larger("the CPUs of a socket are faster than one", runs[1].teps(), runs[0].teps(), 1))
	across := "sockets add less than their number"
	if sockets == 1 {
		f.lack("a second socket")
		f.claim(lacking(across, "this machine has one socket"))
		return f, nil
	}
	f.quote("all sockets over one", "2.77× for 8", times(runs[2].teps(), runs[1].teps()))
	f.claim(larger(across, constant(float64(sockets), len(runs[1].Searches)), ratio(runs[2].teps(), runs[1].teps()), 1))
	return f, nil
}

func cuiFig4(ctx context.Context, l *Lab) (*Finding, error) {
	const size = 64 << 10
	perNode := []int{1, 2, 4, 8}
	rates := make([]Sample, len(perNode))
	for range l.Runs {
		for i, n := range perNode {
			rate, err := transfer(ctx, n, size, l.moment())
			if err != nil {
				return nil, err
			}
			rates[i] = append(rates[i], rate)
		}
	}
	f := newFinding(InProcess)
	f.Setting = "two pretended hosts of one process, packets of 64 KiB, 16 under way for each rank"
	f.lack("a network between hosts")
	t := f.table("bandwidth", "ranks per host:#", "bandwidth:B/s", "over one:×")
	c := curve{name: "two pretended hosts"}
	for i, n := range perNode {
		t.add(n, rates[i], ratio(rates[i], rates[0]))
		c.add(float64(n), rates[i])
	}
	f.plot(curves("Bandwidth by ranks per host", plot.Axis{Label: "ranks per host", Scale: plot.Log2},
		plot.Axis{Label: "bandwidth", Unit: "B/s", Zero: true}, c))
	f.quote("one rank per node over eight", "about half", times(rates[0], rates[3]))
	f.claim(larger("eight ranks per host move more than one", rates[3], rates[0], 1))
	return f, nil
}

func cuiFig6(ctx context.Context, l *Lab) (*Finding, error) {
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
	f := newFinding(InProcess)
	f.Setting = "8 ranks on 2 pretended hosts; a bitmap of " + plot.Value(float64(size), "B")
	f.lack("a network between hosts")
	t := f.table("steps", "way", "to the leader:s", "between hosts:s", "from the leader:s", "all:s")
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
}

// gather is a variable so that tests can replace it.
var gather = gatherAll

func cuiFig9(ctx context.Context, l *Lab) (*Finding, error) {
	const hosts, perHost = 2, 4
	names := []string{"1 rank per host", "4 ranks per host", "leaders", "shared, in parallel", "summary of 256"}
	gathered := "exchange=allgather,bitmaps=dense,"
	f, runs, err := l.study(ctx, InProcess,
		clusterOf(hosts, hosts, gathered+"gather=plain,summary=64"),
		clusterOf(hosts*perHost, hosts, gathered+"gather=plain,summary=64"),
		clusterOf(hosts*perHost, hosts, gathered+"gather=leader,summary=64"),
		clusterOf(hosts*perHost, hosts, gathered+"summary=64"),
		clusterOf(hosts*perHost, hosts, gathered+"summary=256"))
	if err != nil {
		return nil, err
	}
	if l.Host.Sockets < 2 {
		f.lack("sockets to bind ranks to")
	}
	t := f.table("optimisations", "version", "rate:TEPS", "over 1 rank per host:×", "sent in all:B", "sent between hosts:B")
	var rates []Sample
	for i, r := range runs {
		rates = append(rates, r.teps())
		t.add(names[i], r.teps(), ratio(r.teps(), runs[0].teps()), r.sum(bytes), r.sum(hostBytes))
	}
	f.plot(bars("Rate after each optimisation", "version", "rate", "TEPS", names, rates...))
	for i, paper := range []string{"1.53×", "", "2.22× (sharing and parallel allgather)", "2.44×"} {
		if paper != "" {
			f.quote(fmt.Sprintf("%s over 1 rank per node", names[i+1]), paper, times(rates[i+1], rates[0]))
		}
	}
	f.claim(
		larger("sharing is faster than every rank keeping its own bitmap", rates[3], rates[1], 1),
		larger("sharing sends fewer bytes", runs[1].sum(bytes), runs[3].sum(bytes), 1),
		larger("all optimisations together beat the original with as many ranks", rates[4], rates[1], 1),
	)
	return f, nil
}

func cuiFig10(ctx context.Context, l *Lab) (*Finding, error) {
	n := max(len(l.Host.CPUs), 1)
	sockets := max(l.Host.Sockets, 1)
	names := []string{"one rank, all CPUs", "one rank per CPU", "one rank per socket"}
	f, runs, err := l.study(ctx, InProcess,
		fmt.Sprintf("cluster:ranks=1,hosts=1,threads=%d", n),
		fmt.Sprintf("cluster:ranks=%d,hosts=1,threads=1", n),
		fmt.Sprintf("cluster:ranks=%d,hosts=1,threads=%d", sockets, max(n/sockets, 1)))
	if err != nil {
		return nil, err
	}
	f.Basis = []Basis{Measured, InProcess}
	t := f.table("policies", "policy", "rate:TEPS", "over one rank:×")
	var rates []Sample
	for i, r := range runs {
		rates = append(rates, r.teps())
		t.add(names[i], r.teps(), ratio(r.teps(), runs[0].teps()))
	}
	f.plot(bars("Rate by placement", "policy", "rate", "TEPS", names, rates...))
	f.quote("one rank per socket over one rank", "1.74×", times(rates[2], rates[0]))
	bound := "one rank per socket is faster than one rank for all sockets"
	if sockets == 1 {
		f.lack("a second socket: ranks of one socket all have the same memory")
		f.claim(lacking(bound, "this machine has one socket"))
		return f, nil
	}
	f.claim(larger(bound, rates[2], rates[0], 1))
	return f, nil
}

var cuiFig11 = compared(InProcess, []string{clusterOf(1, 1, "exchange=allgather"), clusterOf(2, 1, "exchange=allgather")}, func(f *Finding, runs []Runs) {
	names := []string{"1 rank", "2 ranks"}
	phases := []struct {
		name   string
		figure func(hops.Level) float64
	}{
		{"top-down", topDownOnly(computing)},
		{"bottom-up", bottomUp(computing)},
		{"communication", communication},
		{"switch", switching},
		{"stall", stall},
	}
	t := f.table("phases", "phase", "1 rank:s", "2 ranks:s")
	p := plot.Plot{Title: "Time of a search by phase", X: plot.Axis{Label: "ranks", Categories: names}, Y: plot.Axis{Label: "time", Unit: "s"}}
	for _, phase := range phases {
		t.add(phase.name, runs[0].sum(phase.figure), runs[1].sum(phase.figure))
		series := plot.Series{Name: phase.name, Kind: plot.Stack}
		for _, r := range runs {
			if r.Missing == "" {
				series.Y = append(series.Y, r.sum(phase.figure).Median())
			}
		}
		p.Series = append(p.Series, series)
	}
	f.plot(p)
	f.claim(
		larger("bottom-up levels reach most vertices", runs[0].sum(bottomUp(found)), runs[0].sum(found), .5),
		larger("bottom-up computing takes longer than top-down", runs[0].sum(phases[1].figure), runs[0].sum(phases[0].figure), 1),
	)
})

// topDownOnly restricts a figure to levels that are not bottom-up.
func topDownOnly(figure func(hops.Level) float64) func(hops.Level) float64 {
	return func(l hops.Level) float64 { return figure(l) - bottomUp(figure)(l) }
}

func cuiFig16(ctx context.Context, l *Lab) (*Finding, error) {
	var engines, names []string
	sizes := []int{64, 128, 256, 512, 1024}
	for _, n := range sizes {
		engines = append(engines, clusterOf(2, 2, "exchange=allgather", fmt.Sprintf("summary=%d", n)))
		names = append(names, fmt.Sprint(n))
	}
	f, runs, err := l.study(ctx, InProcess, engines...)
	if err != nil {
		return nil, err
	}
	t := f.table("granularity", "vertices per bit:#", "rate:TEPS", "over 64:×")
	c := curve{name: "2 ranks"}
	var rates []Sample
	for i, r := range runs {
		rates = append(rates, r.teps())
		t.add(sizes[i], r.teps(), ratio(r.teps(), runs[0].teps()))
		c.add(float64(sizes[i]), r.teps())
	}
	f.plot(curves("Rate by granularity of the summary", plot.Axis{Label: "vertices per bit", Scale: plot.Log2}, plot.Axis{Label: "rate", Unit: "TEPS"}, c))
	f.quote("256 over 64", "1.10×", times(rates[2], rates[0]))
	if bitmap := int64(1) << l.Scale / 8; bitmap < l.Host.L2.Size {
		f.Notes = append(f.Notes, fmt.Sprintf("The whole bitmap takes %s here and fits the cache of a core: there is little for a summary to save.",
			plot.Value(float64(bitmap), "B")))
	}
	f.claim(peaked("the best granularity lies between 64 and 1024", rates, names))
	return f, nil
}
