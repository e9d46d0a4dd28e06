package cluster

import (
	"math"
	"runtime"
	"time"

	"github.com/gohops/hops/internal/bitset"
	"github.com/gohops/hops/internal/rank"
	"github.com/gohops/hops/level"
)

// Which step comes next is decided by what steps cost. What they compute was
// fitted to explored levels, every step timed on every level of six searches each at
// scales 16, 18 and 20 with two ranks on two cores; it is divided by the number of
// workers. What the exchange costs is measured when the graph is ready, on the
// ranks and hosts at hand: a round of all ranks, and gathering the bitmap of a
// frontier.
//
// On these levels the alpha–beta rule, with the gathered bitmap for all bottom-up
// levels, took 21, 3 and 2 % longer than the best steps in hindsight, this model at
// most 0.3 %.

// computing is what a step costs one worker, in nanoseconds.
var computing = level.Model{
	byMessages.Name: {
		PerVertex: 0.14, PerRow: 3.3, PerEntry: 6.9,
		Short: &level.Cost{PerVertex: 0.04, PerRow: 130, PerOpen: 1.9, PerEntry: 1.4},
	},
	byAllgather.Name: {PerVertex: 0.22, PerOpen: 2.6, PerEntry: 1.8},
	byProbe.Name:     {PerVertex: 0.09, PerOpen: 160},
	byList.Name:      {PerVertex: 0.033, PerOpen: 38, PerEntry: 0.6},
}

const (
	// Rounds that a step takes: of messages, the count of packets and the sums of
	// the level; of a gathering, the sums alone; of a pass of probes, the counts of
	// both kinds.
	messageRounds = 2
	gatherRounds  = 1
	passRounds    = 2

	// edgeBytes is what an edge takes in a packet for another host.
	edgeBytes = 3
	// listBytes is what a vertex takes in a list.
	listBytes = 1.5
)

// newPolicy measures the exchange and decides by it. A single exchange, which is
// there to be compared with, goes by the rule of the papers that it comes from.
func (m *machine) newPolicy() (level.Policy, error) {
	if m.opts.Exchange != "" {
		return level.RuleOfThumb, nil
	}
	round, perByte, err := m.measure()
	if err != nil {
		return nil, err
	}
	return level.Exchanges{
		Compute: shared(m.list, m.atOnce()), Round: round, Byte: perByte,
		Traffic: m.predictTraffic(),
	}, nil
}

// atOnce is how many workers can compute at once: ranks inside one process share
// its processors.
func (m *machine) atOnce() int {
	workers := m.parts.workers()
	if m.opts.Ranks > 0 {
		workers = min(workers, runtime.GOMAXPROCS(0))
	}
	return workers
}

// shared is what steps cost that many workers together.
func shared(steps []level.Step, workers int) (costs []level.Cost) {
	for _, s := range steps {
		costs = append(costs, sharedCost(computing[s.Name], float64(workers)))
	}
	return costs
}

func sharedCost(c level.Cost, workers float64) level.Cost {
	all := level.Cost{
		PerVertex: c.PerVertex / workers, PerRow: c.PerRow / workers,
		PerOpen: c.PerOpen / workers, PerEntry: c.PerEntry / workers,
	}
	if c.Short != nil {
		short := sharedCost(*c.Short, workers)
		all.Short = &short
	}
	return all
}

// measure returns the nanoseconds of a round of all ranks, and of each byte of a
// bitmap that is gathered.
func (m *machine) measure() (round, perByte float64, err error) {
	times := m.sums[:2]
	if times[0], err = least(m.comm.Barrier); err != nil {
		return 0, 0, err
	}
	m.state.Vertices, m.state.Size = int64(m.n), int64(m.n) // dense
	times[1], err = least(func() error {
		m.hasFront, m.gathered = true, false
		return m.gather()
	})
	if err != nil {
		return 0, 0, err
	}
	// All ranks must use the same numbers.
	if err := rank.Reduced(m.comm, rank.Max, times); err != nil {
		return 0, 0, err
	}
	return float64(times[0]), float64(times[1]) / float64(8*bitset.Words(int64(m.n)+1)), nil
}

// least is the shortest time of several that f takes: others may use the machine
// too.
func least(f func() error) (uint64, error) {
	const times = 10
	shortest := uint64(math.MaxUint64)
	for range times {
		start := time.Now()
		if err := f(); err != nil {
			return 0, err
		}
		shortest = min(shortest, uint64(time.Since(start)))
	}
	return shortest, nil
}

// predictTraffic returns what steps are expected to exchange: bytes are those of
// a gathered bitmap, or what takes as long.
func (m *machine) predictTraffic() func(f level.Front, s level.Step) (rounds, bytes float64) {
	ranks, hosts := float64(m.comm.Size()), float64(m.hosts.count)
	wired := hosts > 1 || !m.gatherer.shared
	away := 1 - 1/hosts // share of the edges that leave their host
	return func(f level.Front, s level.Step) (rounds, bytes float64) {
		switch s.Exchange {
		case byMessages.Exchange:
			return messageRounds, edgeBytes * away * float64(f.Work[level.TopDown]) / ranks
		case byProbe.Exchange:
			looks := float64(f.Work[level.BottomUp]) / float64(max(1, f.Unvisited))
			passes := 1 + math.Ceil(math.Log2(1+looks))
			return 1 + passRounds*passes, 2 * edgeBytes * away * float64(f.Work[level.BottomUp]) / ranks
		}
		if !wired {
			return gatherRounds, 0
		}
		size := float64(f.Size) / 8
		if f.Vertices <= f.Size/sparseBelow {
			return gatherRounds + 2, min(size, listBytes*float64(f.Vertices))
		}
		return gatherRounds, size
	}
}
