package lab

import (
	"context"
	"fmt"
	"time"

	"github.com/gohops/hops/internal/plot"
	"github.com/gohops/hops/stats"
)

func checconiFig4(ctx context.Context, l *Lab) (*Finding, error) {
	sizes := []int{8, 32, 128, 512, 2048, 8192, 32768}
	rates := make([]Sample, len(sizes))
	for range l.Runs {
		for i, size := range sizes {
			rate, err := transfer(ctx, 1, size, l.moment())
			if err != nil {
				return nil, err
			}
			rates[i] = append(rates[i], rate)
		}
	}
	f := newFinding(InProcess)
	f.Setting = "two ranks of one process, 16 packets under way"
	f.lack("a network between hosts")
	t := f.table("bandwidth", "packet:B", "bandwidth:B/s")
	c := curve{name: "one pair of ranks"}
	for i, size := range sizes {
		t.add(size, rates[i])
		c.add(float64(size), rates[i])
	}
	f.plot(curves("Bandwidth by packet size", plot.Axis{Label: "packet", Unit: "B", Scale: plot.Log2},
		plot.Axis{Label: "bandwidth", Unit: "B/s", Scale: plot.Log10}, c))
	f.claim(
		larger("packets of 512 bytes move more than packets of 8", rates[3], rates[0], 4),
		larger("growth levels off: beyond 8 KiB it is less than twofold for fourfold size", constant(2, l.Runs), per(rates[6], rates[5]), 1),
	)
	return f, nil
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

func checconiFig7(ctx context.Context, l *Lab) (*Finding, error) {
	f := newFinding(InProcess)
	f.Notes = append(f.Notes, "All levels are top-down, and an edge takes 8 bytes in both: "+
		"between hosts that are pretended, packets would be packed as for a slow network.")
	ranks := min(max(2, len(l.Host.CPUs)), 4) // ranks without a core of their own wait for one most of the time
	t := f.table("rates", "scale:#", "bulk:TEPS", "asynchronous:TEPS", "asynchronous over bulk:×")
	bulk, async := curve{name: "bulk-synchronous"}, curve{name: "asynchronous"}
	for scale := l.Scale - 2; scale <= l.Scale; scale++ {
		runs, err := f.compare(ctx, l, kronecker(scale), clusterOf(ranks, 1, "exchange=messages,sync=bulk"), clusterOf(ranks, 1, "exchange=messages"))
		if err != nil {
			return nil, err
		}
		t.add(scale, runs[0].teps(), runs[1].teps(), ratio(runs[1].teps(), runs[0].teps()))
		bulk.add(float64(scale), runs[0].teps())
		async.add(float64(scale), runs[1].teps())
	}
	f.Setting += ", and smaller ones"
	f.plot(curves("Rate by scale", plot.Axis{Label: "scale"}, plot.Axis{Label: "rate", Unit: "TEPS", Zero: true}, bulk, async))
	last := len(async.y) - 1
	f.quote("asynchronous over bulk", "about 5×", times(async.y[last], bulk.y[last]))
	f.claim(larger("asynchronous packets are faster than bulk exchanges", async.y[last], bulk.y[last], 1))
	return f, nil
}

func checconiFig10(ctx context.Context, l *Lab) (*Finding, error) {
	f := newFinding(InProcess)
	t := f.table("ranks", "ranks:#", "scale:#", "min:TEPS", "1st quartile:TEPS", "median:TEPS", "3rd quartile:TEPS", "max:TEPS", "harmonic mean:TEPS")
	p := plot.Plot{Title: "Weak scaling, ranks in one process", X: plot.Axis{Label: "ranks and scale"}, Y: plot.Axis{Label: "rate", Unit: "TEPS", Zero: true}}
	boxes := plot.Series{Kind: plot.Box}
	var rates []Sample
	for i, ranks := range []int{1, 2, 4} {
		g := kronecker(l.Scale - 2 + i)
		runs, err := f.compare(ctx, l, g, clusterOf(ranks, ranks, "threads=1"))
		if err != nil {
			return nil, err
		}
		rate := runs[0].teps()
		if ranks <= len(l.Host.CPUs) {
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
	f.Setting += ", down to one rank"
	p.Series = []plot.Series{boxes}
	f.plot(p)
	f.claim(rising("TEPS grow with ranks and scale up to the CPUs of the machine", rates))
	return f, f.scaleOut(ctx, l)
}

// scaleOut adds the projection to BlueGene/Q, one to 64 racks.
func (f *Finding) scaleOut(ctx context.Context, l *Lab) error {
	worse := "projected efficiency falls from 1 to 64 racks"
	m, why, err := l.projector(ctx)
	if err != nil {
		return err
	}
	if m == nil {
		f.lack(why)
		f.claim(lacking(worse, notRun))
		return nil
	}
	points, err := published(m, "bluegene-q", [][2]int{{1024, 34}, {2048, 35}, {4096, 36}, {8192, 37}, {16384, 38}, {32768, 39}, {65536, 40}})
	if err != nil {
		return err
	}
	f.project("Projection of BlueGene/Q, 1 to 64 racks", points)
	first, last := points[0], points[len(points)-1]
	efficiency := last.teps / first.teps / (float64(last.nodes) / float64(first.nodes))
	f.quote("64 racks, scale 40", "15.3 TTEPS", fmt.Sprintf("%s (projection)", plot.Value(last.teps, "TEPS")))
	f.quote("efficiency of 64 racks against 1", "no figure in the text", fmt.Sprintf("%.2f (projection)", efficiency))
	f.claim(exact(worse, efficiency < 1, fmt.Sprintf("%.3f", efficiency)))
	return nil
}

func harmonic(rates Sample) float64 {
	var per []float64
	for _, r := range rates {
		per = append(per, 1/r)
	}
	return stats.Rates(per).HarmonicMean
}

func checconiFig11(ctx context.Context, l *Lab) (*Finding, error) {
	threads := l.threads()
	var engines []string
	for _, n := range threads {
		engines = append(engines, fmt.Sprintf("cpu:threads=%d", n))
	}
	f, runs, err := l.study(ctx, Measured, engines...)
	if err != nil {
		return nil, err
	}
	t := f.table("threads", "threads:#", "rate:TEPS", "over 1 thread:×")
	c := curve{name: "cpu"}
	var upToCPUs []Sample
	for i, n := range threads {
		t.add(n, runs[i].teps(), ratio(runs[i].teps(), runs[0].teps()))
		c.add(float64(n), runs[i].teps())
		if n <= len(l.Host.CPUs) {
			upToCPUs = append(upToCPUs, runs[i].teps())
		}
	}
	f.plot(curves("Thread scaling",
		plot.Axis{Label: "threads", Scale: plot.Log2}, plot.Axis{Label: "rate", Unit: "TEPS", Zero: true}, c))
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

func checconiFig12(ctx context.Context, l *Lab) (*Finding, error) {
	f := newFinding(InProcess)
	f.Notes = append(f.Notes, "The paper's 2D code had no direction optimisation and no overlap; so has the one here, "+
		"its levels all top-down, in the first of the 2D columns.")
	t := f.table("partitions", "ranks:#", "scale:#", "1D:TEPS", "2D, top-down:TEPS", "2D:TEPS", "1D over 2D top-down:×", "1D, sent:B", "2D, sent:B")
	lines := []curve{{name: "1D"}, {name: "2D, top-down"}, {name: "2D"}}
	for side := 1; side <= 2; side++ {
		ranks := side * side
		g := kronecker(l.Scale - 2 + 2*(side-1))
		runs, err := f.compare(ctx, l, g, clusterOf(ranks, ranks), gridOf(side, side, ranks, "direction=top-down"), gridOf(side, side, ranks))
		if err != nil {
			return nil, err
		}
		for i := range lines {
			lines[i].add(float64(ranks), runs[i].teps())
		}
		t.add(ranks, g.scale, runs[0].teps(), runs[1].teps(), runs[2].teps(), ratio(runs[0].teps(), runs[1].teps()), runs[0].sum(bytes), runs[2].sum(bytes))
	}
	f.Setting += ", and one rank"
	f.plot(curves("Weak scaling of both partitions", plot.Axis{Label: "ranks", Scale: plot.Log2}, plot.Axis{Label: "rate", Unit: "TEPS", Zero: true}, lines...))
	f.quote("1D over 2D without direction optimisation", "5.5× on 4,096 nodes", times(lines[0].y[1], lines[1].y[1]))
	f.claim(
		larger("1D is faster than plain 2D on one rank", lines[0].y[0], lines[1].y[0], 1),
		larger("1D is faster than plain 2D on four ranks", lines[0].y[1], lines[1].y[1], 1),
	)
	return f, nil
}
