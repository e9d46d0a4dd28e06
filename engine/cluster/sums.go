package cluster

import (
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/ranks/packet"
	"github.com/gohops/hops/internal/ranks/rank"
	"github.com/gohops/hops/level"
)

// The numbers that are added up over all ranks after a level. The first of them are
// those that each worker counts in its tally.
const (
	sumFound = iota
	sumEdges
	sumExamined
	sumForward // edges to other ranks, by kind
	sumProbes
	sumRaw // bytes of these, before and after they are encoded
	sumEncoded
	sumSending // nanoseconds, like the other times
	sumWaiting
	sumSwept // words of bitmaps, and headers of rows

	sumClaims
	sumPackets
	sumBytes
	sumHostBytes
	sumBusy
	sumGathering
	sumSwitching
	sumStop
	sumCount

	tallied = sumSwept + 1
)

// A tally is what a worker counts in a level.
type tally struct {
	counts [tallied]int64
	_      [64]byte
}

// sent counts edges that are sent to another rank.
func (t *tally) sent(k packet.Kind, edges, bytes int) {
	t.counts[sumForward+int(k)] += int64(edges)
	t.counts[sumRaw] += 8 * int64(edges)
	t.counts[sumEncoded] += int64(bytes)
}

// done is the work of this rank so far: in the levels before, and in the one under way.
func (m *machine[L]) done() rank.Work {
	all := m.before
	for t := range m.workers {
		counts := &m.workers[t].tally.counts
		if m.direction == level.TopDown {
			all.Scanned += counts[sumExamined]
		} else {
			all.Probed += counts[sumExamined]
		}
		all.Visited += counts[sumFound]
		all.Swept += counts[sumSwept]
	}
	return all
}

// A clock is the times of this rank in a level, and its traffic.
type clock struct {
	gathering time.Duration
	switching time.Duration // between queues and bitmaps
	sent      bool          // parts of the frontier were sent in the gathering
	traffic   rank.Traffic  // of all levels before
}

// addUp adds up what the workers of this rank have counted.
func (m *machine[L]) addUp(start time.Time) {
	clear(m.sums)
	gathering, switching := int64(m.clock.gathering), int64(m.clock.switching)
	m.clock.gathering, m.clock.switching = 0, 0
	took := int64(m.Since(start)) - gathering - switching
	for t := range m.workers {
		for sum, n := range m.workers[t].tally.counts {
			m.sums[sum] += uint64(n)
		}
	}
	workers := int64(len(m.workers))
	m.sums[sumBusy] = uint64(workers*took) - m.sums[sumSending] - m.sums[sumWaiting]
	m.sums[sumGathering], m.sums[sumSwitching] = uint64(workers*gathering), uint64(workers*switching)
	if m.claims {
		m.sums[sumForward], m.sums[sumClaims] = 0, m.sums[sumForward]
	}
	now := m.Comm.Traffic()
	sent := now.Minus(m.clock.traffic)
	m.clock.traffic = now
	m.sums[sumPackets], m.sums[sumBytes], m.sums[sumHostBytes] = uint64(sent.Messages), uint64(sent.Bytes), uint64(sent.HostBytes)
	if m.ctx.Err() != nil {
		m.sums[sumStop] = 1
	}
	m.note(gathering)
}

// note notes what this rank has done in a level, for its balance with others.
func (m *machine[L]) note(gathering int64) {
	waiting := int64(m.sums[sumWaiting])/int64(len(m.workers)) + gathering
	if !m.clock.sent {
		gathering = 0
	}
	m.Note(int64(m.sums[sumExamined]), int64(m.sums[sumBytes]), time.Duration(waiting), time.Duration(gathering))
}

// outcome is what the level did, by the sums of all ranks.
func (m *machine[L]) outcome() level.Outcome {
	ranks := m.Comm.Size()
	workers := int64(ranks * m.Team.Size())
	mean := func(sum uint64) hops.Spread { return hops.Spread{Mean: int64(sum) / int64(ranks)} }
	x := hops.Exchange{
		Forward: int64(m.sums[sumForward]), Probes: int64(m.sums[sumProbes]), Claims: int64(m.sums[sumClaims]),
		Packets: int64(m.sums[sumPackets]), HostBytes: int64(m.sums[sumHostBytes]),
		Raw: int64(m.sums[sumRaw]), Encoded: int64(m.sums[sumEncoded]),
		Computing: time.Duration(int64(m.sums[sumBusy]) / workers),
		Sending:   time.Duration(int64(m.sums[sumSending]) / workers),
		Waiting:   time.Duration(int64(m.sums[sumWaiting]) / workers),
		Gathering: time.Duration(int64(m.sums[sumGathering]) / workers),
		Switching: time.Duration(int64(m.sums[sumSwitching]) / workers),
		Work:      mean(m.sums[sumExamined]),
		Sent:      mean(m.sums[sumBytes]),
		Waits:     mean((m.sums[sumWaiting] + m.sums[sumGathering]) / uint64(m.Team.Size())),
	}
	return level.Outcome{
		Examined: int64(m.sums[sumExamined]), Bytes: int64(m.sums[sumBytes]),
		Messages: x.Forward + x.Probes + x.Claims, Exchange: &x,
	}
}
