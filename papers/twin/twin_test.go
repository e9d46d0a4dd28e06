package twin

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gohops/hops/internal/ranks/rank"
)

// plain is a machine whose times can be computed by hand: a byte takes a nanosecond on
// a link and half of one in memory, a message a microsecond, and work is free.
var plain = Machine{Name: "plain", Nodes: 4, Topology: fatTree, Adapters: 1, Link: 1e9, Memory: 2e9, Latency: 1000, Rates: Rates{Probed: 1}}

// on runs f on the ranks of a machine and returns the time at which each ends.
func on(t *testing.T, m Machine, nodes, perNode int, f func(c rank.Comm) error) ([]time.Duration, []error) {
	t.Helper()
	comms := newWorld(m.at(1, perNode), nodes, perNode, 1).comms()
	ends, errs := make([]time.Duration, len(comms)), make([]error, len(comms))
	var wg sync.WaitGroup
	for _, c := range comms {
		c.(rank.Clock).Enter()
	}
	for r, c := range comms {
		wg.Go(func() {
			clock := c.(rank.Clock)
			errs[r] = f(c)
			ends[r] = clock.Now().Sub(time.Unix(0, 0))
			clock.Leave()
		})
	}
	wg.Wait()
	return ends, errs
}

// ends fails the test unless all ranks succeed, and returns the last of their times.
func ends(t *testing.T, m Machine, nodes, perNode int, f func(c rank.Comm) error) time.Duration {
	t.Helper()
	times, errs := on(t, m, nodes, perNode, f)
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return slices.Max(times)
}

func receive(c rank.Comm) (p rank.Packet, err error) {
	err = rank.Await(func() (ok bool, err error) {
		p, ok, err = c.Receive(0)
		return ok, err
	})
	return p, err
}

// A packet takes its latency and its bytes; two that share a link take both their bytes,
// and two that share none do not.
func TestPacketsTakeTheirLinks(t *testing.T) {
	const size = 4000 // bytes, and nanoseconds
	pairs := func(to ...int) func(c rank.Comm) error {
		return func(c rank.Comm) error {
			me := c.Rank()
			if me < len(to) {
				if _, err := c.Send(to[me], 0, make([]byte, size)); err != nil {
					return err
				}
			}
			for _, r := range to {
				if r == me {
					if _, err := receive(c); err != nil {
						return err
					}
				}
			}
			return nil
		}
	}
	for name, x := range map[string]struct {
		nodes, perNode int
		to             []int
		want           time.Duration
	}{
		"one":                {4, 1, []int{2}, 5000},
		"to one node":        {4, 1, []int{2, 2}, 9000},
		"to different nodes": {4, 1, []int{2, 3}, 5000},
		"from one node":      {2, 2, []int{2, 3}, 9000},
		"within a node":      {1, 2, []int{1}, sameNode + 2000},
	} {
		if got := ends(t, plain, x.nodes, x.perNode, pairs(x.to...)); got != x.want {
			t.Errorf("%s: %v, want %v", name, got, x.want)
		}
	}
	two := plain
	two.Adapters = 2
	if got := ends(t, two, 2, 2, pairs(2, 3)); got != 5000 {
		t.Errorf("over two adapters: %v", got)
	}
	bridged := plain
	bridged.Bridge = 0.5e9
	if got := ends(t, bridged, 2, 2, func(c rank.Comm) error { return pairs(3)(c) }); got != 9000 {
		t.Errorf("to the second unit of a node: %v", got)
	}
}

// What a rank computes after it has sent overlaps with the packet under way.
func TestOverlap(t *testing.T) {
	got := ends(t, plain, 2, 1, func(c rank.Comm) error {
		work := int64(0)
		c.(rank.Clock).Watch(func() rank.Work { return rank.Work{Probed: work} })
		if c.Rank() == 0 {
			if _, err := c.Send(1, 0, make([]byte, 4000)); err != nil {
				return err
			}
			work = 5000
			return nil
		}
		work = 3000
		_, err := receive(c)
		return err
	})
	if got != 5000 {
		t.Errorf("%v, want 5 µs: all three at once", got)
	}
}

func TestCollectives(t *testing.T) {
	for _, n := range []int{1, 2, 3, 8} {
		for _, combine := range []float64{0, 5000} {
			m := plain
			m.Combine = combine
			ends(t, m, n, 1, func(c rank.Comm) error { return useCollectives(c, n) })
		}
	}
}

// useCollectives checks the result of each collective.
func useCollectives(c rank.Comm, n int) error {
	me := uint64(c.Rank())
	sum, most := []uint64{me}, []uint64{me}
	first, err := c.Reduce(rank.Sum, sum)
	if err != nil {
		return err
	}
	if err := rank.Reduced(c, rank.Max, most); err != nil {
		return err
	}
	if err := rank.Await(first.Done); err != nil {
		return err
	}
	if sum[0] != uint64(n*(n-1)/2) || most[0] != uint64(n-1) {
		return fmt.Errorf("sum %d, max %d of %d", sum, most, n)
	}
	all, cuts, in := make([]byte, n), make([]int64, n+1), make([]byte, n)
	var parts []rank.Span
	for r := range n {
		parts = append(parts, rank.Span{Lo: int64(r), Hi: int64(r + 1)})
		cuts[r+1] = int64(r + 1)
	}
	all[me] = byte(me) + 1
	if err := c.Gather(all, parts); err != nil {
		return err
	}
	if err := c.Exchange(all, cuts, in, cuts); err != nil {
		return err
	}
	half, err := c.Split(int(me)%2, -int(me))
	if err != nil {
		return err
	}
	shared, err := half.Share(8)
	if err != nil {
		return err
	}
	for r := range n {
		if all[r] != byte(r+1) || in[r] != byte(me)+1 || len(shared) != 8 || half.Rank() != (n-1-int(me))/2 {
			return fmt.Errorf("gathered %v, exchanged %v, rank %d of its half", all, in, half.Rank())
		}
	}
	return c.Barrier()
}

// Reductions take a round for each doubling, and one latency in hardware.
func TestReductionsTakeRounds(t *testing.T) {
	for _, n := range []int{2, 4, 7, 8} {
		rounds := time.Duration(0)
		for k := 1; k < n; k *= 2 {
			rounds++
		}
		if got := ends(t, plain, n, 1, rank.Comm.Barrier); got != rounds*1000 {
			t.Errorf("%d ranks: %v, want %d rounds", n, got, rounds)
		}
	}
	hardware := plain
	hardware.Combine = 300
	if got := ends(t, hardware, 8, 1, rank.Comm.Barrier); got != 300 {
		t.Errorf("in hardware: %v", got)
	}
}

// Every route of a torus has as many links as its ends are apart, and the lengths of its
// dimensions are those that BlueGene/Q has.
func TestTorus(t *testing.T) {
	for nodes, want := range map[int][]int{512: {4, 4, 4, 4, 2}, 1024: {8, 4, 4, 4, 2}, 65536: {16, 16, 16, 8, 2}, 7: {7, 1, 1, 1, 1}, 1: {1, 1, 1, 1, 1}} {
		if got := dimensions(nodes); !slices.Equal(got, want) {
			t.Errorf("%d nodes: %v, want %v", nodes, got, want)
		}
	}
	m := Machine{Topology: torus, Link: 1, Memory: 1}
	n := newNetwork(m, 48, 1)
	for a := range 48 {
		for b := range 48 {
			want, stride := 0, 1
			for _, size := range n.dims {
				apart := (b/stride%size - a/stride%size + size) % size
				want += min(apart, size-apart)
				stride *= size
			}
			n.route = n.route[:0]
			n.walk(a, b)
			if len(n.route) != want {
				t.Fatalf("%d links from %d to %d, want %d", len(n.route), a, b, want)
			}
		}
	}
}

func TestFailures(t *testing.T) {
	broken := errors.New("out of luck")
	_, errs := on(t, plain, 3, 1, func(c rank.Comm) error {
		if c.Rank() == 1 {
			c.Abort(broken)
			return broken
		}
		return c.Barrier()
	})
	f := (*rank.Failure)(nil)
	if !errors.As(errs[2], &f) || f.Rank != 1 || !errors.Is(errs[0], broken) {
		t.Error(errs)
	}
	_, errs = on(t, plain, 2, 1, func(c rank.Comm) error { _, err := receive(c); return err })
	if errs[0] == nil || !strings.Contains(errs[0].Error(), "waits") {
		t.Errorf("ranks that wait for each other: %v", errs)
	}
}

func TestMachines(t *testing.T) {
	for _, m := range Machines {
		if err := m.check(); err != nil {
			t.Error(err)
		}
	}
	dir := t.TempDir()
	for name, x := range map[string]struct{ text, want string }{
		"good.json":    {`{"Nodes": 2, "Topology": "dragonfly", "GroupSize": 2, "Adapters": 1, "Link": 1e9, "Memory": 1e9, "Rates": {"Probed": 1}}`, ""},
		"typo.json":    {`{"Nods": 2}`, "Nods"},
		"nothing.json": {`{}`, "cannot be"},
		"cube":         {"", "unknown machine"},
		"lost.json":    {"", "no such file"},
	} {
		path := filepath.Join(dir, name)
		if x.text != "" {
			if err := os.WriteFile(path, []byte(x.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := Check(path); (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want %q", name, err, x.want)
		}
	}
}

// A rank with all sockets of a node, and interleaved memory, computes bottom-up 1.58 times as
// long as eight ranks together, as Fig. 11 of Cui et al. says, and top-down longer still:
// its threads visit vertices by atomic operations. A rank that is not bound copies slowly too.
func TestRemoteMemory(t *testing.T) {
	m, err := find("numa-cluster")
	if err != nil {
		t.Fatal(err)
	}
	bound, one := m.at(1, 8), m.at(1, 1)
	if got := 8 * one.Rates.Probed / bound.Rates.Probed; got < 1.579 || got > 1.581 {
		t.Errorf("bottom-up takes %.3f times as long", got)
	}
	if got := 8 * one.Rates.Scanned / bound.Rates.Scanned; got < 1.58*numaAtomic-.01 || got > 1.58*numaAtomic+.01 {
		t.Errorf("top-down takes %.3f times as long", got)
	}
	m.Unbound = true
	if free := m.at(1, 8); free.Memory >= bound.Memory || free.Rates.Scanned > 1.581*bound.Rates.Scanned {
		t.Errorf("not bound: %+v, bound: %+v", free, bound)
	}
}

// A rank has one device, even if it is alone on a node of two.
func TestOneDevice(t *testing.T) {
	m, err := find("romeo")
	if err != nil {
		t.Fatal(err)
	}
	if alone := m.at(1, 1); alone.Rates != m.Rates {
		t.Errorf("alone on its node: %+v, one of two: %+v", alone.Rates, m.Rates)
	}
}

// In a ring, every rank of a node sends to the next while it receives from the last: a
// round takes as long as one copy, however many ranks there are.
func TestRanksOfANodeCopyAtTheSameTime(t *testing.T) {
	const ranks, part = 8, ringFrom / 8
	got := ends(t, plain, 1, ranks, func(c rank.Comm) error {
		parts := make([]rank.Span, ranks)
		for r := range parts {
			parts[r] = rank.Span{Lo: int64(r * part), Hi: int64((r + 1) * part)}
		}
		return c.Gather(make([]byte, ranks*part), parts)
	})
	if want := (ranks - 1) * time.Duration(part/2+sameNode); got != want {
		t.Errorf("gathering took %v, want %v", got, want)
	}
}

// Bytes of an exchange cost what a rank says it did to make and read them, and no more.
func TestPackingIsTheRanksWork(t *testing.T) {
	exchange := func(perByte float64) time.Duration {
		m := plain
		m.Rates.Byte = perByte
		return ends(t, m, 1, 2, func(c rank.Comm) error {
			done := rank.Work{}
			c.(rank.Clock).Watch(func() rank.Work { return done })
			done.Packed = 1000
			cuts := []int64{0, 1000, 2000}
			return c.Exchange(make([]byte, 2000), cuts, make([]byte, 2000), cuts)
		})
	}
	if got, want := exchange(3)-exchange(0), 3000*time.Nanosecond; got != want {
		t.Errorf("packing 1,000 bytes took %v, want %v", got, want)
	}
}
