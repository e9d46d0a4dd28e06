package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cluster"
	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/cuda"
	"github.com/gohops/hops/internal/launch"
	"github.com/gohops/hops/internal/spec"
)

// openCluster binds the options of the cluster engine.
func openCluster() ([]spec.Option, func(*launch.World) (graph500.Engine, error)) {
	var (
		o      cluster.Options
		plain  bool
		device string
	)
	options := []spec.Option{
		spec.Int("ranks", "in this process; by default 2; mpirun starts ranks as processes instead", &o.Ranks, 1, 1024),
		spec.Int("threads", "of each rank; by default the CPUs divided by the ranks", &o.Threads, 1, 4096),
		spec.Int("hosts", "that the ranks pretend to be on; by default 1", &o.Hosts, 1, 1024),
		spec.Choice("layout", "of the graph: rows of vertices, or blocks of the matrix on a grid", &o.Layout, "1d", "2d"),
		spec.Text("grid", "RxC", "rows and columns of the grid; by default one column on one host, and as square as can be on several", &o.Grid, cluster.CheckGrid),
		spec.Choice("predecessors", "of a grid: sent at the end, or in every level", &o.Predecessors, "end", "level"),
		spec.Choice("device", "that explores the blocks of a grid: the threads of each rank, or a GPU that ranks may share", &device, "cpu", "gpu"),
		spec.Choice("exchange", "between ranks; by default chosen level by level", &o.Exchange, "auto", "messages", "probe", "allgather"),
		spec.Int("heavy", "vertices that belong to all ranks together, at most; by default 1024", &o.Heavy, 1, 1<<16-1),
		spec.Switch("light", "treat no vertex as heavy", &plain),
		spec.Choice("encoding", "of packets; by default packed for other hosts, plain for the same", &o.Encoding, "auto", "plain", "differential", "packed"),
		spec.Choice("rows", "that messages are made from", &o.Rows, "indexed", "coarse", "skip", "list"),
		spec.Choice("sync", "overlapping, or in phases", &o.Sync, "async", "bulk"),
		spec.Choice("gather", "of the frontier", &o.Gather, "shared", "plain", "leader"),
		spec.Choice("bitmaps", "on the wire: as lists where that is smaller, or as they are", &o.Bitmaps, "auto", "dense"),
		spec.Int("summary", "vertices for each bit of the frontier's summary; by default there is none", &o.Summary, 64, 1024),
	}
	return options, func(ranks *launch.World) (graph500.Engine, error) {
		if plain {
			o.Heavy = -1
		}
		if device == "gpu" {
			o.Device = lendGPU
		}
		if ranks != nil && (o.Ranks > 0 || o.Hosts > 0) {
			return graph500.Engine{}, fmt.Errorf("ranks and hosts are the launcher's: it started %d ranks", ranks.Size())
		}
		return onRanks(graph500.Engine{
			Need:   cluster.Need,
			Passes: cluster.Passes,
			Build: func(ctx context.Context, src hops.Source) (graph500.Searcher, error) {
				if ranks != nil {
					own := o
					own.Threads = cmp.Or(o.Threads, threadsOf(ranks)) // ranks may differ in what they have
					return cluster.Join(ctx, ranks, src, own)
				}
				return cluster.Build(ctx, src, o)
			},
		}, ranks), nil
	}
}

// lendGPU puts a block of the matrix on a GPU. Ranks of a host take turns; one that
// has to share has nothing but the way through the host.
func lendGPU(rows, columns cluster.Lines, n, count int64, local int) (cluster.Explorer, error) {
	devices, err := cuda.Count()
	if err != nil {
		devices = 1 // of another driver
	}
	b, err := gpu.NewBlock(gpu.Lines(rows), gpu.Lines(columns), n, count, gpu.Options{Device: local % max(devices, 1)})
	if err != nil {
		return nil, err
	}
	if local >= devices {
		return struct{ cluster.Explorer }{b}, nil
	}
	return b, nil
}

// The frontier may go from GPU to GPU.
var (
	_ cluster.Direct  = (*gpu.Block)(nil)
	_ cluster.Carrier = (*gpu.Block)(nil)
)
