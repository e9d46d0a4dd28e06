package cluster

import (
	"context"
	"math"
	"runtime"
	"slices"

	"github.com/gohops/hops/internal/base/bitset"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/internal/ranks/gather"
	"github.com/gohops/hops/internal/ranks/rank"
	"github.com/gohops/hops/level"
)

// The policy takes the step of the least cost. The costs of computing
// were fitted to explored levels: every step was timed on every level of six searches
// each at scales 16, 18 and 20, with two ranks on two cores. They are divided by the
// number of workers. The costs of the exchange are measured when the graph is ready,
// on the ranks and hosts at hand: a round of all ranks, a level without any work, a
// level by messages without any message, and gathering the bitmap of a frontier.
//
// On these levels the alpha–beta rule, with the gathered bitmap for all bottom-up
// levels, took 21, 3 and 2 % longer than the best steps in hindsight, this model at
// most 0.3 %.

// computing is the cost of a step for one worker, in nanoseconds.
var computing = learn.Model{
	byMessages.Name: {
		PerVertex: 0.14, PerRow: 3.3, PerEntry: 6.9,
		Short: &learn.Cost{PerVertex: 0.04, PerRow: 130, PerOpen: 1.9, PerEntry: 1.4},
	},
	byAllgather.Name: {PerVertex: 0.22, PerOpen: 2.6, PerEntry: 1.8},
	byProbe.Name:     {PerVertex: 0.09, PerOpen: 160},
	byList.Name:      {PerVertex: 0.033, PerOpen: 38, PerEntry: 0.6},
}

const (
	// edgeBytes is the size of an edge in a packet for another host.
	edgeBytes = 3
	// listBytes is the size of a vertex in a list.
	listBytes = 1.5
)

// fixed are the costs of exchanges without content, in nanoseconds.
type fixed struct {
	round    float64 // of all ranks
	level    float64 // waking the workers and adding up what they have done
	messages float64 // a level by messages, with that
	perByte  float64 // of a bitmap that is gathered
}

// newPolicy returns the policy that the options name. By default it measures the costs
// of exchanges and decides by them, or, with a single exchange, goes by the rule of the
// paper that the exchange comes from.
func (m *machine[L]) newPolicy(o Options) (level.Policy, error) {
	switch {
	case o.Policy == "checconi" || o.Policy == "" && o.Exchange == "probe":
		return level.Checconi{}, nil
	case o.Policy == "" && o.Exchange == "allgather":
		return level.Beamer, nil
	case o.Policy == "alpha-beta" || o.Exchange != "":
		return level.RuleOfThumb, nil
	}
	cost, err := m.measure()
	if err != nil {
		return nil, err
	}
	return learn.Exchanges{
		Compute: shared(m.steps, m.atOnce()), Round: cost.round, Byte: cost.perByte,
		Traffic: m.predictTraffic(cost),
	}, nil
}

// atOnce is the number of workers that can compute at once: ranks inside one process
// share its processors.
func (m *machine[L]) atOnce() int {
	workers := m.Parts.Workers()
	if m.InProcess && !m.Modelled {
		workers = min(workers, runtime.GOMAXPROCS(0))
	}
	return workers
}

// shared are the costs of steps for that many workers together.
func shared(steps []level.Step, workers int) (costs []learn.Cost) {
	for _, s := range steps {
		costs = append(costs, computing[s.Name].Scaled(1/float64(workers)))
	}
	return costs
}

// measure measures the costs of exchanges here.
func (m *machine[L]) measure() (cost fixed, err error) {
	m.ctx = context.Background()
	m.Team.Run(m.phases.seed) // nothing is in the frontier
	m.frontier.hasQueue = true
	var took [4]uint64
	for i, x := range []struct {
		often int
		f     func() error
	}{
		{32, m.Comm.Barrier},
		{32, m.idle},
		{32, func() error { _, _, err := m.Run(byMessages); return err }},
		{8, func() error {
			if m.frontier.gatherer == nil {
				return nil
			}
			m.state = level.Front{Vertices: int64(m.N), Size: int64(m.N)} // dense
			m.frontier.hasBitmap, m.frontier.gathered = true, false
			return m.gather()
		}},
	} {
		if took[i], err = m.usual(x.often, x.f); err != nil {
			return cost, err
		}
	}
	times := m.sums[:len(took)]
	copy(times, took[:])
	// All ranks must use the same numbers.
	if err := rank.Reduced(m.Comm, rank.Max, times); err != nil {
		return cost, err
	}
	return fixed{
		round: float64(times[0]), level: float64(times[1]), messages: float64(times[2]),
		perByte: float64(times[3]) / float64(8*bitset.Words(int64(m.N)+1)),
	}, nil
}

// idle is a level without any work.
func (m *machine[L]) idle() error {
	start := m.Now()
	m.Team.Run(func(int) {})
	_, _, err := m.conclude(start)
	return err
}

// usual is the first quartile of the times that f takes in so many calls. Others may
// use the processors, so that the median may be too long; and the shortest time is one
// at which all ranks happened to come at once.
func (m *machine[L]) usual(often int, f func() error) (uint64, error) {
	times := make([]uint64, often)
	for i := range times {
		start := m.Now()
		if err := f(); err != nil {
			return 0, err
		}
		times[i] = uint64(m.Since(start))
	}
	slices.Sort(times)
	return max(1, times[len(times)/4]), nil
}

// predictTraffic returns a function that predicts what a step exchanges. Bytes are
// the bytes of a gathered bitmap, or as many as take the same time.
func (m *machine[L]) predictTraffic(cost fixed) func(f level.Front, s level.Step) (rounds, bytes float64) {
	ranks, hosts := float64(m.Comm.Size()), float64(m.Hosts.Count)
	sends := m.frontier.gatherer != nil && m.frontier.gatherer.Sends()
	away := 1 - 1/hosts // share of the edges that leave their host
	idle, messages := cost.level/cost.round, max(cost.level, cost.messages)/cost.round
	return func(f level.Front, s level.Step) (rounds, bytes float64) {
		switch s.Name {
		case byMessages.Name:
			return messages, edgeBytes * away * float64(f.Work[level.TopDown]) / ranks
		case byProbe.Name:
			looks := float64(f.Work[level.BottomUp]) / float64(max(1, f.Unvisited))
			passes := 1 + math.Ceil(math.Log2(1+looks)) // each waits for one way there and back
			return messages + passes, 2 * edgeBytes * away * float64(f.Work[level.BottomUp]) / ranks
		}
		if !sends {
			return idle, 0
		}
		size := float64(f.Size) / 8
		if f.Vertices <= f.Size/gather.SparseBelow {
			return idle + 2, min(size, listBytes*float64(f.Vertices)) // their lengths, and what is gathered
		}
		return idle, size
	}
}
