package grid

import (
	"fmt"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/ranks/distributed"
	"github.com/gohops/hops/internal/ranks/rank"
	"github.com/gohops/hops/level"
)

// The numbers that are added up over all ranks after a level.
const (
	sumFound = iota
	sumEdges
	sumExamined
	sumPackets
	sumBytes
	sumHostBytes
	sumBusy
	sumGathering
	sumBus
	sumDirect
	sumStop
	sumCount
)

// Seed clears the state of the last search.
func (m *machine) Seed(root hops.Vertex) (level.Front, error) {
	v, sums := uint64(root), m.sums[:3] // edges into the root and out of it, ranks to stop
	m.frontier.whole = false
	if err := m.side.seed(v); err != nil {
		return m.state, err
	}
	clear(sums)
	if m.Parts.Owner(v) == m.Comm.Rank() {
		if m.tree != nil {
			m.tree.SetParent(root, root)
		}
		if m.out != nil {
			first, _ := m.Parts.Rank(m.Comm.Rank())
			sums[1] = uint64(m.out[v-first])
		}
	}
	if v-m.first < uint64(m.count) {
		sums[0] = uint64(m.block.length(uint32(v - m.first)))
	}
	if m.ctx.Err() != nil {
		sums[2] = 1
	}
	if err := rank.Reduced(m.Comm, rank.Sum, sums); err != nil {
		return m.state, err
	}
	if sums[2] > 0 {
		return m.state, distributed.Agreed(m.Stopped(m.ctx, 1))
	}
	m.traffic = m.Comm.Traffic()
	into, edges := int64(sums[0]), int64(sums[1])
	if m.out == nil {
		edges = into
	}
	m.state = level.Front{
		Size: int64(m.N), Vertices: 1, Edges: edges,
		Unvisited: m.total.reachable - min(into, 1), Remaining: m.total.entries - edges,
	}
	m.estimate(&m.state)
	return m.state, nil
}

// Run runs one level.
func (m *machine) Run(s level.Step) (f level.Front, done level.Outcome, err error) {
	direction, err := m.direction(s)
	if err != nil {
		return f, done, err
	}
	start := m.Now()
	m.waiting = 0
	m.before, m.last = m.done(), direction
	for t := range m.bands {
		m.bands[t].tally = tally{}
	}
	if err := m.gatherColumn(); err != nil {
		return f, done, err
	}
	if err := m.search(direction); err != nil {
		return f, done, err
	}
	if err := m.side.unite(); err != nil {
		return f, done, err
	}
	m.frontier.whole = false
	if m.tellsInEveryLevel {
		if err := m.side.tell(); err != nil {
			return f, done, err
		}
	}
	m.addUp(start)
	if err := rank.Reduced(m.Comm, rank.Sum, m.sums); err != nil {
		return f, done, err
	}
	if m.sums[sumStop] > 0 {
		return f, done, distributed.Agreed(m.Stopped(m.ctx, 1))
	}
	m.state = m.nextFront()
	return m.state, m.outcome(), nil
}

// direction is the direction of a step.
func (m *machine) direction(s level.Step) (level.Direction, error) {
	for _, known := range m.steps {
		if known.Name == s.Name {
			return known.Direction, nil
		}
	}
	return 0, fmt.Errorf("grid: no step is called %q", s.Name)
}

// search finds the next frontier of the row and lets the row know.
func (m *machine) search(d level.Direction) error {
	m.found.pass, m.found.two = 0, false
	most := m.state.Edges // that many vertices can be found
	if d == level.BottomUp {
		m.found.two, most = m.asksTwice(), m.state.Unvisited
	}
	if err := m.side.search(d); err != nil {
		return err
	}
	if err := m.gatherRow(most); err != nil || !m.found.two {
		return err
	}
	if err := m.side.admit(); err != nil {
		return err
	}
	m.found.pass = 1
	if err := m.side.search(d); err != nil {
		return err
	}
	return m.gatherRow(most)
}

// asksTwice tells whether most vertices will find a parent where they look first.
func (m *machine) asksTwice() bool {
	return m.columns > 1 && m.prefix == nil && m.state.Edges > m.state.Remaining/asksTwiceAbove
}

// asksTwiceAbove: a level has two passes if more than one in so many of the
// remaining edges lead to the frontier.
const asksTwiceAbove = 8

// done is the work of this rank so far: in the levels before, and in the one under way.
func (m *machine) done() rank.Work {
	all := m.before
	for t := range m.bands {
		c := &m.bands[t].tally
		if m.last == level.TopDown {
			all.Scanned += c.examined
		} else {
			all.Probed += c.examined
		}
		all.Visited += c.found
		all.Swept += c.swept
		all.United += c.united
	}
	return all
}

// addUp adds up what the threads of this rank have counted.
func (m *machine) addUp(start time.Time) {
	clear(m.sums)
	for t := range m.bands {
		c := &m.bands[t].tally
		m.sums[sumExamined] += uint64(c.examined)
		m.sums[sumFound] += uint64(c.found)
		m.sums[sumEdges] += uint64(c.edges)
	}
	now := m.Comm.Traffic()
	sent := now.Minus(m.traffic)
	m.traffic = now
	m.sums[sumPackets], m.sums[sumBytes], m.sums[sumHostBytes] = uint64(sent.Messages), uint64(sent.Bytes), uint64(sent.HostBytes)
	bus, direct := m.side.moved()
	m.sums[sumBus], m.sums[sumDirect] = uint64(bus), uint64(direct)
	m.sums[sumBusy], m.sums[sumGathering] = uint64(m.Since(start)-m.waiting), uint64(m.waiting)
	if m.ctx.Err() != nil {
		m.sums[sumStop] = 1
	}
	m.Note(int64(m.sums[sumExamined]), int64(m.sums[sumBytes]), m.waiting, 0)
}

// nextFront is the frontier that the sums of all ranks describe.
func (m *machine) nextFront() level.Front {
	f := distributed.NextFront(m.state, int64(m.sums[sumFound]), int64(m.sums[sumEdges]), m.total.entries)
	m.estimate(&f)
	return f
}

// outcome is what the level did, by the sums of all ranks.
func (m *machine) outcome() level.Outcome {
	ranks, packets := int64(m.Comm.Size()), int64(m.sums[sumPackets])
	return level.Outcome{
		Examined: int64(m.sums[sumExamined]), Bytes: int64(m.sums[sumBytes]), Messages: packets,
		Exchange: &hops.Exchange{
			Packets: packets, HostBytes: int64(m.sums[sumHostBytes]),
			BusBytes: int64(m.sums[sumBus]), DeviceBytes: int64(m.sums[sumDirect]),
			Computing: time.Duration(int64(m.sums[sumBusy]) / ranks), Gathering: time.Duration(int64(m.sums[sumGathering]) / ranks),
			Work:  hops.Spread{Mean: int64(m.sums[sumExamined]) / ranks},
			Sent:  hops.Spread{Mean: int64(m.sums[sumBytes]) / ranks},
			Waits: hops.Spread{Mean: int64(m.sums[sumGathering]) / ranks},
		},
	}
}

// estimate predicts the row entries that each direction would examine next.
func (m *machine) estimate(f *level.Front) {
	f.Work = [level.Directions]int64{f.Edges, f.Remaining, f.Remaining}
}
