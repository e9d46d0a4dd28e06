package lab

import (
	"context"
	"fmt"
	"slices"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/page/plot"
	"github.com/gohops/hops/papers/hdl"
)

// cygraphMachines are the engines of the paper's figures: CyGraph with 16 kernels on each
// of 1 or 4 FPGAs, and the design of Betkaoui et al. on 4.
var cygraphMachines = []string{"cygraph:kernels=16", "cygraph", "cygraph:design=betkaoui"}

// cygraphNames are the names of cygraphMachines in figures.
var cygraphNames = []string{"CyGraph, 1 FPGA", "CyGraph, 4 FPGAs", "Betkaoui, 4 FPGAs"}

// cygraphDegrees are the average degrees of the paper's graphs.
var cygraphDegrees = []int{8, 16, 32, 64}

// entries is the throughput in row entries a second. The paper counts edges this way:
// each edge twice, once at either end.
func (r Runs) entries() Sample {
	return r.of(func(s graph500.Search) float64 { return 2 * s.TEPS() })
}

// cygraphFigure returns figure 7 or 8: graphs of all degrees of the paper and of four
// sizes, up to the scale of the lab. Claims are about the largest, because on smaller ones
// the latency of a level hides the rest.
func cygraphFigure(kind func(scale, degree int) graph) func(context.Context, *Lab) (*Finding, error) {
	return func(ctx context.Context, l *Lab) (*Finding, error) {
		f := newFinding(ModelTime)
		return f, f.sizesAndDegrees(ctx, l.simulated(), kind)
	}
}

func (f *Finding) sizesAndDegrees(ctx context.Context, l *Lab, kind func(scale, degree int) graph) error {
	t := f.table("searches", "vertices:log₂", "degree:#", "machine", "model time:s", "rate:entries/s")
	var lines [3][]curve // by machine, then by degree
	var ahead, ofOne []Sample
	smallest := max(l.Scale-3, 4)
	for d, degree := range cygraphDegrees {
		for i, name := range cygraphNames {
			lines[i] = append(lines[i], curve{name: fmt.Sprintf("degree %d, %s", degree, name)})
		}
		for scale := smallest; scale <= l.Scale; scale++ {
			runs, err := f.compare(ctx, l, kind(scale, degree), cygraphMachines...)
			if err != nil {
				return err
			}
			for i, r := range runs {
				t.add(scale, degree, cygraphNames[i], r.seconds(), r.entries())
				lines[i][d].add(float64(scale), r.entries())
			}
			if scale == l.Scale {
				ahead = append(ahead, ratio(runs[2].seconds(), runs[1].seconds()))
				ofOne = append(ofOne, ratio(runs[2].seconds(), runs[0].seconds()))
			}
		}
	}
	f.Setting = fmt.Sprintf("2^%d to 2^%d vertices, degree 8 to 64; %d roots, every tree validated", smallest, l.Scale, l.Roots)
	x := plot.Axis{Label: "vertices", Unit: "log₂"}
	y := plot.Axis{Label: "rate", Unit: "entries/s", Zero: true}
	for i, name := range cygraphNames {
		f.plot(curves("Throughput of "+name, x, y, lines[i]...))
	}
	for d, degree := range cygraphDegrees {
		what := fmt.Sprintf("over Betkaoui et al. at degree %d: CyGraph on 4 FPGAs; on 1", degree)
		paper := []string{"ahead", "ahead", "relatively close", "relatively close"}[d]
		f.quote(what, paper, fmt.Sprintf("%s×; %s×", ahead[d], ofOne[d]))
	}
	f.aheadOfBetkaoui("", ahead)
	return nil
}

// closeBy is the factor within which two designs count as relatively close. The paper
// gives no figure.
const closeBy = 2.0

// aheadOfBetkaoui adds the claims about speed-ups over the earlier design, by degree.
func (f *Finding) aheadOfBetkaoui(where string, ahead []Sample) {
	last := len(ahead) - 1
	sparser := slices.Clone(ahead)
	slices.Reverse(sparser)
	f.claim(
		larger("CyGraph is ahead of the earlier design at degree 8"+where, ahead[0], constant(1, len(ahead[0])), 1),
		larger("CyGraph is ahead of the earlier design at degree 16"+where, ahead[1], constant(1, len(ahead[1])), 1),
		rising("the speed-up grows as graphs get sparser"+where, sparser),
	)
	text := fmt.Sprintf("the two are close at degree 64%s, within a factor of %g", where, closeBy)
	if ahead[last].empty() {
		f.claim(lacking(text, notRun))
		return
	}
	middle := ahead[last].Median()
	f.claim(exact(text, middle <= closeBy && middle >= 1/closeBy, ahead[last].String()+" times"))
}

// fig9Scale is the least scale at which the largest speed-up is judged: from it on the loop
// over all vertices takes longer than the latency of a level, as it does on the paper's graphs
// of scale 20 to 23.
const fig9Scale = 17

func cygraphFig9(ctx context.Context, l *Lab) (*Finding, error) {
	m := l.simulated()
	f := newFinding(ModelTime)
	t := f.table("degree", "graph", "degree:#", "CyGraph:s", "Betkaoui:s", "speed-up:×", "speed-up if every kernel loops:×")
	names := []string{"random", "R-MAT"}
	var lines []curve
	var all [2][]Sample
	for i, kind := range []func(scale, degree int) graph{uniform, rmat} {
		line := curve{name: names[i]}
		for _, degree := range cygraphDegrees {
			runs, err := f.compare(ctx, m, kind(m.Scale, degree), cygraphMachines[1], cygraphMachines[2], cygraphMachines[2]+",loop=16")
			if err != nil {
				return nil, err
			}
			ahead := ratio(runs[1].seconds(), runs[0].seconds())
			t.add(names[i], degree, runs[0].seconds(), runs[1].seconds(), ahead, ratio(runs[2].seconds(), runs[0].seconds()))
			line.add(float64(degree), ahead)
			all[i] = append(all[i], ahead)
		}
		lines = append(lines, line)
	}
	f.Setting = "4 FPGAs; " + m.setting(uniform(m.Scale, 8)) + "; and R-MAT"
	x := plot.Axis{Label: "average degree", Scale: plot.Log2}
	f.plot(curves("Speed-up over the earlier design", x, plot.Axis{Label: "speed-up", Unit: "×", Zero: true}, lines...))
	large := *m
	large.Scale, large.Roots = min(m.Scale+3, max(m.Scale, fig9Scale)), 1
	runs, err := f.compare(ctx, &large, uniform(large.Scale, 8), cygraphMachines[1:]...)
	if err != nil {
		return nil, err
	}
	largest := ratio(runs[1].seconds(), runs[0].seconds())
	f.quote(fmt.Sprintf("the largest speed-up, on a random graph of 2^%d vertices and degree 8", large.Scale), "up to 5×", largest.String()+"×")
	for i, name := range names {
		f.aheadOfBetkaoui(" on "+name+" graphs", all[i])
	}
	f.claim(about(fmt.Sprintf("the speed-up over the earlier design at degree 8 on a random graph of 2^%d vertices", large.Scale), largest, 5, .4))
	return f, nil
}

// The FPGA of the paper's machine, which has four of them.
const (
	lx330LUT = 207_360 // look-up tables of a Virtex-5 LX330
	lx330RAM = 288     // block RAMs of 36 kbit of a Virtex-5 LX330

	platformLUT = 10.0 // percent of the look-up tables that the machine's interfaces take, from the paper
	platformRAM = 25.0 // percent of the block RAMs that they take, from the paper

	kernelsPerFPGA = 16
)

// paperResources is Table I, in percent of an FPGA with the platform's interfaces, for
// CyGraph on 1 and on 4 FPGAs.
var paperResources = [2]struct{ lut, ram, pairs float64 }{{53, 55, 74}, {55, 55, 74}}

func cygraphTable1(ctx context.Context, l *Lab) (*Finding, error) {
	modules := []string{"cygraph_hop", "cygraph_kernel", "cygraph_axi", "cygraph_master", "cygraph_regs"}
	f := &Finding{Basis: []Basis{Measured}, Setting: "yosys synth_xilinx for Virtex-5, before placement: 16 kernels, their memory masters, the master and the registers; on 4 FPGAs also the ring between them"}
	if l.Quick {
		modules = modules[:2]
		f.Setting = "yosys synth_xilinx for Virtex-5, before placement: 16 kernels, which are nearly all of it; on 4 FPGAs also the ring between them"
	}
	var parts [5]hdl.Resources
	for i, module := range modules {
		var err error
		if parts[i], err = synthesise(ctx, module, "xc5v", nil); ctx.Err() != nil {
			return nil, err
		}
		if err != nil {
			f.lack(err.Error())
			f.claim(lacking("the design takes as much of an FPGA as the paper's", notRun))
			return f, nil
		}
	}
	f.resources(parts)
	return f, nil
}

// synthesise is a variable so that tests can replace it: synthesis takes a minute.
var synthesise = hdl.Synthesise

func (f *Finding) resources(parts [5]hdl.Resources) {
	hop, kernel, axi, master, regs := parts[0], parts[1], parts[2], parts[3], parts[4]
	of := func(count func(hdl.Resources) int, whole, platform float64) (one, four float64) {
		n := kernelsPerFPGA*(count(kernel)+count(axi)) + count(master) + count(regs)
		return 100*float64(n)/whole + platform, 100*float64(n+count(hop))/whole + platform
	}
	lut1, lut4 := of(func(r hdl.Resources) int { return r.LUT }, lx330LUT, platformLUT)
	ram1, ram4 := of(func(r hdl.Resources) int { return r.RAMB36 }, lx330RAM, platformRAM)
	pairs1, pairs4 := of(func(r hdl.Resources) int { return r.Pairs }, lx330LUT, platformLUT)
	one, four := paperResources[0], paperResources[1]
	t := f.table("resources of an LX330, the platform's own included", "what", "1 FPGA:%", "paper, 1 FPGA:%", "4 FPGAs:%", "paper, 4 FPGAs:%")
	t.add("look-up tables", lut1, one.lut, lut4, four.lut)
	t.add("block RAM, 36 kbit", ram1, one.ram, ram4, four.ram)
	t.add("LUT–FF pairs", pairs1, one.pairs, pairs4, four.pairs)
	f.plot(plot.Plot{
		Title: "Each of 4 FPGAs, platform included", X: plot.Axis{Label: "resource", Categories: []string{"look-up tables", "block RAM", "LUT–FF pairs"}},
		Y: plot.Axis{Label: "used", Unit: "%"},
		Series: []plot.Series{
			{Name: "here", Kind: plot.Bar, Y: []float64{lut4, ram4, pairs4}},
			{Name: "paper", Kind: plot.Bar, Y: []float64{four.lut, four.ram, four.pairs}},
		},
	})
	f.Notes = append(f.Notes, "A flip-flop shares a pair with the look-up table that feeds it, if that has no other; placement may also put unrelated ones together.")
	f.claim(
		about("percent of the look-up tables on 1 FPGA", Sample{lut1}, one.lut, .25),
		about("percent of the look-up tables on 4 FPGAs", Sample{lut4}, four.lut, .25),
		about("percent of the block RAM on 1 FPGA", Sample{ram1}, one.ram, .1),
		about("percent of the block RAM on 4 FPGAs", Sample{ram4}, four.ram, .1),
		about("percent of the LUT–FF pairs on 1 FPGA", Sample{pairs1}, one.pairs, .25),
		about("percent of the LUT–FF pairs on 4 FPGAs", Sample{pairs4}, four.pairs, .25),
		exact("4 FPGAs take at most 2 points more of each than 1", max(lut4-lut1, ram4-ram1, pairs4-pairs1) <= 2, fmt.Sprintf("%.2f, %.2f and %.2f points", lut4-lut1, ram4-ram1, pairs4-pairs1)),
	)
}
