package lab

import (
	"context"
	"fmt"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/hdl"
	"github.com/gohops/hops/internal/plot"
)

// cygraphMachines are the engines that model the paper's hardware: 16 kernels on each of
// 1 or 4 FPGAs.
var cygraphMachines = []string{"cygraph:kernels=16", "cygraph"}

// cygraphNames are the names of cygraphMachines in figures.
var cygraphNames = []string{"1 FPGA", "4 FPGAs"}

// cygraphDegrees are the average degrees of the paper's graphs.
var cygraphDegrees = []int{8, 16, 32, 64}

// entries is the throughput in row entries a second. The paper counts edges this way:
// each edge twice, once at either end.
func (r Runs) entries() Sample {
	return r.of(func(s graph500.Search) float64 { return 2 * s.TEPS() })
}

// cygraphFigure returns figure 7 or 8: time and throughput of graphs of all degrees of
// the paper and of four sizes, up to the scale of the lab.
func cygraphFigure(kind func(scale, degree int) graph) func(context.Context, *Lab) (*Finding, error) {
	return func(ctx context.Context, l *Lab) (*Finding, error) {
		f := newFinding(ModelTime)
		return f, f.sizesAndDegrees(ctx, l.simulated(), kind)
	}
}

func (f *Finding) sizesAndDegrees(ctx context.Context, l *Lab, kind func(scale, degree int) graph) error {
	t := f.table("searches", "vertices:log₂", "degree:#", "FPGAs:#", "model time:s", "rate:entries/s")
	var lines [2][]curve // by machine, then by degree
	var rates [2]Sample  // by machine
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
				t.add(scale, degree, []int{1, 4}[i], r.seconds(), r.entries())
				lines[i][d].add(float64(scale), r.entries())
				rates[i] = append(rates[i], r.entries()...)
			}
		}
	}
	f.Setting = fmt.Sprintf("2^%d to 2^%d vertices, degree 8 to 64; %d roots, every tree validated", smallest, l.Scale, l.Roots)
	x := plot.Axis{Label: "vertices", Unit: "log₂"}
	y := plot.Axis{Label: "rate", Unit: "entries/s", Zero: true}
	f.plot(curves("Throughput, 4 FPGAs", x, y, lines[1]...))
	f.plot(curves("Throughput, 1 FPGA", x, y, lines[0]...))
	f.quote("4 FPGAs over 1", "no figure in the text", times(rates[1], rates[0]))
	f.quote("over an earlier design on the same machine", "up to 5×", "not modelled")
	f.claim(
		larger("4 FPGAs are faster than 1", rates[1], rates[0], 1),
		rising("throughput of 4 FPGAs grows with the number of vertices at degree 16", lines[1][1].y),
	)
	return nil
}

func cygraphFig9(ctx context.Context, l *Lab) (*Finding, error) {
	m := l.simulated()
	f := newFinding(ModelTime)
	t := f.table("degree", "graph", "degree:#", "model time:s", "rate:entries/s")
	times, rates := [2]curve{{name: "random"}, {name: "R-MAT"}}, [2]curve{{name: "random"}, {name: "R-MAT"}}
	for i, kind := range []func(scale, degree int) graph{uniform, rmat} {
		for _, degree := range cygraphDegrees {
			runs, err := f.compare(ctx, m, kind(m.Scale, degree), cygraphMachines[1])
			if err != nil {
				return nil, err
			}
			t.add(times[i].name, degree, runs[0].seconds(), runs[0].entries())
			times[i].add(float64(degree), runs[0].seconds())
			rates[i].add(float64(degree), runs[0].entries())
		}
	}
	f.Setting = "4 FPGAs; " + m.setting(uniform(m.Scale, 8)) + "; and R-MAT"
	x := plot.Axis{Label: "average degree", Scale: plot.Log2}
	f.plot(curves("Time of a search", x, plot.Axis{Label: "model time", Unit: "s"}, times[:]...))
	f.plot(curves("Throughput", x, plot.Axis{Label: "rate", Unit: "entries/s", Zero: true}, rates[:]...))
	f.claim(
		rising("time grows with the degree on random graphs", times[0].y),
		rising("time grows with the degree on R-MAT graphs", times[1].y),
		rising("throughput grows with the degree on random graphs", rates[0].y),
	)
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
