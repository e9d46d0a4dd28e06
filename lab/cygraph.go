package lab

import (
	"context"
	"fmt"
	"slices"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/hdl"
	"github.com/gohops/hops/internal/plot"
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

// fig9Scale is the least scale of figure 9 in a full run: from it on the loop over all vertices
// takes longer than the latency of a level, as it does on the paper's graphs of scale
// 20 to 23.
const fig9Scale = 17

func cygraphFig9(ctx context.Context, l *Lab) (*Finding, error) {
	m := l.simulated()
	if !l.Quick {
		m.Scale, m.Roots = max(m.Scale, fig9Scale), 1
	}
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
	f.quote("the largest speed-up", "up to 5×", fmt.Sprintf("%s× on random graphs, %s× on R-MAT", all[0][0], all[1][0]))
	for i, name := range names {
		f.aheadOfBetkaoui(" on "+name+" graphs", all[i])
	}
	f.claim(about(fmt.Sprintf("the speed-up over the earlier design at degree 8 on random graphs of 2^%d vertices", m.Scale), all[0][0], 5, .4))
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

func cygraphTable1(ctx context.Context, l *Lab) (*Finding, error) {
	modules := []string{"cygraph_kernel", "cygraph_axi", "cygraph_master", "cygraph_regs"}
	f := &Finding{Basis: []Basis{Measured}, Setting: "yosys synth_xilinx for Virtex-5, before placement: 16 kernels, their memory masters, the master and the registers"}
	if l.Quick {
		modules = modules[:1]
		f.Setting = "yosys synth_xilinx for Virtex-5, before placement: 16 kernels, which are nearly all of it"
	}
	var parts [4]hdl.Resources
	for i, module := range modules {
		var err error
		if parts[i], err = synthesise(ctx, module, "xc5v", nil); ctx.Err() != nil {
			return nil, err
		}
		if err != nil {
			f.lack(err.Error())
			f.claim(lacking("the design fits with room to spare", notRun))
			return f, nil
		}
	}
	f.resources(parts)
	return f, nil
}

// synthesise is a variable so that tests can replace it: synthesis takes a minute.
var synthesise = hdl.Synthesise

func (f *Finding) resources(parts [4]hdl.Resources) {
	kernel, axi, master, regs := parts[0], parts[1], parts[2], parts[3]
	lut := kernelsPerFPGA*(kernel.LUT+axi.LUT) + master.LUT + regs.LUT
	ram := kernelsPerFPGA*(kernel.RAMB36+axi.RAMB36) + master.RAMB36 + regs.RAMB36
	shareLUT, shareRAM := 100*float64(lut)/lx330LUT, 100*float64(ram)/lx330RAM
	t := f.table("resources", "what", "here:#", "share of an LX330:%", "with the platform's own:%", "paper:%")
	t.add("look-up tables", lut, shareLUT, shareLUT+platformLUT, 53.0)
	t.add("block RAM, 36 kbit", ram, shareRAM, shareRAM+platformRAM, 55.0)
	f.plot(plot.Plot{
		Title: "One FPGA, platform included", X: plot.Axis{Label: "resource", Categories: []string{"look-up tables", "block RAM"}},
		Y: plot.Axis{Label: "used", Unit: "%"},
		Series: []plot.Series{
			{Name: "here", Kind: plot.Bar, Y: []float64{shareLUT + platformLUT, shareRAM + platformRAM}},
			{Name: "paper", Kind: plot.Bar, Y: []float64{53, 55}},
		},
	})
	f.quote("look-up tables", "53 %", fmt.Sprintf("%.0f %%", shareLUT+platformLUT))
	f.quote("block RAM", "55 %", fmt.Sprintf("%.0f %%", shareRAM+platformRAM))
	f.claim(
		exact("the design leaves at least a quarter of the logic free", shareLUT+platformLUT <= 75, fmt.Sprintf("%.0f %% used", shareLUT+platformLUT)),
		exact("the design leaves at least a quarter of the block RAM free", shareRAM+platformRAM <= 75, fmt.Sprintf("%.0f %% used", shareRAM+platformRAM)),
	)
}
