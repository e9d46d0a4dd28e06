package cluster

import (
	"math/bits"
	"time"

	"github.com/gohops/hops/internal/rank"
	"github.com/gohops/hops/level"
)

// Run runs one level.
func (m *machine) Run(s level.Step) (level.Front, level.Outcome, error) {
	start := time.Now()
	for t := range m.workers {
		m.workers[t].tally = tally{}
	}
	m.failure.Store(nil)
	m.wired = false
	switch s.Name {
	case byMessages.Name:
		m.topDown()
	case byProbe.Name:
		m.probe()
	case byList.Name:
		m.bottomUpLeft()
	default:
		m.bottomUp()
	}
	if err := m.failure.Load(); err != nil {
		return m.state, level.Outcome{}, *err
	}
	return m.conclude(start)
}

// conclude adds up what all ranks have done and makes the next frontier of it.
// What was found of the heavy vertices is combined at the same time.
func (m *machine) conclude(start time.Time) (f level.Front, done level.Outcome, err error) {
	m.addUp(start)
	counts, err := m.comm.Reduce(rank.Sum, m.sums)
	if err != nil {
		return f, done, err
	}
	gathering, err := m.findQuickest()
	if err != nil {
		return f, done, err
	}
	if err := m.combineHeavy(); err != nil {
		return f, done, err
	}
	if err := counts.Wait(); err != nil {
		return f, done, err
	}
	if err := gathering.Wait(); err != nil {
		return f, done, err
	}
	if err := m.stopped(m.sums[sumStop]); err != nil {
		return f, done, err
	}
	f = level.Front{Size: int64(m.n), Vertices: int64(m.sums[sumFound]), Edges: int64(m.sums[sumEdges])}
	done = level.Outcome{
		Examined: int64(m.sums[sumExamined]), Bytes: int64(m.sums[sumBytes]),
		Messages: int64(m.sums[sumForward] + m.sums[sumProbes] + m.sums[sumClaims]), Exchange: m.exchange(),
	}
	for i := range m.heavy.front.All {
		f.Vertices++
		f.Edges += m.heavy.degrees[i]
	}
	f.Unvisited = m.state.Unvisited - f.Vertices
	f.Remaining = remaining(&f, m.state.Remaining-f.Edges)
	if f.Vertices > 0 {
		m.estimate(&f)
	}
	depth := m.state.Depth + 1 // packets carry it
	m.state = f
	m.state.Depth = depth
	return f, done, nil
}

// remaining is how many row entries the unvisited vertices have, if so many are
// left by the sums. Large levels add up a sample, whose error outlasts them: it may
// be more than what is left. But the rows that are found get shorter, so that in
// the end those of the frontier bound the others.
func remaining(f *level.Front, left int64) int64 {
	if f.Vertices > f.Unvisited {
		left = min(left, f.Unvisited*(f.Edges/f.Vertices+1))
	}
	return max(left, f.Unvisited)
}

// combineHeavy makes what any worker of any rank has found of the heavy vertices
// their next frontier.
func (m *machine) combineHeavy() error {
	if m.heavy.done {
		m.heavy.front.Clear()
		return nil
	}
	clear(m.orHeavy)
	for t := range m.workers {
		found := m.workers[t].heavy.found
		rank.Or.Combine(m.orHeavy, found)
		found.Clear()
	}
	if err := rank.Reduced(m.comm, rank.Or, m.orHeavy); err != nil {
		return err
	}
	for i, found := range m.orHeavy {
		m.heavy.front[i] = found &^ m.heavy.visited[i]
		m.heavy.visited[i] |= found
	}
	m.heavy.count()
	return nil
}

// settle gives the heavy vertices their parents, of which each rank may have
// found another; any will do.
func (m *machine) settle() error {
	if len(m.maxHeavy) == 0 {
		return nil
	}
	clear(m.maxHeavy)
	for t := range m.workers {
		for i, p := range m.workers[t].heavy.parents {
			m.maxHeavy[i] = max(m.maxHeavy[i], uint64(p+1))
		}
	}
	if err := rank.Reduced(m.comm, rank.Max, m.maxHeavy); err != nil {
		return err
	}
	for t := range m.workers {
		w := &m.workers[t]
		for i, v := range m.heavy.labels {
			if p := m.maxHeavy[i]; p > 0 && v-w.first < w.count {
				w.parents[v-w.first] = uint32(p - 1)
			}
		}
	}
	return nil
}

// estimate predicts the row entries that each direction would examine in the
// next level.
func (m *machine) estimate(f *level.Front) {
	f.Work[level.TopDown] = f.Edges
	f.Work[level.BottomUp] = max(f.Unvisited, min(f.Remaining, f.Unvisited*max(1, f.Remaining/max(1, f.Edges))))
	f.Work[level.Split] = f.Work[level.BottomUp]
}

// queueWorker lists the frontier that is in a worker's words.
func (m *machine) queueWorker(t int) {
	w := &m.workers[t]
	w.queue = w.queue[:0]
	for i, word := range m.mirrors[t] {
		for word &^= w.closed[i]; word != 0; word &= word - 1 {
			w.queue = append(w.queue, uint32(i)<<6+uint32(bits.TrailingZeros64(word)))
		}
	}
}

func (m *machine) wantQueue() {
	if !m.hasQueue {
		start := time.Now()
		m.team.Run(m.phases.queue)
		m.hasQueue = true
		m.switching += time.Since(start)
	}
}

// frontWorker marks the frontier that is in a worker's queue.
func (m *machine) frontWorker(t int) {
	w := &m.workers[t]
	m.mirrors[t].Clear()
	for _, v := range w.queue {
		m.mirrors[t].Add(uint64(v))
	}
}

func (m *machine) wantFront() {
	if !m.hasFront {
		start := time.Now()
		m.team.Run(m.phases.front)
		m.hasFront = true
		m.switching += time.Since(start)
	}
}
