package cluster

import (
	"github.com/gohops/hops/internal/base/arena"
	"github.com/gohops/hops/internal/ranks/rank"
)

// Whether packing edges for other hosts is quicker than sending three times the bytes
// depends on the network, and on how many ranks share it: it is measured when the
// graph is ready. Packing an edge and unpacking it take some 20 ns and save 5 bytes,
// which is worth it below 250 MB/s for each rank.

const (
	// measuredBytes is what each rank sends to the ranks of other hosts in a measurement.
	measuredBytes = 1 << 20
	// measuredPart is the number of bytes that go at least to each of them.
	measuredPart = 1 << 12
)

// chooseEncoding measures whether packing is worth it. Hosts that are pretended have
// no network: what they would send is counted as if theirs were slow.
func (a *asynchronous[L]) chooseEncoding() error {
	if a.Hosts.Count == 1 || a.InProcess {
		return nil
	}
	times := a.machine.sums[:2]
	var err error
	if times[0], err = a.timeBytes(); err != nil {
		return err
	}
	perEdge, saved := a.boxes[0].TimePacking()
	times[1] = perEdge / uint64(a.Team.Size())
	// All ranks must decide alike, by the times of the slowest.
	if err := rank.Reduced(a.Comm, rank.Max, times); err != nil {
		return err
	}
	if float64(times[0])*saved < float64(times[1]) {
		for t := range a.boxes {
			a.boxes[t].Codec.SendWide()
		}
	}
	return nil
}

// timeBytes measures how many picoseconds a byte takes on its way to other hosts,
// while all ranks send.
func (a *asynchronous[L]) timeBytes() (uint64, error) {
	ranks := a.Comm.Size()
	cuts, part := make([]int64, ranks+1), max(measuredPart, measuredBytes/int64(ranks))
	for r := range ranks {
		cuts[r+1] = cuts[r]
		if a.Comm.Host(r) != a.Comm.Host(a.Comm.Rank()) {
			cuts[r+1] += part
		}
	}
	both, err := arena.Make[byte](&a.Memory, int(2*cuts[ranks]))
	if err != nil {
		return 0, err
	}
	defer arena.Free(&a.Memory, both)
	out, in := both[:cuts[ranks]], both[cuts[ranks]:]
	ns, err := a.usual(8, func() error { return a.Comm.Exchange(out, cuts, in, cuts) })
	return 1000 * ns / uint64(cuts[ranks]), err
}
