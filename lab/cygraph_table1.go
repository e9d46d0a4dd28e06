package lab

import (
	"context"
	"fmt"

	"github.com/gohops/hops/hdl"
	"github.com/gohops/hops/internal/plot"
)

// The FPGA of the paper's machine, which has four of them.
const (
	lx330LUT = 207_360 // look-up tables of a Virtex-5 LX330
	lx330RAM = 288     // block RAMs of 36 kbit of a Virtex-5 LX330

	platformLUT = 10.0 // percent of the look-up tables that the machine's interfaces take, from the paper
	platformRAM = 25.0 // percent of the block RAMs that they take, from the paper

	kernelsPerFPGA = 16
)

var cygraphTable1 = Experiment{
	ID:    "cygraph/table1",
	Title: "Resources of the synthesised design",
	Trend: "16 kernels take 53 % of the look-up tables and 55 % of the block RAM of a Virtex-5 LX330, leaving room for more.",
	Needs: "yosys",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		modules := []string{"cygraph_kernel", "cygraph_axi", "cygraph_master", "cygraph_regs"}
		f := &Finding{Basis: []Basis{Measured}, Setting: "yosys synth_xilinx for Virtex-5, before placement: 16 kernels, their memory masters, the master and the registers"}
		if l.Quick {
			modules = modules[:1]
			f.Setting = "yosys synth_xilinx for Virtex-5, before placement: 16 kernels, which are nearly all of it"
		}
		parts := make([]hdl.Resources, 4)
		for i, module := range modules {
			r, err := synthesise(ctx, module, "xc5v", nil)
			if ctx.Err() != nil {
				return nil, err
			}
			if err != nil {
				f.lack(err.Error())
				f.claim(lacking("the design fits with room to spare", notRun))
				return f, nil
			}
			parts[i] = r
		}
		f.resources(parts[0], parts[1], parts[2], parts[3])
		return f, nil
	},
}

// synthesise is a variable so that tests can replace it: synthesis takes a minute.
var synthesise = hdl.Synthesise

// resources reports the resources of a full FPGA and makes the claims about them.
func (f *Finding) resources(kernel, axi, master, regs hdl.Resources) {
	lut := kernelsPerFPGA*(kernel.LUT+axi.LUT) + master.LUT + regs.LUT
	ram := kernelsPerFPGA*(kernel.RAMB36+axi.RAMB36) + master.RAMB36 + regs.RAMB36
	shareLUT, shareRAM := 100*float64(lut)/lx330LUT, 100*float64(ram)/lx330RAM
	t := newTable("resources", "what", "here:#", "share of an LX330:%", "with the platform's own:%", "paper:%")
	t.add("look-up tables", lut, shareLUT, shareLUT+platformLUT, 53.0)
	t.add("block RAM, 36 kbit", ram, shareRAM, shareRAM+platformRAM, 55.0)
	f.table(t)
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
