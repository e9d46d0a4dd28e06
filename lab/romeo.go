package lab

import (
	"context"
	"fmt"
	"math"

	"github.com/gohops/hops/internal/plot"
)

// romeoIterations is the paper's table 3.1: edges examined in each iteration.
var romeoIterations = []struct{ topDown, bottomUp, hybrid int64 }{
	{27, 22_090_111, 27},
	{8_156, 1_568_798, 8_156},
	{3_695_684, 587_893, 587_893},
	{19_565_465, 12_586, 12_586},
	{214_578, 8_256, 8_256},
	{5_865, 1_201, 1_201},
	{12, 156, 12},
}

var romeoTable31 = compared(Measured, []string{"cpu:direction=top-down", "cpu:direction=bottom-up", "cpu"}, func(f *Finding, runs []Runs) {
	topDown, bottomUp, hybrid := runs[0], runs[1], runs[2]
	t := f.table("edges", "iteration:#", "top-down:edges", "bottom-up:edges", "hybrid:edges", "paper, top-down:edges", "paper, bottom-up:edges", "paper, hybrid:edges")
	for d := range max(deepest(runs...), len(romeoIterations)) {
		row := []any{d, topDown.at(d, examined).Mean(), bottomUp.at(d, examined).Mean(), hybrid.at(d, examined).Mean(), nil, nil, nil}
		if d < len(romeoIterations) {
			p := romeoIterations[d]
			row[4], row[5], row[6] = p.topDown, p.bottomUp, p.hybrid
		}
		t.add(row...)
	}
	f.plot(byLevel("Edges examined in each iteration", "edges", "edges", true, examined,
		[]string{"top-down", "bottom-up", "hybrid"}, runs...))

	down, up, both := topDown.sum(examined), bottomUp.sum(examined), hybrid.sum(examined)
	f.quote("edges in all, top-down over hybrid", fmt.Sprintf("%.1f×", 23_489_787.0/618_131), times(down, both))
	f.quote("edges in all, bottom-up over hybrid", fmt.Sprintf("%.1f×", 24_269_001.0/618_131), times(up, both))
	f.claim(
		larger("the hybrid looks at fewer edges than top-down by an order of magnitude", down, both, 10),
		larger("the hybrid looks at fewer edges than bottom-up", up, both, 1),
		larger("bottom-up pays in its first iteration", bottomUp.at(0, examined), topDown.at(0, examined), 10),
	)
})

var romeoFig34a = compared(Measured, []string{"cpu:direction=top-down", "cpu:direction=bottom-up", "cpu"}, func(f *Finding, runs []Runs) {
	topDown, bottomUp, hybrid := runs[0], runs[1], runs[2]
	t := f.table("time", "iteration:#", "top-down:s", "bottom-up:s", "minimum:s", "hybrid:s", "step of the hybrid")
	for d := range deepest(runs...) {
		down, up := topDown.at(d, seconds), bottomUp.at(d, seconds)
		t.add(d, down, up, math.Min(down.Median(), up.Median()), hybrid.at(d, seconds), hybrid.step(d))
	}
	f.plot(byLevel("Time of each iteration", "time", "s", true, seconds,
		[]string{"top-down", "bottom-up", "hybrid"}, runs...))
	middle := topDown.busiest(examined)
	f.quote("time in all, top-down over hybrid", "no figure in the text", times(topDown.seconds(), hybrid.seconds()))
	f.claim(
		larger("the first iteration is faster top-down", bottomUp.at(0, seconds), topDown.at(0, seconds), 1),
		larger("the iteration with most edges is faster bottom-up", topDown.at(middle, seconds), bottomUp.at(middle, seconds), 1),
		larger("the hybrid is faster than top-down alone", topDown.seconds(), hybrid.seconds(), 1),
		larger("the hybrid is faster than bottom-up alone", bottomUp.seconds(), hybrid.seconds(), 1),
	)
})

var romeoFig34b = compared(Measured, []string{"cpu", "gpu:driver=cuda", "gpu:driver=opencl"}, func(f *Finding, runs []Runs) {
	cpu, cuda, opencl := runs[0], runs[1], runs[2]
	names := []string{"cpu", "gpu, CUDA", "gpu, OpenCL"}
	t := f.table("teps", "engine", "rate:TEPS", "over cpu:×")
	for i, r := range runs {
		t.add(names[i], r.teps(), ratio(r.teps(), cpu.teps()))
	}
	f.plot(bars("CPU and accelerator", "engine", "rate", "TEPS", names, cpu.teps(), cuda.teps(), opencl.teps()))
	f.quote("GPU over CPU", "2×", times(cuda.teps(), cpu.teps()))
	f.claim(larger("the GPU is faster than the CPU", cuda.teps(), cpu.teps(), 1))
	if cuda.Missing != "" && opencl.Missing == "" {
		f.Notes = append(f.Notes, onDevice)
	}
})

func romeoFig35(ctx context.Context, l *Lab) (*Finding, error) {
	f := newFinding(InProcess)
	f.lack("GPUs in several hosts")
	t := f.table("ranks", "ranks:#", "strong, scale:#", "strong:TEPS", "weak, scale:#", "weak:TEPS")
	strong, weak := curve{name: "strong"}, curve{name: "weak"}
	for i, side := range []int{1, 2} {
		ranks := side * side
		engine := gridOf(side, side, ranks)
		fixed, err := f.compare(ctx, l, kronecker(l.Scale-2), engine)
		if err != nil {
			return nil, err
		}
		growing, err := f.compare(ctx, l, kronecker(l.Scale-2+2*i), engine)
		if err != nil {
			return nil, err
		}
		t.add(ranks, l.Scale-2, fixed[0].teps(), l.Scale-2+2*i, growing[0].teps())
		strong.add(float64(ranks), fixed[0].teps())
		weak.add(float64(ranks), growing[0].teps())
	}
	f.Setting += ", and one rank"
	f.plot(curves("2D algorithm, ranks in one process", plot.Axis{Label: "ranks", Scale: plot.Log2}, plot.Axis{Label: "rate", Unit: "TEPS", Zero: true}, strong, weak))
	f.claim(larger("with more ranks a growing graph does better than a fixed one", weak.y[1], strong.y[1], 1))
	return f, f.moreGPUs(ctx, l)
}

// moreGPUs adds the projection to 64 GPUs of the paper's cluster.
func (f *Finding) moreGPUs(ctx context.Context, l *Lab) error {
	stops := "projected, a fixed scale gains less from 64 GPUs than from 16"
	m, why, err := l.projector(ctx)
	if err != nil {
		return err
	}
	if m == nil {
		f.lack(why)
		f.claim(lacking(stops, notRun))
		return nil
	}
	strong, err := published(m, "romeo", [][2]int{{1, 21}, {4, 21}, {16, 21}, {64, 21}})
	if err != nil {
		return err
	}
	weak, err := published(m, "romeo", [][2]int{{1, 21}, {4, 23}, {16, 25}, {64, 27}})
	if err != nil {
		return err
	}
	f.project("Projection of ROMEO, strong scaling at scale 21", strong)
	f.project("Projection of ROMEO, weak scaling", weak)
	f.quote("16 GPUs, scale 21", "4.80 GTEPS", "calibrates the projection")
	f.quote("64 GPUs, weak scaling", "13.7 GTEPS", plot.Value(weak[3].teps, "TEPS")+" (projection)")
	before, after := strong[2].teps/strong[1].teps, strong[3].teps/strong[2].teps
	f.claim(
		exact(stops, after < before, fmt.Sprintf("%.2f× after %.2f×", after, before)),
		exact("projected, 64 GPUs at a fixed scale are slower than 16", after < 1, fmt.Sprintf("%.2f×", after)),
	)
	return nil
}

var romeoFig36 = compared(InProcess, []string{gridOf(2, 2, 2), gridOf(2, 2, 4)}, func(f *Finding, runs []Runs) {
	names := []string{"two ranks per host", "one rank per host"}
	f.Notes = append(f.Notes, "What is compared is the load of a network adapter, one per host, for the same four ranks: "+
		"the paper's explanation, not its rates.")
	f.lack("GPUs with a network adapter of their own")
	t := f.table("adapters", "placement", "between hosts, all:B", "through one adapter:B", "rate:TEPS")
	var loads []Sample
	for i, hosts := range []float64{2, 4} {
		load := ratio(runs[i].sum(hostBytes), one(hosts))
		loads = append(loads, load)
		t.add(names[i], runs[i].sum(hostBytes), load, runs[i].teps())
	}
	f.plot(bars("Bytes through one network adapter in a search", "placement", "sent", "B", names, loads...))
	f.quote("both GPUs of a node against one", "12 GTEPS (256 GPUs) against 13.7 (64)", "not measured: no GPUs")
	f.claim(larger("two ranks on an adapter load it more than one", loads[0], loads[1], 1))
})
