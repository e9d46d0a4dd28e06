package deal

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/ranks/partition"
	"github.com/gohops/hops/internal/ranks/rank"
)

// counting is the counts while edges are read. The ranks of a host share the counts of
// their vertices and add to them at once; counts of other vertices are sent to their host.
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
		err = e.countHere()
	default:
		err = e.Deal(c)
	}
	if err != nil {
		return err
	}
	return e.Comm.Barrier()
}

// A tally is one thread's count of the entries of each vertex of this host, and in a directed graph of those that lead
// out of it, in bytes as in csr/tally.go: a byte that wraps around moves 256 entries to the counts of all. So hardly any count is a line that another core has just written, and a
// fourth of the memory is looked up at random.
type tally [2][]uint8

// countHere counts the entries of this rank's edges, all of whose ends are vertices of this host.
func (e *Edges) countHere() error {
	c := &e.counting
	tallies, err := e.newTallies()
	if err != nil {
		return err
	}
	if tallies == nil {
		return e.eachBlock(func(_ int, edges []hops.Edge) { c.Route(edges, nil) })
	}
	err = e.eachBlock(func(worker int, edges []hops.Edge) { c.countOwn(&tallies[worker], edges) })
	e.Team.Run(func(worker int) { c.addTally(&tallies[worker]) })
	for _, t := range tallies {
		arena.Free(&e.Memory, t[0])
		arena.Free(&e.Memory, t[1])
	}
	return err
}

// newTallies makes a tally for each thread, unless the tallies of all threads of this host take
// more than half of the memory of the rows, which do not exist yet.
func (e *Edges) newTallies() ([]tally, error) {
	c, threads, lists := &e.counting, e.Team.Size(), 1
	if c.directed {
		lists = 2
	}
	vertices, entries := int64(len(c.lists[0])), 2*e.edges
	if vertices*int64(lists*threads*e.Comm.Size()) > 2*entries || slices.ContainsFunc(c.at, func(at int64) bool { return at != 0 }) {
		return nil, nil
	}
	tallies := make([]tally, threads)
	for i := range tallies {
		for list := range lists {
			var err error
			if tallies[i][list], err = arena.Make[uint8](&e.Memory, int(vertices)); err != nil {
				return nil, err
			}
		}
	}
	return tallies, nil
}

// countOwn counts the entries of edges in a thread's own counters.
func (c *counting) countOwn(t *tally, edges []hops.Edge) {
	all, out := t[0], t[1]
	for _, x := range edges {
		if x.U == x.V {
			continue
		}
		if all[x.U]++; all[x.U] == 0 {
			atomic.AddUint32(&c.lists[0][x.U], 256)
		}
		if all[x.V]++; all[x.V] == 0 {
			atomic.AddUint32(&c.lists[0][x.V], 256)
		}
		if c.directed {
			if out[x.U]++; out[x.U] == 0 {
				atomic.AddUint32(&c.lists[1][x.U], 256)
			}
		}
	}
}

// addTally adds what a thread has counted to the counts of all.
func (c *counting) addTally(t *tally) {
	for list, small := range t {
		counts := c.lists[list]
		for v, n := range small {
			if n > 0 {
				atomic.AddUint32(&counts[v], uint32(n))
			}
		}
	}
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
