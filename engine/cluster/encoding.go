package cluster

import (
	"time"

	"github.com/gohops/hops/internal/arena"
	"github.com/gohops/hops/internal/rank"
)

// Whether packing edges for other hosts is quicker than sending three times the bytes
// depends on the network, and on how many ranks share it: it is measured when the
// graph is ready. Packing an edge and unpacking it take some 20 ns and save 5 bytes,
// which is worth it below 250 MB/s for each rank.

// measuredBytes go from each rank to those of other hosts in a measurement, but at
// least measuredPart to each of them.
const (
	measuredBytes = 1 << 20
	measuredPart  = 1 << 12
)

// chooseEncoding measures whether packing is worth it. Hosts that are pretended have
// no network: what they would send is counted as if theirs were slow.
func (m *machine) chooseEncoding() error {
	if m.hosts.count == 1 || m.opts.Encoding != "" || m.opts.pretended {
		return nil
	}
	times := m.sums[:2]
	var err error
	if times[0], err = m.timeBytes(); err != nil {
		return err
	}
	codec := &m.workers[0].out.codec
	perEdge, saved := codec.timePacking()
	times[1] = perEdge / uint64(m.team.Size())
	// All ranks must decide alike, or the times of levels are those of the slowest.
	if err := rank.Reduced(m.comm, rank.Max, times); err != nil {
		return err
	}
	if float64(times[0])*saved < float64(times[1]) {
		for t := range m.workers {
			m.workers[t].out.codec.far = wide
		}
	}
	return nil
}

// timeBytes is how many picoseconds a byte takes on its way to other hosts, while all
// ranks send.
func (m *machine) timeBytes() (uint64, error) {
	ranks := m.comm.Size()
	cuts, part := make([]int64, ranks+1), max(measuredPart, measuredBytes/int64(ranks))
	for r := range ranks {
		cuts[r+1] = cuts[r]
		if m.comm.Host(r) != m.comm.Host(m.comm.Rank()) {
			cuts[r+1] += part
		}
	}
	both, err := arena.Make[byte](&m.mem, int(2*cuts[ranks]))
	if err != nil {
		return 0, err
	}
	defer arena.Free(&m.mem, both)
	out, in := both[:cuts[ranks]], both[cuts[ranks]:]
	ns, err := usual(8, func() error { return m.comm.Exchange(out, cuts, in, cuts) })
	return 1000 * ns / uint64(cuts[ranks]), err
}

// timePacking is how many picoseconds an edge takes to be packed and unpacked, and how
// many bytes that saves.
func (c *codec) timePacking() (perEdge uint64, saved float64) {
	const edges = packetWords - headerWords
	list, work := make([]uint64, edges), make([]uint64, edges)
	out := make([]byte, 8*edges)
	end := max(1, c.sizes[len(c.sizes)-1])
	x := uint64(1)
	for i := range list { // eight edges of each sender
		x = x*6364136223846793005 + 1442695040888963407
		list[i] = x>>32*uint64(end)>>32<<32 | uint64(i/8)
	}
	shortest, size := time.Duration(1<<62), 0
	for range 5 {
		copy(work, list)
		start := time.Now()
		f, count, n := c.encode(out, work, packed, forward, len(c.sizes)-1)
		decode(f, out[:n], int(count), work[:0], limits{end, edges})
		shortest, size = min(shortest, time.Since(start)), n
	}
	return uint64(1000 * shortest.Nanoseconds() / edges), float64(8*edges-size) / edges
}
