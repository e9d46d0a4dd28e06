package lab

import (
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/page/plot"
)

var cuiFig3 = staged("cui", func(ctx context.Context, f *Finding, l place) error {
	switch {
	case l.twin != "":
		return f.cuiSockets(ctx, l)
	case l.over > 0:
		return nil // it is about threads
	}
	sockets := max(l.Host.Sockets, 1)
	perSocket := max(len(l.Host.CPUs)/sockets, 1)
	engines := []string{"cpu:threads=1", fmt.Sprintf("cpu:threads=%d", perSocket)}
	names := []string{"1 CPU", fmt.Sprintf("1 socket: %d CPUs", perSocket)}
	if sockets > 1 {
		engines = append(engines, fmt.Sprintf("cpu:threads=%d", len(l.Host.CPUs)))
		names = append(names, fmt.Sprintf("%d sockets: %d CPUs", sockets, len(l.Host.CPUs)))
	}
	runs, err := f.compare(ctx, l.Lab, kronecker(l.Scale), engines...)
	if err != nil {
		return err
	}
	rates := f.speeds(l, "speedup", names, runs)
	f.quote(fmt.Sprintf("one socket over one core (paper: 8 cores, here %d CPUs)", perSocket), "6.98×", times(rates[1], rates[0]))
	f.claim(larger("the CPUs of a socket are faster than one", rates[1], rates[0], 1))
	across := "sockets add less than their number"
	if sockets == 1 {
		f.lack("a second socket")
		f.claim(lacking(across, "this machine has one socket"))
		return nil
	}
	f.quote("all sockets over one", "2.77× for 8", times(rates[2], rates[1]))
	f.claim(larger(across, constant(float64(sockets), len(rates[1])), ratio(rates[2], rates[1]), 1))
	return nil
})

// cuiSockets compares sockets on the twin.
func (f *Finding) cuiSockets(ctx context.Context, l place) error {
	one := l
	one.twin, one.units = "numa-socket", 1
	runs, err := f.compare(ctx, l.Lab, kronecker(l.Scale), one.engine("cluster", l.Scale, 1, 1, cuiOriginal),
		l.engine("cluster", l.Scale, 1, 1, cuiOriginal), l.engine("cluster", l.Scale, 1, l.units, cuiOriginal))
	if err != nil {
		return err
	}
	rates := f.speeds(l, "speedup", []string{"1 socket", "8 sockets, interleaved memory", "8 sockets, a rank on each"}, runs)
	f.claim(
		about("eight sockets over one, which are less than eight times as fast", ratio(rates[1], rates[0]), 2.77, tolerance),
		about("a rank on each of eight sockets over one socket", ratio(rates[2], rates[0]), 6.31, tolerance),
	)
	return nil
}

// cuiOriginal is the paper's code without optimisations.
const cuiOriginal = "exchange=allgather,bitmaps=dense,gather=per-rank"

// speeds tabulates and draws the rates of several engines, and returns them.
func (f *Finding) speeds(l place, table string, names []string, runs []Runs) []Sample {
	rates := l.rates(runs)
	t := f.table(table, "what", "rate:TEPS", "over the first:×")
	for i, name := range names {
		t.add(name, rates[i], ratio(rates[i], rates[0]))
	}
	f.plot(bars("Rates", "what", "rate", "TEPS", names, rates...))
	return rates
}

var cuiFig4 = staged("cui", func(ctx context.Context, f *Finding, l place) error {
	perNode := []int{1, 2, 4, 8}
	rates, err := f.transfers(ctx, l, perNode, func(n int) (int, int) { return n, 64 << 10 })
	if err != nil {
		return err
	}
	f.Setting = "two hosts, packets of 64 KiB"
	f.series("bandwidth", "over one", plot.Plot{
		Title: "Bandwidth by ranks per host", X: plot.Axis{Label: "ranks per host", Scale: plot.Log2}, Y: plot.Axis{Label: "bandwidth", Unit: "B/s", Zero: true},
	}, "two hosts", perNode, rates)
	f.quote("one rank per node over eight", "about half", times(rates[0], rates[3]))
	f.claim(about("eight ranks per host over one, which reaches about half", ratio(rates[3], rates[0]), 2, tolerance))
	return nil
})

var cuiFig6 = staged("cui", func(ctx context.Context, f *Finding, l place) error {
	ranks, hosts := 8, 2
	switch {
	case l.twin != "":
		ranks, hosts = 128, 16
	case l.over > 0:
		ranks = hosts * l.ranksPer(4, hosts)
	}
	size := max(1<<l.Scale/8*16, 64) // as for a graph 16 times as large: the bitmap alone is small
	ways := []string{"per-rank", "leader", "shared"}
	times := map[string][4]Sample{}
	for range 3 * l.Runs {
		for _, way := range ways {
			g, err := gather(ctx, l, way, ranks, hosts, size)
			if err != nil {
				return err
			}
			s := times[way]
			s[0], s[1], s[2] = append(s[0], g.collect.Seconds()), append(s[1], g.exchange.Seconds()), append(s[2], g.distribute.Seconds())
			s[3] = append(s[3], g.total().Seconds())
			times[way] = s
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	f.Setting = fmt.Sprintf("%d ranks on %d hosts; a bitmap of %s", ranks, hosts, plot.Value(float64(size), "B"))
	if l.twin == "" {
		f.lack("a network between hosts")
	}
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
	return nil
})

// gather is a variable so that tests can replace it.
var gather = gatherAll

var cuiFig9 = staged("cui", func(ctx context.Context, f *Finding, l place) error {
	hosts, perHost := 2, l.ranksPer(4, 2)
	if l.twin != "" {
		hosts = 16
	}
	names := []string{"1 rank per host", "several per host", "in_queue shared", "all shared", "gathered in parallel", "summary of 256"}
	var engines []string
	for i, o := range []string{"gather=per-rank,summary=64", "gather=per-rank,summary=64", "gather=share-in-queue,summary=64", "gather=share-all,summary=64", "summary=64", "summary=256"} {
		per := perHost
		if i == 0 {
			per = 1
		}
		engines = append(engines, l.engine("cluster", l.Scale, hosts, per, "exchange=allgather,bitmaps=dense,"+o))
	}
	runs, err := f.compare(ctx, l.Lab, kronecker(l.Scale), engines...)
	if err != nil {
		return err
	}
	if l.Host.Sockets < 2 && l.twin == "" {
		f.lack("sockets to bind ranks to")
	}
	t := f.table("optimisations", "version", "rate:TEPS", "over 1 rank per host:×", "over several:×", "sent in all:B", "sent between hosts:B")
	rates := l.rates(runs)
	for i, r := range runs {
		t.add(names[i], rates[i], ratio(rates[i], rates[0]), ratio(rates[i], rates[1]), r.sum(bytes), r.sum(hostBytes))
	}
	f.plot(bars("Rate after each optimisation", "version", "rate", "TEPS", names, rates...))
	for i, paper := range []string{"1.341×", "1.406×", "1.452×", "1.60×"} {
		f.quote(names[i+2]+", over several ranks per host", paper, times(rates[i+2], rates[1]))
	}
	f.claim(
		about("one rank per socket over one per host", ratio(rates[1], rates[0]), 1.53, tolerance),
		about("all optimisations over one rank per host", ratio(rates[5], rates[0]), 2.44, tolerance),
	)
	if l.twin != "" {
		f.claim(
			larger("sharing in_queue is faster than not", rates[2], rates[1], 1),
			larger("sharing all is faster than sharing in_queue", rates[3], rates[2], 1),
			larger("gathering in parallel is faster than by one rank of a host", rates[4], rates[3], 1),
		)
	}
	return nil
})

func cuiFig10(ctx context.Context, l *Lab) (*Finding, error) {
	f, err := l.cuiPlacementHere(ctx)
	if err == nil {
		err = f.cuiPlacementThere(ctx, l)
	}
	return f, err
}

// cuiPlacementThere compares placements on one node of the twin.
func (f *Finding) cuiPlacementThere(ctx context.Context, l *Lab) error {
	p := l.twin("cui")
	here := f.Setting
	f.place, f.Basis = p.name, append(f.Basis, ModelTime)
	defer func() { f.place, f.Setting = "", here+"; "+f.Setting }()
	unbound := p
	unbound.twin = "numa-unbound"
	runs, err := f.compare(ctx, p.Lab, kronecker(p.Scale), p.engine("cluster", p.Scale, 1, 1, cuiOriginal),
		unbound.engine("cluster", p.Scale, 1, 8, cuiOriginal), p.engine("cluster", p.Scale, 1, 8, cuiOriginal))
	if err != nil {
		return err
	}
	rates := f.speeds(p, "policies", []string{"one rank, interleaved", "eight ranks, not bound", "eight ranks, bound"}, runs)
	f.claim(
		calibrates("eight bound ranks over one, interleaved", ratio(rates[2], rates[0]), 1.74),
		about("eight bound ranks over eight that are not", ratio(rates[2], rates[1]), 2.08, tolerance),
	)
	return nil
}

func (l *Lab) cuiPlacementHere(ctx context.Context) (*Finding, error) {
	n, sockets := max(len(l.Host.CPUs), 1), max(l.Host.Sockets, 1)
	names := []string{"one rank, interleaved", "one rank per CPU"}
	engines := []string{fmt.Sprintf("cluster:ranks=1,hosts=1,threads=%d,place=interleave", n), fmt.Sprintf("cluster:ranks=%d,hosts=1,threads=1", n)}
	if sockets > 1 {
		each := fmt.Sprintf("cluster:ranks=%d,hosts=1,threads=%d,place=", sockets, max(n/sockets, 1))
		names = append(names, "one rank per socket, not bound", "one rank per socket, bound")
		engines = append(engines, each+"none", each+"bind")
	}
	f, runs, err := l.study(ctx, InProcess, engines...)
	if err != nil {
		return nil, err
	}
	f.Basis, f.place = []Basis{Measured, InProcess}, "here"
	t := f.table("policies", "policy", "rate:TEPS", "over one rank:×")
	rates := rates(runs)
	for i := range runs {
		t.add(names[i], rates[i], ratio(rates[i], rates[0]))
	}
	f.plot(bars("Rate by placement", "policy", "rate", "TEPS", names, rates...))
	bound := "one rank per socket is faster than one rank for all sockets"
	if sockets == 1 {
		f.lack("a second socket: ranks of one socket all have the same memory")
		f.claim(lacking(bound, "this machine has one socket"))
		return f, nil
	}
	f.quote("one bound rank per socket over one, interleaved", "1.74×", times(rates[3], rates[0]))
	f.quote("one bound rank per socket over as many that are not", "2.08×", times(rates[3], rates[2]))
	f.claim(
		larger(bound, rates[3], rates[0], 1),
		larger("ranks that are bound are faster than others", rates[3], rates[2], 1),
	)
	return f, nil
}

var cuiFig11 = staged("cui", func(ctx context.Context, f *Finding, l place) error {
	names := []string{"1 rank", "several ranks"}
	runs, err := f.compare(ctx, l.Lab, kronecker(l.Scale), l.engine("cluster", l.Scale, 1, 1, cuiOriginal), l.engine("cluster", l.Scale, 1, l.ranksPer(2, 1), cuiOriginal))
	if err != nil {
		return err
	}
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
	t := f.table("phases", "phase", "1 rank:s", "several ranks:s")
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
		larger("bottom-up computing takes most of the time", l.total(runs[1].sum(phases[1].figure)), l.total(runs[1].seconds()), .5),
	)
	if l.twin != "" {
		f.claim(calibrates("bottom-up computing, one rank with interleaved memory over eight", ratio(runs[0].sum(phases[1].figure), runs[1].sum(phases[1].figure)), 1.58),
			calibrates("share of communication of eight ranks, in percent", share(runs[1]), 12))
	}
	return nil
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
	rates := rates(runs)
	f.series("granularity", "over 64", plot.Plot{
		Title: "Rate by granularity of the summary", X: plot.Axis{Label: "vertices per bit", Scale: plot.Log2}, Y: plot.Axis{Label: "rate", Unit: "TEPS"},
	}, "2 ranks", sizes, rates)
	f.quote("256 over 64", "1.10×", times(rates[2], rates[0]))
	if bitmap := int64(1) << l.Scale / 8; bitmap < l.Host.L2.Size {
		f.Notes = append(f.Notes, fmt.Sprintf("The whole bitmap takes %s here and fits the cache of a core: there is little for a summary to save.",
			plot.Value(float64(bitmap), "B")))
	}
	f.claim(peaked("the best granularity lies between 64 and 1024", rates, names))
	return f, nil
}
