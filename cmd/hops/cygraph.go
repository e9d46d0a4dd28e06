package main

import (
	"cmp"
	"context"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/spec"
	"github.com/gohops/hops/internal/ranks/launch"
	"github.com/gohops/hops/papers/cygraph"
)

// onlyCyGraph is why the earlier design takes none of the extensions.
const onlyCyGraph = "it extends CyGraph's own design"

// openCygraph binds the options of the CyGraph model.
func openCygraph() ([]spec.Option, func(*launch.World) (graph500.Engine, error)) {
	var (
		o cygraph.Options
		m cygraphMemory
	)
	options := []spec.Option{
		spec.Int("kernels", "all together; by default 64", &o.Kernels, 1, 4096),
		spec.Int("fpgas", "that they are spread over; by default one for every 16", &o.FPGAs, 1, 4096),
		spec.Int("depth", "words that a FIFO holds, a power of two; by default 512", &o.Depth, 2, 1<<16),
		spec.Int("pace", "cycles between two requests of a kernel; by default 1", &o.Pace, 1, 255),
		spec.Int("hop", "registers on the ring between two FPGAs; by default 8", &o.Hop, 1, 1<<16),
		spec.Float("link", "in MB/s between two FPGAs; by default 668", &o.Link, 1, 1e6),
		spec.Float("clock", "in MHz; by default 150", &o.Clock, 1, 1e5),
		spec.Int("channels", "of the memory, a power of two; by default 8", &m.channels, 1, 1<<10),
		spec.Int("service", "64ths of a cycle that a word occupies its channel; by default 8", &m.service, 1, 1<<16),
		spec.Int("latency", "cycles that a response takes, at least; by default 70", &m.latency, 1, 1<<16),
		spec.Int("jitter", "cycles more that it may take, at random; by default 130", &m.jitter, 1, 1<<16),
		spec.Switch("steady", "without the quarter of responses that take 700 to 1000 cycles", &m.steady),
		spec.Int("stall", "of 1024 cycles in which a port refuses a request; by default none", &m.stall, 1, 1023),
		spec.Choice("design", "CyGraph's, or betkaoui: the earlier one that the paper compares with, which loops over all vertices on every level", &o.Design, "cygraph", cygraph.Betkaoui),
		spec.Int("loop", "vertices that the loop tests in a cycle on each FPGA; by default 1", &o.Loop, 1, 4096).
			Needs("only this design loops over the vertices", "design=betkaoui"),
		spec.Int("split", "beyond the paper: cut rows longer than this, a power of two", &o.Split, 1, 1<<30).
			Excludes("loop", onlyCyGraph).Excludes("design=betkaoui", onlyCyGraph),
		spec.Int("burst", "beyond the paper: entries of a row per request, a power of two", &o.Burst, 1, 16).
			Excludes("loop", onlyCyGraph).Excludes("design=betkaoui", onlyCyGraph),
		spec.Int("filter", "beyond the paper: labels that each FPGA remembers to visit a vertex once", &o.Filter, 2, 1<<24).
			Excludes("loop", onlyCyGraph).Excludes("design=betkaoui", onlyCyGraph),
		spec.Switch("turns", "beyond the paper: neighbours and rows take turns at the port", &o.Turns).
			Excludes("loop", onlyCyGraph).Excludes("design=betkaoui", onlyCyGraph),
		spec.Switch("bottomup", "beyond the paper: bottom-up levels where these take fewer requests", &o.BottomUp).
			Excludes("loop", onlyCyGraph).Excludes("design=betkaoui", onlyCyGraph),
		spec.Switch("bydegree", "beyond the paper: rows with the heaviest neighbour first", &o.ByDegree),
	}
	return options, func(*launch.World) (graph500.Engine, error) {
		o.Memory = m.memory()
		return graph500.Engine{
			Need:   cygraph.Need,
			Passes: csr.Passes,
			Build: func(ctx context.Context, src hops.Source) (graph500.Searcher, error) {
				return cygraph.Build(ctx, src, o)
			},
		}, o.Check()
	}
}

// cygraphMemory is what differs from the memory of the paper's machine.
type cygraphMemory struct {
	channels, service, latency, jitter, stall int
	steady                                    bool
}

func (m cygraphMemory) memory() cygraph.Memory {
	hc2 := cygraph.ConveyHC2
	lo, hi := hc2.Fast[0], hc2.Fast[1]
	jitter := cmp.Or(m.jitter, hi-lo)
	lo = cmp.Or(m.latency, lo)
	hc2.Fast = [2]int{lo, lo + jitter}
	hc2.Channels = cmp.Or(m.channels, hc2.Channels)
	hc2.Service = cmp.Or(m.service, hc2.Service)
	hc2.Stall = m.stall
	if m.steady {
		hc2.SlowShare = 0
	}
	return hc2
}
