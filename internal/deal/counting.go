package deal

import (
	"fmt"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/partition"
	"github.com/gohops/hops/internal/rank"
)

// counting is the counts while edges are read. The ranks of a host share those of their
// vertices and add to them at once; what belongs to another host is sent there.
type counting struct {
	home     *partition.Partition // divides the vertices evenly
	comm     rank.Comm            // the ranks of this host, whose counts it has
	size     int64                // of the shared memory
	at       []int64              // see hostPlaces
	lists    [2][]uint32          // entries of each vertex of this host, and those that lead out of it
	directed bool
	mine     int64  // the place of the first vertex of this rank
	own      uint64 // vertices of this rank
}

func (c *counting) close() error {
	if c.comm == nil {
		return nil
	}
	comm := c.comm
	c.comm, c.lists = nil, [2][]uint32{}
	return comm.Close()
}

// countEntries counts the entries of every row of the graph.
func (e *Edges) countEntries() (err error) {
	threads := e.Team.Size()
	c := &e.counting
	c.directed = e.Directed
	c.home = partition.Even(uint64(e.N), e.Comm.Size()*threads, threads)
	if c.comm, err = e.Hosts.Mine.Split(0, e.Comm.Rank()); err != nil {
		return err
	}
	var total int64
	c.at, total = e.hostPlaces(c.home)
	first, end := c.home.Rank(e.Comm.Rank())
	c.own = end - first
	c.mine = c.at[e.Comm.Rank()*threads] + int64(first)
	lists := int64(1)
	if e.Directed {
		lists = 2
	}
	c.size = 4 * lists * total
	mem, err := e.Share(c.comm, c.size)
	if err != nil {
		return err
	}
	for i := range lists {
		c.lists[i] = arena.View[uint32](mem)[i*total:][:total]
	}
	switch {
	case e.counter != nil:
		var out []uint32
		if e.Directed {
			out = e.counted(1)
		}
		err = e.counter(e.ctx, first, e.counted(0), out)
	case e.Hosts.Count == 1:
		err = e.eachBlock(func(edges []hops.Edge) { c.Route(edges, nil) })
	default:
		err = e.Deal(c)
	}
	if err != nil {
		return err
	}
	return e.Comm.Barrier()
}

// Route implements Layout: it counts what belongs to this host.
func (c *counting) Route(edges []hops.Edge, to []Routed) []Routed {
	for _, x := range edges {
		if x.U != x.V {
			to = c.count(to, uint64(x.U), 1)
			to = c.count(to, uint64(x.V), 0)
		}
	}
	return to
}

// count counts an entry of v, which leads out of v if out is 1.
func (c *counting) count(to []Routed, v, out uint64) []Routed {
	w := c.home.Owner(v)
	if at := c.at[w]; at != elsewhere {
		c.add(at+int64(v), out)
		return to
	}
	first, _ := c.home.Rank(w / c.home.Threads)
	return append(to, Routed{uint32(w), (v-first)<<1 | out})
}

func (c *counting) add(at int64, out uint64) {
	atomic.AddUint32(&c.lists[0][at], 1)
	if c.directed && out == 1 {
		atomic.AddUint32(&c.lists[1][at], 1)
	}
}

// Place implements Layout.
func (c *counting) Place(_ int, entries []uint64) error {
	for _, x := range entries {
		if x>>1 >= c.own {
			return fmt.Errorf("an entry of vertex %d, but this rank counts for %d", x>>1, c.own)
		}
		c.add(c.mine+int64(x>>1), x&1)
	}
	return nil
}

// addHistograms counts the vertices of every class.
func (e *Edges) addHistograms() error {
	for _, n := range e.counted(0) {
		e.Histogram[ClassOf(n)]++
	}
	return rank.Reduced(e.Comm, rank.Sum, e.Histogram[:])
}

// counted is a list of the counts of the vertices that this rank has while edges are
// counted.
func (e *Edges) counted(list int) []uint32 {
	c := &e.counting
	return c.lists[list][c.mine:][:c.own]
}
