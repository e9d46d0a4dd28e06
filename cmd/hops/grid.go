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
	"github.com/gohops/hops/papers/twin"
)

// openGrid binds the options of the grid engine.
func openGrid() ([]spec.Option, func(*launch.World) (graph500.Engine, error)) {
	var (
		o      grid.Options
		t      twin.Setup
		device string
		tree   string
	)
	options := append(rankOptions(&o.Ranks, &o.Hosts, &o.Threads, grid.MaxThreads, &t),
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
		if t.Machine != "" {
			o.Twin = t
		}
		if device == "gpu" {
			o.Device = gpu.NewBlocks("")
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
					return grid.Build(ctx, src, o)
				}
				own := o
				own.Threads = cmp.Or(o.Threads, threadsOf(ranks)) // ranks may differ in what they have
				return grid.Join(ctx, ranks, src, own)
			},
		}, ranks, o.Ranks+o.Hosts > 0 || o.Twin != nil)
	}
}
