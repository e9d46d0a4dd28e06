package lab

import (
	"math/bits"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/ranks/rank"
)

// Everything that is sent arrives and is counted once, and the rate is that over at least the
// time of a measurement.
func TestBandwidthCountsWhatArrives(t *testing.T) {
	const size, takes = 512, 5 * time.Millisecond
	var sent, received int64
	err := place{}.onRanks(2, 2, func(c rank.Comm) (err error) {
		if c.Rank() == 1 {
			received, err = receiveAll(c, size)
			return err
		}
		before := c.Traffic()
		err = sendUntil(t.Context(), c, 1, size, time.Now().Add(takes))
		sent = c.Traffic().Minus(before).Bytes
		return err
	})
	if err != nil || received != sent || received < window*size || received%size != 0 {
		t.Errorf("%d bytes of %d arrived in packets of %d, %v", received, sent, size, err)
	}
	for _, pairs := range []int{1, 3} {
		start := time.Now()
		rate, err := bandwidth(t.Context(), place{}, pairs, size, takes)
		took := time.Since(start)
		if least := float64(pairs*window*size) / took.Seconds(); err != nil || rate < least || took < takes {
			t.Errorf("%d pairs: %g B/s in %v, want at least %g, %v", pairs, rate, took, least, err)
		}
	}
}

// Every way of gathering leaves everything everywhere, which gatherRank checks,
// and sends as many bytes as the paper's formulas say.
func TestGatheringsByTheFormulas(t *testing.T) {
	const size, ranks, hosts = 1 << 10, 8, 2
	for way, want := range map[string]int64{"per-rank": size * (ranks - 1), "shared": size * (hosts - 1)} {
		g, err := gatherAll(t.Context(), place{}, way, ranks, hosts, size)
		if err != nil {
			t.Fatal(err)
		}
		if g.traffic.Bytes != want {
			t.Errorf("%s: %d bytes, the formula says %d", way, g.traffic.Bytes, want)
		}
	}
	g, err := gatherAll(t.Context(), place{}, "leader", ranks, hosts, size)
	if err != nil || g.collect <= 0 || g.distribute <= 0 || g.traffic.HostBytes != size*(hosts-1) {
		t.Errorf("by leaders: %+v, %v", g, err)
	}
}

// On a path 0-1-2 from 0 the plain algorithm pops 0, 1, 2; nobody is queued
// twice. Each vertex: pop, level, write, two ends of its row; each of the four
// entries: itself and its level; two pushes.
func TestPlainRequestsByHand(t *testing.T) {
	path := edge.List([]hops.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 1, V: 2}, {U: 2, V: 2}}, 3)
	requests, entries, err := plainRequests(path, 0)
	if err != nil || requests != 3*5+4*2+2 || entries != 4 {
		t.Errorf("%d requests for %d entries, %v", requests, entries, err)
	}
	// In a triangle 1 queues 2 again before 2 was visited: a push, a pop and a look.
	triangle := edge.List([]hops.Edge{{U: 0, V: 1}, {U: 0, V: 2}, {U: 1, V: 2}}, 3)
	requests, entries, err = plainRequests(triangle, 0)
	if err != nil || requests != 3*5+6*2+3+2 || entries != 6 {
		t.Errorf("%d requests for %d entries, %v", requests, entries, err)
	}
}

func TestThreadsArePowersOfTwo(t *testing.T) {
	for _, n := range fakeLab(plainWorld).threads() {
		if bits.OnesCount(uint(n)) != 1 {
			t.Errorf("%d threads", n)
		}
	}
}

// Devices that are processors of the host say nothing about GPUs.
func TestExchangeBetweenDevicesNeedsGPUs(t *testing.T) {
	l := fakeLab(scenes["romeo/sec3.4.5"].holds)
	if got := perform(t, "romeo/sec3.4.5", l).Verdict(); got != Holds {
		t.Errorf("with a GPU: %s", got)
	}
	l.NoGPU = "a GPU"
	if f := perform(t, "romeo/sec3.4.5", l); f.Verdict() != Unclear || len(f.Missing) != 1 || len(f.Tables[0].Rows) != 2 {
		t.Errorf("without: %s", describe(f))
	}
}
