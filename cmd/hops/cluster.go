package main

import (
	"cmp"
	"context"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/cluster"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/spec"
	"github.com/gohops/hops/internal/ranks/launch"
	"github.com/gohops/hops/papers/twin"
)

// openCluster binds the options of the cluster engine.
func openCluster() ([]spec.Option, func(*launch.World) (graph500.Engine, error)) {
	var (
		o cluster.Options
		t twin.Setup
	)
	options := append(rankOptions(&o.Ranks, &o.Hosts, &o.Threads, cluster.MaxThreads, &t),
		placeOption(&o.Place),
		labelsOption(&o.Labels),
		spec.Choice("exchange", "between ranks; by default chosen level by level", &o.Exchange, "auto", "messages", "probe", "allgather"),
		spec.Choice("policy", "that chooses the direction of a level; by default measured costs or, with one exchange, the rule of its paper", &o.Policy, "auto", "checconi", "alpha-beta").
			Excludes("exchange=messages", "all levels are top-down"),
		spec.Int("heavy", "vertices that belong to all ranks together, at most; by default 1024", &o.Heavy, 1, 1<<16-1).
			Excludes("light", "there are no heavy vertices"),
		spec.Switch("light", "treat no vertex as heavy", &o.Light),
		spec.Choice("encoding", "of packets; by default packed for other hosts unless the network is fast, and else as in memory", &o.Encoding, "auto", "raw", "differential", "packed").
			Formerly("plain", "raw").
			Excludes("sync=bulk", "edges are sent as they are in memory"),
		spec.Choice("rows", "that messages are made from", &o.Rows, "indexed", "coarse", "skip", "list"),
		spec.Choice("sync", "overlapping, or in phases", &o.Sync, "async", "bulk"),
		whereGathered(spec.Choice("gather", "of the frontier", &o.Gather, "shared", "per-rank", "leader", "share-all", "share-in-queue")).Formerly("plain", "per-rank"),
		whereGathered(bitmapsOption(&o.Bitmaps)),
		whereGathered(spec.Int("summary", "vertices for each bit of the frontier's summary; by default there is none", &o.Summary, 64, 1024)),
	)
	return options, func(ranks *launch.World) (graph500.Engine, error) {
		o := o // the options print the variables as they were set
		if t.Machine != "" {
			o.Twin = t
		}
		planned := onLaunched(ranks, o, func(o *cluster.Options, ranks, threads int) { o.Ranks, o.Threads = ranks, cmp.Or(o.Threads, threads) })
		return onRanks(graph500.Engine{
			Need:         planned.Need,
			NeedFinished: planned.NeedFinished,
			Passes:       cluster.Passes,
			Build: func(ctx context.Context, src hops.Source) (graph500.Searcher, error) {
				if ranks == nil {
					return cluster.Build(ctx, src, o)
				}
				own := o
				own.Threads = cmp.Or(o.Threads, threadsOf(ranks)) // ranks may differ in what they have
				return cluster.Join(ctx, ranks, src, own)
			},
			Weighted: weightedCluster(o, ranks),
		}, ranks, o.Ranks+o.Hosts > 0 || o.Twin != nil)
	}
}

// whereGathered is an option with no effect where the frontier is not gathered.
func whereGathered(o spec.Option) spec.Option {
	const why = "the frontier is not gathered"
	return o.Excludes("exchange=messages", why).Excludes("exchange=probe", why)
}
