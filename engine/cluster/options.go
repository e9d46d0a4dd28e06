package cluster

import (
	"fmt"
	"runtime"
)

// Options of the engine. The zero value is good.
type Options struct {
	// Ranks is how many run inside this process, on Hosts pretended hosts; 0 is
	// two, on one. Both mean nothing where the ranks are processes.
	Ranks, Hosts int
	// Threads of each rank; 0 divides the CPUs of this process among its ranks.
	Threads int
	// Layout is "2d" for blocks of the adjacency matrix on a grid of ranks, of
	// the shape that Grid gives, "RxC", or a single column on one host and as square
	// as can be on several. The options from Exchange to Gather are for the other
	// layout.
	Layout string
	Grid   string
	// Predecessors is "level" if those of a grid are sent in every level, and not
	// all of them at the end.
	Predecessors string
	// Device, if not nil, explores the blocks of a grid, and a rank has one thread.
	Device Device
	// Exchange is how ranks tell each other: "messages" for every edge,
	// "probe" and claim bottom-up, "allgather" of the frontier bottom-up, or "",
	// level by level whichever is expected to be the fastest.
	Exchange string
	// Heavy is the number of vertices whose edges are spread over all ranks, at
	// most; 0 is a number that was good where it was measured, -1 is none.
	Heavy int
	// Encoding of packets: "plain", "differential" or "packed"; by default packed
	// for other hosts, if the network is slow enough for that to be quicker, and else
	// as they are in memory.
	Encoding string
	// Rows is the form of the rows that messages are made from: "coarse",
	// "skip", "list" or, by default, with an index of every vertex.
	Rows string
	// Sync is "bulk" for exchanges in two phases, counts and then edges, with
	// nothing overlapping.
	Sync string
	// Gather is who keeps the gathered frontier: every rank ("plain", "leader")
	// or, by default, the ranks of a host together.
	Gather string
	// Bitmaps is how bitmaps go over the wire: "dense" as they are, by default
	// as a list where that is smaller.
	Bitmaps string
	// Summary is the number of vertices that share a bit of the summary that is
	// looked at before the frontier bottom-up; 0 is none.
	Summary int

	pretended bool // the hosts are
}

const (
	defaultRanks = 2
	// defaultHeavy is where more vertices no longer made searches faster: see
	// docs/design/cluster.md.
	defaultHeavy = 1024
	maxHeavy     = 1<<16 - 1
)

func (o Options) check() error {
	if o.Summary != 0 && (o.Summary < 64 || o.Summary > 1024 || o.Summary&(o.Summary-1) != 0) {
		return fmt.Errorf("cluster: summary %d: want a power of two from 64 to 1024", o.Summary)
	}
	if o.Device != nil && o.Layout != "2d" {
		return fmt.Errorf("cluster: a device explores the blocks of a grid; this layout has none")
	}
	if o.Heavy > maxHeavy {
		return fmt.Errorf("cluster: %d heavy vertices: want at most %d", o.Heavy, maxHeavy)
	}
	for _, c := range []struct {
		name, value string
		known       [4]string
	}{
		{"layout", o.Layout, [4]string{"", "2d"}},
		{"predecessors", o.Predecessors, [4]string{"", "level"}},
		{"exchange", o.Exchange, [4]string{"", "messages", "probe", "allgather"}},
		{"encoding", o.Encoding, [4]string{"", "plain", "differential", "packed"}},
		{"rows", o.Rows, [4]string{"", "coarse", "skip", "list"}},
		{"sync", o.Sync, [4]string{"", "bulk"}},
		{"gather", o.Gather, [4]string{"", "plain", "leader"}},
		{"bitmaps", o.Bitmaps, [4]string{"", "dense"}},
	} {
		if c.known[0] != c.value && c.known[1] != c.value && c.known[2] != c.value && c.known[3] != c.value {
			return fmt.Errorf("cluster: unknown %s %q", c.name, c.value)
		}
	}
	return nil
}

// threads is how many a rank has, if that many ranks share this process.
func (o Options) threads(ranks int) int {
	if o.Device != nil {
		return 1
	}
	if o.Threads > 0 {
		return o.Threads
	}
	return max(1, runtime.GOMAXPROCS(0)/ranks)
}

func (o Options) heavy() int {
	switch {
	case o.Heavy < 0:
		return 0
	case o.Heavy == 0:
		return defaultHeavy
	}
	return o.Heavy
}
