package cluster

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/placement"
)

// Options of the engine. The zero value is good.
type Options struct {
	// Ranks is the number of ranks inside this process, on Hosts pretended hosts; 0
	// is two, on one. Both are for Build alone.
	Ranks, Hosts int
	// Twin, unless it is nil, has the ranks of Build on a modelled machine: they run here,
	// in the machine's time. It excludes Ranks, Hosts and Threads.
	Twin Twin
	// Threads of each rank, up to MaxThreads; 0 divides the CPUs of this process among its ranks.
	Threads int
	// Place says where the ranks of a host and their memory are: "bind" has each on a
	// NUMA node of its own, or as many nodes as there are for it, "interleave" runs them
	// anywhere with memory on all nodes in turn, and "none" leaves both to the system.
	// By default they are bound where every thread has a CPU. Ranks that their launcher
	// has bound stay where they are.
	Place string
	// Labels is "wide" for labels of 64 bits and parents of 48 in a graph that 32 would do for, as
	// graphs of 2³² vertices have them.
	Labels string
	// Exchange is what ranks send each other bottom-up: probes and claims ("probe") or
	// the frontier ("allgather"). With "messages" all levels are top-down. By default
	// every level takes the exchange that is expected to be the fastest.
	Exchange string
	// Policy says how the direction of a level is chosen: "checconi" by the edges that
	// are reachable against the vertices still to be visited, as with the exchange "probe";
	// "alpha-beta" by Beamer's rule, as published with "allgather"; and, if the exchange is chosen
	// level by level too, by measured costs.
	Policy string
	// Heavy is the number of vertices whose edges are spread over all ranks, at
	// most; 0 is a number that was good where it was measured. Light treats no
	// vertex as heavy.
	Heavy int
	Light bool
	// Encoding of packets: "raw", "differential" or "packed"; by default packed
	// for other hosts, if the network is slow enough for that to be quicker, and else
	// as they are in memory.
	Encoding string
	// Rows is the form of the rows that messages are made from: "coarse",
	// "skip", "list" or, by default, with an index of every vertex.
	Rows string
	// Sync is "bulk" for deliveries in two phases, counts and then edges, with
	// nothing overlapping.
	Sync string
	// Gather says where the gathered frontier is kept: on every rank ("per-rank",
	// "leader") or, by default, once for all ranks of a host. With "share-all" and
	// "share-in-queue" the first rank of a host gathers it for the others.
	Gather string
	// Bitmaps is "dense" if the frontier never goes over the wire as a list.
	Bitmaps string
	// Summary is the number of vertices that share a bit of the summary that is
	// looked at before the frontier bottom-up; 0 is none.
	Summary int

	helping     bool        // ranks help each other even where they share cores
	reference   bool        // use the kernels in plain Go, which the race detector sees
	long        int         // vertices with so many entries may be long, with any number of workers; 0: see leastLong
	few         int64       // vertices and entries of a level that one thread runs; 0 is fewEntries
	narrowLimit hops.Vertex // labels take 64 bits from one vertex more on; 0 is the limit of hops
}

const (
	// defaultHeavy is where more vertices no longer made searches faster: see
	// docs/design/cluster.md.
	defaultHeavy = 1024
	maxHeavy     = 1<<16 - 1
)

func (o Options) check() error {
	if o.Summary != 0 && (o.Summary < 64 || o.Summary > 1024 || o.Summary&(o.Summary-1) != 0) {
		return fmt.Errorf("cluster: summary %d: want a power of two from 64 to 1024", o.Summary)
	}
	if o.Heavy < 0 || o.Heavy > maxHeavy {
		return fmt.Errorf("cluster: %d heavy vertices: want at most %d", o.Heavy, maxHeavy)
	}
	for _, c := range []struct {
		name, value string
		known       []string
	}{
		{"exchange", o.Exchange, []string{"", "messages", "probe", "allgather"}},
		{"policy", o.Policy, []string{"", "checconi", "alpha-beta"}},
		{"encoding", o.Encoding, []string{"", "raw", "differential", "packed"}},
		{"rows", o.Rows, []string{"", "coarse", "skip", "list"}},
		{"sync", o.Sync, []string{"", "bulk"}},
		{"gather", o.Gather, []string{"", "per-rank", "leader", "share-all", "share-in-queue"}},
		{"bitmaps", o.Bitmaps, []string{"", "dense"}},
		{"place", o.Place, placement.Known},
		{"labels", o.Labels, []string{"", "wide"}},
	} {
		if !slices.Contains(c.known, c.value) {
			return fmt.Errorf("cluster: unknown %s %q", c.name, c.value)
		}
	}
	return o.checkCombination()
}

// checkCombination refuses options that have no effect beside others.
func (o Options) checkCombination() error {
	gathers := o.Exchange == "" || o.Exchange == "allgather"
	for _, c := range []struct {
		useless    bool
		this, that string
		why        string
	}{
		{o.Exchange == "messages" && o.Policy != "", "exchange=messages", "policy", "all levels are top-down"},
		{o.Light && o.Heavy > 0, "light", "heavy", "there are no heavy vertices"},
		{o.Sync == "bulk" && o.Encoding != "", "sync=bulk", "encoding", "edges are sent as they are in memory"},
		{!gathers && o.Gather != "", "exchange=" + o.Exchange, "gather", "the frontier is not gathered"},
		{!gathers && o.Bitmaps != "", "exchange=" + o.Exchange, "bitmaps", "the frontier is not gathered"},
		{!gathers && o.Summary != 0, "exchange=" + o.Exchange, "summary", "the frontier is not gathered"},
	} {
		if c.useless {
			return fmt.Errorf("cluster: %s excludes %s: %s", c.this, c.that, c.why)
		}
	}
	return nil
}

// narrow is the number of vertices up to which labels take 32 bits.
func (o Options) narrow() hops.Vertex {
	if o.Labels == "wide" {
		return 1
	}
	return cmp.Or(o.narrowLimit, hops.NarrowLimit)
}

// heavy is the number of heavy vertices, at most.
func (o Options) heavy() int {
	switch {
	case o.Light:
		return 0
	case o.Heavy == 0:
		return defaultHeavy
	}
	return o.Heavy
}
