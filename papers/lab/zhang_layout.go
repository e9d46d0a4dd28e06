package lab

import (
	"context"
	"fmt"
	"time"

	"github.com/gohops/hops"
)

// The two layouts of a graph: rows by falling degree, without vertices that have no edge,
// and the edge list's own. zhangRemapped is the share of the preprocessing that remapping
// takes in the paper, in percent.
var zhangLayouts = []string{"cpu", "cpu:layout=plain"}

const zhangRemapped = 41.5

func zhangRemapping(ctx context.Context, l *Lab) (*Finding, error) {
	f, runs, err := l.study(ctx, Measured, zhangLayouts...)
	if err != nil {
		return nil, err
	}
	src, err := kronecker(l.Scale).source()
	if err != nil {
		return nil, err
	}
	var built [2]Sample
	for range l.Runs {
		for i, spec := range zhangLayouts {
			if runs[i].Missing != "" {
				continue
			}
			took, err := construct(ctx, l, spec, src)
			if err != nil {
				return nil, err
			}
			built[i] = append(built[i], took.Seconds())
		}
	}
	f.layouts(runs, built)
	return f, nil
}

// construct returns how long kernel 1 takes an engine. It is a variable so that tests can
// replace it.
var construct = func(ctx context.Context, l *Lab, spec string, src hops.Source) (time.Duration, error) {
	start := time.Now()
	graph, missing, err := l.open(ctx, spec, src)
	took := time.Since(start)
	if missing != "" {
		err = fmt.Errorf("%s: built before, and now: %s", spec, missing)
	}
	if err != nil {
		return 0, err
	}
	return took, graph.Close()
}

// layouts compares searches and construction with and without remapping.
func (f *Finding) layouts(runs []Runs, built [2]Sample) {
	names := []string{"remapped", "plain"}
	t := f.table("layouts", "layout", "rate:TEPS", "bottom-up levels:s", "entries looked at there", "construction:s")
	upward := make([]Sample, 2)
	for i, r := range runs {
		upward[i] = r.sum(bottomUp(examined))
		t.add(names[i], r.teps(), r.sum(bottomUp(seconds)), upward[i], built[i])
	}
	f.plot(bars("Rate by layout", "layout", "rate", "TEPS", names, rates(runs)...))
	f.quote("remapped over not, in searches", "no figure for one code; Yasui (remapped) over Daga (not): 2.1×", times(runs[0].teps(), runs[1].teps()))
	f.Notes = append(f.Notes, "On the host alone, as Yasui's code: a device numbers its rows without the vertices of degree zero, and cannot do otherwise.")
	f.claim(
		larger("searches of a remapped graph are faster", runs[0].teps(), runs[1].teps(), 1),
		larger("without remapping, bottom-up levels look at more entries", upward[1], upward[0], 1),
	)
	text := fmt.Sprintf("remapping takes at most the paper's %g %% of the construction", zhangRemapped)
	if built[0].empty() || built[1].empty() {
		f.claim(lacking(text, notRun))
		return
	}
	share := 100 * (1 - ratio(built[1], built[0]).Median())
	f.quote("share of the construction that remapping takes", fmt.Sprintf("%g %%", zhangRemapped), fmt.Sprintf("%.1f %%", share))
	f.claim(exact(text, share <= zhangRemapped, fmt.Sprintf("%.1f %%", share)))
}

// zhangMaps are passes by vertex with each of the maps, and the engine's own passes.
var (
	zhangMaps     = []string{"gpu:stepped=on,map=bits", "gpu:stepped=on,map=bytes", "gpu:stepped=on,map=words", "gpu:stepped=on"}
	zhangMapNames = []string{"bits, by atomic operations", "bytes", "words of a warp", "words, many vertices a warp"}
)

func zhangByteMap(ctx context.Context, l *Lab) (*Finding, error) {
	f, runs, err := l.study(ctx, Measured, zhangMaps...)
	if err != nil {
		return nil, err
	}
	f.Notes = append(f.Notes, onDevice)
	t := f.table("maps", "the next frontier", "bottom-up levels:s", "over bytes:×", "rate:TEPS")
	upward := make([]Sample, len(runs))
	for i, r := range runs {
		upward[i] = r.sum(bottomUp(seconds))
	}
	for i, r := range runs {
		t.add(zhangMapNames[i], upward[i], ratio(upward[i], upward[1]), r.teps())
	}
	f.plot(bars("Time of the bottom-up levels of a search", "next frontier", "time", "s", zhangMapNames, upward...))
	f.quote("atomic bits over bytes", "no figure in the text", times(upward[0], upward[1]))
	f.quote("words of a warp, which need no atomic operations either, over bytes", "not there", times(upward[2], upward[1]))
	f.unless(l.NoGPU, larger("a byte for each vertex is faster than bits that need atomic operations", upward[0], upward[1], 1))
	return f, nil
}

// zhangShares are percentages of the vertices that the host looks for in divided levels.
var zhangShares = []int{1, 5, 25, 50}

// noGain is the gain up to which two ways count as equally fast.
const noGain = 1.05

func zhangTogether(ctx context.Context, l *Lab) (*Finding, error) {
	engines, names := []string{"adaptive:policy=daga,apart=on"}, []string{"none"}
	for _, share := range zhangShares {
		engines = append(engines, fmt.Sprintf("adaptive:policy=together,share=%d,apart=on", share))
		names = append(names, fmt.Sprintf("%d %%", share))
	}
	f, runs, err := l.study(ctx, Measured, engines...)
	if err != nil {
		return nil, err
	}
	f.Notes = append(f.Notes, onDevice)
	t := f.table("shares", "host's share of bottom-up levels", "rate:TEPS", "over the device alone:×")
	alone, best := runs[0].teps(), 1
	for i, r := range runs {
		t.add(names[i], r.teps(), ratio(r.teps(), alone))
		if i > 0 && r.teps().Median() > runs[best].teps().Median() {
			best = i
		}
	}
	f.plot(bars("Rate by the host's share", "share of the host", "rate", "TEPS", names, rates(runs)...))
	f.quote("both at once, with the best share, over one at a time", "no further improvement", times(runs[best].teps(), alone))
	text := fmt.Sprintf("with the best share of the host, %s of the vertices, working at once gains less than %.0f %%", names[best], 100*(noGain-1))
	f.unless(l.NoGPU, larger(text, runs[best].seconds(), runs[0].seconds(), 1/noGain))
	return f, nil
}
