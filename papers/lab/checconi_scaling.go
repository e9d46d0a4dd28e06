package lab

import (
	"context"
	"fmt"
	"math/bits"
	"time"

	"github.com/gohops/hops/internal/page/plot"
	"github.com/gohops/hops/stats"
)

var checconiFig4 = staged("checconi", func(ctx context.Context, f *Finding, l place) error {
	sizes := []int{8, 32, 128, 512, 2048, 8192, 32768}
	rates, err := f.transfers(ctx, l, sizes, func(size int) (int, int) { return 1, size })
	if err != nil {
		return err
	}
	f.Setting = "two ranks"
	t := f.table("bandwidth", "packet:B", "bandwidth:B/s")
	c := curve{name: "one pair of ranks"}
	for i, size := range sizes {
		t.add(size, rates[i])
		c.add(float64(size), rates[i])
	}
	f.plot(curves("Bandwidth by packet size", plot.Axis{Label: "packet", Unit: "B", Scale: plot.Log2},
		plot.Axis{Label: "bandwidth", Unit: "B/s", Scale: plot.Log10}, c))
	small := larger("packets of 512 bytes move more than packets of 8", rates[3], rates[0], 4)
	if l.twin != "" && small.Outcome != Unclear {
		small.Outcome = Calibrated // the header of the twin's packets was added with this figure in view
	}
	f.claim(
		small,
		larger("growth levels off: beyond 8 KiB it is less than twofold for fourfold size", constant(2, l.Runs), per(rates[6], rates[5]), 1),
	)
	return nil
})

// transfers measures bandwidth for several values, in turn. setting returns the pairs of
// ranks and the size of packets for a value.
func (f *Finding) transfers(ctx context.Context, l place, values []int, setting func(int) (pairs, size int)) ([]Sample, error) {
	rates := make([]Sample, len(values))
	for range l.Runs {
		for i, v := range values {
			pairs, size := setting(v)
			if l.over > 0 && 2*pairs > l.over {
				f.lack(fmt.Sprintf("%d processes, of which the launcher started %d", 2*pairs, l.over))
				continue
			}
			rate, err := transfer(ctx, l, pairs, size, l.moment())
			if err != nil {
				return nil, err
			}
			rates[i] = append(rates[i], rate)
		}
	}
	if l.twin == "" {
		f.lack("a network between hosts")
	}
	return rates, nil
}

// transfer is a variable so that tests can replace it.
var transfer = bandwidth

// moment returns how long one measurement of bandwidth takes.
func (l *Lab) moment() time.Duration {
	switch {
	case l.span > 0:
		return l.span
	case l.Quick:
		return 40 * time.Millisecond
	}
	return 200 * time.Millisecond
}

var checconiFig7 = staged("checconi", func(ctx context.Context, f *Finding, l place) error {
	hosts := l.hosts(min(max(2, len(l.Host.CPUs)), 4)) // ranks without a core of their own wait for one most of the time
	t := f.table("rates", "scale:#", "bulk:TEPS", "asynchronous:TEPS", "asynchronous over bulk:×")
	bulk, async := curve{name: "bulk-synchronous"}, curve{name: "asynchronous"}
	for scale := l.Scale - 2; scale <= l.Scale; scale++ {
		runs, err := f.compare(ctx, l.Lab, kronecker(scale),
			l.engine("cluster", scale, hosts, 1, "exchange=probe,sync=bulk"), l.engine("cluster", scale, hosts, 1, "exchange=probe,encoding=differential"))
		if err != nil {
			return err
		}
		rates := l.rates(runs)
		t.add(scale, rates[0], rates[1], ratio(rates[1], rates[0]))
		bulk.add(float64(scale), rates[0])
		async.add(float64(scale), rates[1])
	}
	f.Setting += ", and smaller ones"
	f.plot(curves("Rate by scale", plot.Axis{Label: "scale"}, plot.Axis{Label: "rate", Unit: "TEPS", Zero: true}, bulk, async))
	f.quote("asynchronous over bulk", "about 5×", times(async.last(), bulk.last()))
	f.claim(about("asynchronous over bulk", ratio(async.last(), bulk.last()), 5, .3))
	return nil
})

var checconiFig10 = staged("checconi", func(ctx context.Context, f *Finding, l place) error {
	t := f.table("ranks", "ranks:#", "scale:#", "min:TEPS", "1st quartile:TEPS", "median:TEPS", "3rd quartile:TEPS", "max:TEPS", "harmonic mean:TEPS")
	p := plot.Plot{Title: "Weak scaling", X: plot.Axis{Label: "ranks and scale"}, Y: plot.Axis{Label: "rate", Unit: "TEPS", Zero: true}}
	boxes := plot.Series{Kind: plot.Box}
	var rates []Sample
	sizes, options := []int{l.hosts(1), l.hosts(2), l.hosts(4)}, "threads=1"
	if l.twin != "" {
		sizes, options = []int{l.hosts(1), l.hosts(4), l.hosts(16)}, "exchange=probe,encoding=differential"
	}
	for _, ranks := range sizes {
		g := kronecker(l.Scale + bits.Len(uint(ranks)) - bits.Len(uint(l.hosts(4))))
		runs, err := f.compare(ctx, l.Lab, g, l.engine("cluster", g.scale, ranks, 1, options))
		if err != nil {
			return err
		}
		rate := runs[0].teps()
		if l.twin != "" || ranks <= len(l.Host.CPUs) {
			rates = append(rates, rate)
		}
		if len(rate) == 0 {
			continue
		}
		s := stats.Summarize(rate)
		t.add(ranks, g.scale, s.Min, s.FirstQuartile, s.Median, s.ThirdQuartile, s.Max, harmonic(rate))
		p.X.Categories = append(p.X.Categories, fmt.Sprintf("ranks: %d\nscale: %d", ranks, g.scale))
		boxes.Samples = append(boxes.Samples, rate)
	}
	f.Setting += ", and fewer ranks"
	p.Series = []plot.Series{boxes}
	f.plot(p)
	if l.twin == "" {
		f.claim(rising("TEPS grow with ranks and scale up to the CPUs of the machine", rates))
		return nil
	}
	ideal := "rate of 4 times the nodes, close to ideal"
	if len(rates[1]) == 0 || len(rates[2]) == 0 {
		f.claim(lacking(ideal, notRun))
		return f.scaleOut(ctx, l.Lab)
	}
	f.claim(
		about("rate of a node, in MTEPS, 1.4 TTEPS on 4,096", one(harmonic(rates[2])/1e6/float64(sizes[2])), 1.4e6/4096, .25),
		about(ideal, one(harmonic(rates[2])/harmonic(rates[1])), 4, .25), // on fewer nodes many neighbours are local
	)
	return f.scaleOut(ctx, l.Lab)
})

// scaleOut adds the projection to BlueGene/Q, one to 64 racks.
func (f *Finding) scaleOut(ctx context.Context, l *Lab) error {
	worse := "projected to 64 racks, in TTEPS"
	m, err := f.projector(ctx, l, worse)
	if m == nil {
		return err
	}
	points, err := published(m, "bluegene-q", [][2]int{{1024, 34}, {2048, 35}, {4096, 36}, {8192, 37}, {16384, 38}, {32768, 39}, {65536, 40}})
	if err != nil {
		return err
	}
	f.project("Projection of BlueGene/Q, 1 to 64 racks", points)
	f.racks(worse, points)
	return nil
}

// racks judges a projection from 1 to 64 racks.
func (f *Finding) racks(claim string, points []projected) {
	first, last := points[0], points[len(points)-1]
	efficiency := last.teps / first.teps / (float64(last.nodes) / float64(first.nodes))
	f.quote("64 racks, scale 40", "15.3 TTEPS", fmt.Sprintf("%s (projection)", plot.Value(last.teps, "TEPS")))
	f.quote("efficiency of 64 racks against 1", "no figure in the text", fmt.Sprintf("%.2f (projection)", efficiency))
	f.claim(about(claim, one(last.teps/1e12), 15.3, .3))
}

func harmonic(rates Sample) float64 {
	var per []float64
	for _, r := range rates {
		per = append(per, 1/r)
	}
	return stats.Rates(per).HarmonicMean
}

// threadScale is how many scales larger the graph of figure 11 is than others: on a small one
// threads wait for each other more than they search. On sixteen cores, scale 16 takes 0.4 ms.
const threadScale = 3

func checconiFig11(ctx context.Context, l *Lab) (*Finding, error) {
	threads := l.threads()
	var engines []string
	for _, n := range threads {
		engines = append(engines, clusterOf(1, 1, fmt.Sprintf("exchange=probe,threads=%d", n)))
	}
	larger := *l
	larger.Scale += threadScale
	f, runs, err := larger.study(ctx, Measured, engines...)
	if err != nil {
		return nil, err
	}
	f.series("threads", "over 1 thread", plot.Plot{
		Title: "Thread scaling", X: plot.Axis{Label: "threads", Scale: plot.Log2}, Y: plot.Axis{Label: "rate", Unit: "TEPS", Zero: true},
	}, "1D", threads, rates(runs))
	upToCPUs := rates(runs)[:bits.Len(uint(len(l.Host.CPUs)))] // threads are powers of two
	f.quote("threads of a node", "16 cores × 4 hardware threads", fmt.Sprintf("%d logical CPUs", len(l.Host.CPUs)))
	f.claim(rising("TEPS grow with threads up to the CPUs of the machine", upToCPUs))
	if len(l.Host.CPUs) < 2 {
		f.lack("a second CPU")
	}
	return f, nil
}

// threads returns the powers of two up to twice the number of CPUs.
func (l *Lab) threads() (n []int) {
	for t := 1; t <= max(2*len(l.Host.CPUs), 2); t *= 2 {
		n = append(n, t)
	}
	return n
}

var checconiFig12 = staged("checconi", func(ctx context.Context, f *Finding, l place) error {
	if l.twin == "" {
		f.Notes = append(f.Notes, "The paper's 2D code had no direction optimisation and no overlap; so has the one here, "+
			"its levels all top-down, in the first of the 2D columns.")
	}
	t := f.table("partitions", "ranks:#", "scale:#", "1D:TEPS", "2D, top-down:TEPS", "2D:TEPS", "1D over 2D top-down:×", "1D, sent:B", "2D, sent:B")
	lines := []curve{{name: "1D"}, {name: "2D, top-down"}, {name: "2D"}}
	for side := 1; side <= 2; side++ {
		ranks := l.hosts(side * side)
		g := kronecker(l.Scale - 2 + 2*(side-1))
		runs, err := f.compare(ctx, l.Lab, g, l.engine("cluster", g.scale, ranks, 1, "exchange=probe,encoding=differential"),
			l.engine("grid", g.scale, ranks, 1, "direction=top-down,bitmaps=dense"), l.engine("grid", g.scale, ranks, 1))
		if err != nil {
			return err
		}
		rates := l.rates(runs)
		for i := range lines {
			lines[i].add(float64(ranks), rates[i])
		}
		t.add(ranks, g.scale, rates[0], rates[1], rates[2], ratio(rates[0], rates[1]), runs[0].sum(bytes), runs[2].sum(bytes))
	}
	f.Setting += ", and fewer ranks"
	f.plot(curves("Weak scaling of both partitions", plot.Axis{Label: "ranks", Scale: plot.Log2}, plot.Axis{Label: "rate", Unit: "TEPS", Zero: true}, lines...))
	f.quote("1D over 2D without direction optimisation", "5.5× on 4,096 nodes", times(lines[0].y[1], lines[1].y[1]))
	f.claim(
		larger("1D is faster than plain 2D on the fewest ranks", lines[0].y[0], lines[1].y[0], 1),
		about("1D over plain 2D on the most ranks", ratio(lines[0].y[1], lines[1].y[1]), 5.5, .3),
	)
	if l.twin != "" {
		f.claim(calibrates("rate of a node with plain 2D, in MTEPS, 254 GTEPS on 4,096", ratio(lines[1].y[1], one(1e6*float64(l.hosts(4)))), 254e3/4096))
	}
	return nil
})
