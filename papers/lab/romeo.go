package lab

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"github.com/gohops/hops/internal/page/plot"
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

// romeoTable31 takes the rule that compares edges: what is learned on a machine is about
// time, and examines more entries where that is faster.
var romeoTable31 = compared(Measured, []string{"cpu:direction=top-down", "cpu:direction=bottom-up", "cpu:policy=alpha-beta"}, func(f *Finding, runs []Runs) {
	topDown, bottomUp, hybrid := runs[0], runs[1], runs[2]
	t := f.table("entries", "iteration:#", "top-down:entries", "bottom-up:entries", "hybrid:entries", "paper, top-down:entries", "paper, bottom-up:entries", "paper, hybrid:entries")
	for d := range max(deepest(runs...), len(romeoIterations)) {
		row := []any{d, topDown.at(d, examined).Mean(), bottomUp.at(d, examined).Mean(), hybrid.at(d, examined).Mean(), nil, nil, nil}
		if d < len(romeoIterations) {
			p := romeoIterations[d]
			row[4], row[5], row[6] = p.topDown, p.bottomUp, p.hybrid
		}
		t.add(row...)
	}
	f.plot(byLevel("Entries examined in each iteration", "entries", "entries", true, examined,
		[]string{"top-down", "bottom-up", "hybrid"}, runs...))

	down, up, both := topDown.sum(examined), bottomUp.sum(examined), hybrid.sum(examined)
	f.quote("entries in all, top-down over hybrid", fmt.Sprintf("%.1f×", 23_489_787.0/618_131), times(down, both))
	f.quote("entries in all, bottom-up over hybrid", fmt.Sprintf("%.1f×", 24_269_001.0/618_131), times(up, both))
	f.claim(
		larger("the hybrid looks at fewer entries than top-down by an order of magnitude", down, both, 10),
		larger("the hybrid looks at fewer entries than bottom-up", up, both, 1),
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

// romeoStaging compares what four ranks with devices tell each other through the memory of
// the host, as the paper's first code did, with what they read from each other's devices. The
// paper gives no figure: the host was "too time-consuming".
func romeoStaging(ctx context.Context, l *Lab) (*Finding, error) {
	f, runs, err := l.study(ctx, Measured, "grid:ranks=4,shape=2x2,device=gpu,exchange=host", "grid:ranks=4,shape=2x2,device=gpu")
	if err != nil {
		return nil, err
	}
	host, direct := runs[0], runs[1]
	names := []string{"through the host", "from device to device"}
	t := f.table("exchange", "exchange", "rate:TEPS", "over the host:×", "through the bus:B")
	for i, r := range runs {
		t.add(names[i], r.teps(), ratio(r.teps(), host.teps()), r.sum(busBytes))
	}
	f.plot(bars("Exchange between devices", "exchange", "rate", "TEPS", names, host.teps(), direct.teps()))
	f.Notes = append(f.Notes, "Ranks share one device where a host has no four: then there is no link between devices to save.")
	f.unless(l.NoGPU, larger("devices that read each other's memory are faster than through the host", direct.teps(), host.teps(), 1))
	return f, nil
}

// romeoScale is the scale of the paper's strong scaling.
const romeoScale = 21

var romeoFig35 = staged("romeo", func(ctx context.Context, f *Finding, l place) error {
	sides := []int{1, 2}
	if l.over >= 16 {
		sides = []int{1, 2, 4}
	}
	if l.twin != "" {
		sides = []int{1, 2, 4, 8}
	} else {
		f.lack("GPUs in several hosts")
	}
	t := f.table("ranks", "ranks:#", "strong, scale:#", "strong:TEPS", "weak, scale:#", "weak:TEPS")
	strong, weak := curve{name: "strong"}, curve{name: "weak"}
	last := len(sides) - 1
	for i, side := range sides {
		ranks := side * side
		scale := max(l.Scale-2*last, 8) + 2*i
		fixed, err := f.compare(ctx, l.Lab, kronecker(l.Scale-2), l.romeo(ranks, l.Scale-2, romeoScale))
		if err != nil {
			return err
		}
		growing, err := f.compare(ctx, l.Lab, kronecker(scale), l.growing().romeo(ranks, scale, romeoScale+2*i))
		if err != nil {
			return err
		}
		t.add(ranks, l.Scale-2, l.rate(fixed[0]), scale, l.rate(growing[0]))
		strong.add(float64(ranks), l.rate(fixed[0]))
		weak.add(float64(ranks), l.rate(growing[0]))
	}
	f.Setting += ", and fewer ranks"
	f.plot(curves("2D algorithm", plot.Axis{Label: "ranks", Scale: plot.Log2}, plot.Axis{Label: "rate", Unit: "TEPS", Zero: true}, strong, weak))
	f.claim(larger("with the most ranks a growing graph does better than a fixed one", weak.last(), strong.last(), 1))
	if l.twin != "" {
		f.quote("weak scaling, most GPUs", "up to 12 GTEPS", weak.last().String())
		f.claim(
			calibrates("16 GPUs at a fixed scale, in GTEPS", ratio(strong.y[2], one(1e9)), 4.8),
			calibrates("at a fixed scale, 16 GPUs over 64, which are slower", ratio(strong.y[2], strong.y[3]), 1),
			larger("at a fixed scale, 16 GPUs are faster than 4", strong.y[2], strong.y[1], 1),
		)
	}
	return nil
})

// romeo returns the string of a grid of ranks, on the twin both GPUs of each node, for a
// graph that stands for one of the paper's scale.
func (p place) romeo(ranks, scale, paper int) string {
	hosts := ranks
	if p.twin != "" {
		hosts = max(1, ranks/p.units)
	}
	p.bits = paper - bits.Len(uint(hosts-1))
	return p.engine("grid", scale, hosts, ranks/hosts, romeoCode)
}

// romeoCode is the options of a grid that make it the paper's: bitmaps only, and rows that
// are told what they have found by a scan and a broadcast.
const romeoCode = "bitmaps=dense,row=prefix"

// growing returns the place for graphs that grow with the GPUs: their bitmaps do not fit
// the caches of these.
func (p place) growing() place {
	if p.twin != "" {
		p.twin = "romeo-large"
	}
	return p
}

// romeoFig36 compares 64 GPUs, one on each node, with 256, two on each of 128 nodes.
// Here it compares the load of a network adapter, one for each host, of four ranks.
var romeoFig36 = staged("romeo", func(ctx context.Context, f *Finding, l place) error {
	names, engines := []string{"two ranks per host", "one rank per host"}, []string{l.engine("grid", l.Scale, 2, 2), l.engine("grid", l.Scale, 4, 1)}
	hosts := []float64{2, 4}
	if l.twin == "" {
		f.lack("GPUs with a network adapter of their own")
	} else {
		l = l.growing()
		l.bits = 29 - 7 // the paper's scale on 128 nodes; that of 64 GPUs is not in the text
		engines = []string{l.engine("grid", l.Scale, 128, 2, romeoCode), l.engine("grid", l.Scale, 64, 1, romeoCode)}
		hosts = []float64{128, 64}
	}
	runs, err := f.compare(ctx, l.Lab, kronecker(l.Scale), engines...)
	if err != nil {
		return err
	}
	t := f.table("adapters", "placement", "between hosts, all:B", "through one adapter:B", "rate:TEPS")
	var loads []Sample
	for i := range hosts {
		load := ratio(runs[i].sum(hostBytes), one(hosts[i]))
		loads = append(loads, load)
		t.add(names[i], runs[i].sum(hostBytes), load, l.rate(runs[i]))
	}
	f.plot(bars("Bytes through one network adapter in a search", "placement", "sent", "B", names, loads...))
	if l.twin == "" {
		f.claim(larger("two ranks on an adapter load it more than one", loads[0], loads[1], 1))
		return nil
	}
	f.claim(
		calibrates("256 GPUs that share adapters, in GTEPS", ratio(l.rate(runs[0]), one(1e9)), 12),
		about("64 GPUs with an adapter each, in GTEPS", ratio(l.rate(runs[1]), one(1e9)), 13.7, tolerance),
		larger("they are faster than 256 that share adapters", l.rate(runs[1]), l.rate(runs[0]), 1),
	)
	return nil
})
