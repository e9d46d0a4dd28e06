package cluster

import (
	"math"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/rank"
)

// What is added up over all ranks after a level.
const (
	sumFound = iota
	sumEdges
	sumExamined
	sumForward
	sumProbes
	sumClaims
	sumPackets
	sumBytes
	sumHostBytes
	sumRaw
	sumPacked
	sumBusy
	sumSending
	sumWaiting
	sumGathering
	sumSwitching
	sumStop
	sumCount
)

// addUp adds up what the workers of this rank have counted.
func (m *machine) addUp(start time.Time) {
	clear(m.sums)
	gathering, switching := int64(m.gathering), int64(m.switching)
	m.gathering, m.switching = 0, 0
	m.quickest[0] = math.MaxUint64 - uint64(gathering)
	took := int64(time.Since(start)) - gathering - switching
	for t := range m.workers {
		c := &m.workers[t].tally
		for _, x := range [...]struct {
			at int
			by int64
		}{
			{sumFound, c.found},
			{sumEdges, c.edges},
			{sumExamined, c.examined},
			{sumForward, c.forward},
			{sumProbes, c.probes},
			{sumClaims, c.claims},
			{sumRaw, c.raw},
			{sumPacked, c.packed},
			{sumBusy, took - c.sending - c.waiting},
			{sumSending, c.sending},
			{sumWaiting, c.waiting},
			{sumGathering, gathering},
			{sumSwitching, switching},
		} {
			m.sums[x.at] += uint64(x.by)
		}
	}
	now := m.comm.Traffic()
	sent := now.Minus(m.traffic)
	m.traffic = now
	m.sums[sumPackets], m.sums[sumBytes], m.sums[sumHostBytes] = uint64(sent.Messages), uint64(sent.Bytes), uint64(sent.HostBytes)
	if m.ctx.Err() != nil {
		m.sums[sumStop] = 1
	}
}

// findQuickest starts looking for the rank that took the least to gather the frontier,
// where parts of it were sent. It was the last to come, so that its time is what that
// took: the others have waited for it.
func (m *machine) findQuickest() (rank.Pending, error) {
	if !m.wired {
		return rank.Ready{}, nil
	}
	return m.comm.Reduce(rank.Max, m.quickest)
}

// exchange is what the trace says of a level.
func (m *machine) exchange() *hops.Exchange {
	ranks := int64(m.comm.Size() * m.team.Size())
	if m.wired {
		gathering := (math.MaxUint64 - m.quickest[0]) * uint64(ranks)
		m.sums[sumWaiting] += m.sums[sumGathering] - gathering
		m.sums[sumGathering] = gathering
	}
	return &hops.Exchange{
		Forward: int64(m.sums[sumForward]), Probes: int64(m.sums[sumProbes]), Claims: int64(m.sums[sumClaims]),
		Packets: int64(m.sums[sumPackets]), HostBytes: int64(m.sums[sumHostBytes]),
		Raw: int64(m.sums[sumRaw]), Encoded: int64(m.sums[sumPacked]),
		Computing: time.Duration(int64(m.sums[sumBusy]) / ranks),
		Sending:   time.Duration(int64(m.sums[sumSending]) / ranks),
		Waiting:   time.Duration(int64(m.sums[sumWaiting]) / ranks),
		Gathering: time.Duration(int64(m.sums[sumGathering]) / ranks),
		Switching: time.Duration(int64(m.sums[sumSwitching]) / ranks),
	}
}
