package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/engine/grid"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/spec"
	"github.com/gohops/hops/internal/ranks/launch"
)

// openGrid binds the options of the grid engine.
func openGrid() ([]spec.Option, func(*launch.World) (graph500.Engine, error)) {
	var (
		o      grid.Options
		device string
		tree   string
	)
	options := append(rankOptions(&o.Ranks, &o.Hosts, &o.Threads, grid.MaxThreads, &o.Twin),
		placeOption(&o.Place),
		labelsOption(&o.Labels),
		spec.Text("shape", "RxC", "rows and columns of the grid; by default one column on one host, and as square as can be on several", &o.Shape, grid.CheckShape),
		spec.Choice("direction", "of every level; by default chosen level by level", &o.Direction, "auto", "top-down"),
		spec.Choice("row", "how a row is told what its ranks have found: by gathering, or by a scan and a broadcast, as in the ROMEO paper", &o.Row, "gather", "prefix").
			Excludes("device", "devices gather"),
		spec.Choice("predecessors", "sent at the end, or in every level", &o.Predecessors, "end", "level"),
		withoutTwin(spec.Choice("device", "that searches the blocks: the threads of each rank, or a GPU that ranks may share", &device, "cpu", "gpu"),
			"nodes", "pernode", "grain", "twin"),
		spec.Choice("tree", "memory in which the tree is complete when the clock of graph500 stops; by default device where GPUs search", &tree, "device", "host").
			Needs("the threads of ranks leave it on the host", "device"),
		spec.Choice("exchange", "between GPUs: by addresses within a host, NCCL, an MPI that takes memory of GPUs, or the host's memory; by default the first of these that there is", &o.Exchange, append([]string{"auto"}, grid.Exchanges...)...),
		spec.Choice("bitmaps", "on the wire: packed where that pays, as they are, or packed in every level", &o.Bitmaps, "auto", "dense", "packed"),
	)
	return options, func(ranks *launch.World) (graph500.Engine, error) {
		o := o // the options print the variables as they were set
		if device == "gpu" {
			all := new(gpu.Blocks)
			o.Device, o.Maker = attachGPU(all), makeOnGPU(all)
			o.TreesOnDevice = tree == "" && o.Labels == ""
		}
		return onRanks(graph500.Engine{
			Generates:    o.Device != nil,
			TreeOnDevice: o.TreesOnDevice,

			Need:   onLaunched(ranks, o, func(o *grid.Options, ranks, threads int) { o.Ranks, o.Threads = ranks, cmp.Or(o.Threads, threads) }).Need,
			Passes: grid.Passes,
			Ready: func(n hops.Vertex, _ int64, _ bool) error {
				if o.TreesOnDevice && n > gpu.MaxVertices {
					return fmt.Errorf("grid: a tree of %d vertices does not fit on a device: use tree=host", uint64(n))
				}
				return nil
			},
			Build: func(ctx context.Context, src hops.Source) (graph500.Searcher, error) {
				if ranks == nil {
					s, err := grid.Build(ctx, src, o)
					if err != nil || !o.TreesOnDevice {
						return s, err
					}
					return s.OnDevice()
				}
				own := o
				own.Threads = cmp.Or(o.Threads, threadsOf(ranks)) // ranks may differ in what they have
				r, err := grid.Join(ctx, ranks, src, own)
				if err != nil || !o.TreesOnDevice {
					return r, err
				}
				return r.OnDevice()
			},
		}, ranks, o.Ranks+o.Hosts > 0 || o.Twin != grid.Twin{})
	}
}

// attachGPU puts blocks of the matrix on GPUs. Ranks of a host take them in turn.
func attachGPU(all *gpu.Blocks) grid.Attach {
	return func(b grid.Block, local int) (grid.Accelerator, error) {
		on, err := all.New(b, local)
		if err != nil {
			return nil, err
		}
		return on, nil
	}
}

// makeOnGPU makes the blocks there, of graphs whose edges GPUs generate.
func makeOnGPU(all *gpu.Blocks) grid.FindMaker {
	return func(src hops.Source, local, onHost, ranks int) (grid.Maker, error) {
		maker, err := all.Maker(src, local, onHost, ranks)
		if err != nil || maker == nil {
			return nil, err
		}
		return gpuMaker{maker}, nil
	}
}

type gpuMaker struct{ *gpu.BlockMaker }

// Attach implements grid.Maker.
func (m gpuMaker) Attach(b grid.Block) (grid.Accelerator, error) {
	on, err := m.BlockMaker.Attach(b)
	if err != nil {
		return nil, err
	}
	return on, nil
}

// What GPUs do for ranks: the ways from one to another, and trees that stay there.
var (
	_ grid.Neighbor  = (*gpu.Block)(nil)
	_ grid.Carrier   = (*gpu.Block)(nil)
	_ grid.Addressed = (*gpu.Block)(nil)
	_ grid.Pinner    = (*gpu.Block)(nil)
	_ grid.Judge     = (*gpu.Block)(nil)
)
