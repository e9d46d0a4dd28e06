package adaptive

import (
	"context"
	"slices"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// maxExplored is the number of levels up to which a search is explored: the
// levels of a longer one are all alike.
const maxExplored = 32

// hostRule takes the levels in the way of a policy that knows no machine.
var hostRule = level.RuleOfThumb

// single is a machine without bursts: every step runs one level.
type single struct{ *machine }

func (m single) Steps() []level.Step {
	return slices.DeleteFunc(slices.Clone(m.steps), func(s level.Step) bool { return s.Name == burst || s.Name == hostBurst })
}

// Steps are those that run one level.
func (s *Searcher) Steps() []level.Step { return single{s.machine}.Steps() }

// Explore searches from root and times every step on every level, runs times
// each, without the moves. What it says was chosen is what the model would choose
// among them, or the rule of the host where there is no model.
func (s *Searcher) Explore(ctx context.Context, root hops.Vertex, runs int) ([]level.Exploration, error) {
	levels, err := s.explore(ctx, root, runs)
	if err == nil && s.options.Model != nil {
		levels = level.Choose(levels, s.options.Model.Steps, s.Steps())
	}
	return levels, err
}

// explore is Explore by the rule of the host.
func (s *Searcher) explore(ctx context.Context, root hops.Vertex, runs int) ([]level.Exploration, error) {
	reset, err := s.trial()
	if err != nil {
		return nil, err
	}
	return level.Explore(ctx, single{s.machine}, hostRule, root, runs, maxExplored, reset)
}

// trial binds a tree of its own and returns what empties it for the next search.
func (s *Searcher) trial() (reset func(), err error) {
	if s.own == nil {
		if s.own, err = s.NewTree(); err != nil {
			return nil, err
		}
	}
	return func() { s.own.Reset(); _ = s.machine.bind(s.own) }, s.machine.bind(s.own)
}

// Rehearse measures what is not a single level: moves in both directions at every
// level, whole searches on either side, and bursts.
func (s *Searcher) Rehearse(ctx context.Context, root hops.Vertex, runs int) (r level.Rehearsal, err error) {
	reset, err := s.trial()
	if err != nil {
		return r, err
	}
	e := rehearsal{Searcher: s, ctx: ctx, root: root, reset: reset}
	if err := e.record(); err != nil {
		return r, err
	}
	for range runs {
		if err := e.host(); err != nil {
			return r, err
		}
		if err := e.bursts(); err != nil {
			return r, err
		}
	}
	if err := e.hostBursts(); err != nil {
		return r, err
	}
	for depth := range e.fronts {
		if err := e.moves(depth, runs); err != nil {
			return r, err
		}
	}
	return e.Rehearsal, nil
}

type rehearsal struct {
	*Searcher
	level.Rehearsal
	ctx    context.Context
	root   hops.Vertex
	reset  func()
	fronts []level.Front // of the search on the host
	plan   []level.Step
}

// record searches on the host, level by level, and notes the fronts.
func (e *rehearsal) record() error {
	e.reset()
	m := e.machine
	f, err := m.Seed(e.root)
	for err == nil && f.Vertices > 0 && len(e.fronts) < maxExplored {
		if err = e.ctx.Err(); err != nil {
			break
		}
		step := hostRule.Next(f, m.steps)
		e.fronts, e.plan = append(e.fronts, f), append(e.plan, step)
		depth := f.Depth
		f, err = m.Run(step)
		f.Depth, f.Last = depth+1, step.Direction
	}
	return err
}

// host searches as if there were no device.
func (e *rehearsal) host() error {
	e.machine.host.Watch(nil)
	defer e.machine.host.Watch(e.ask)
	e.reset()
	var trace hops.Trace
	start := time.Now()
	err := level.Search(e.ctx, e.machine, level.Plan{hostBurst}, e.root, &trace)
	e.Whole = append(e.Whole, level.WholeSearch{Time: time.Since(start)})
	return err
}

// bursts lets the device drive itself, where it can.
func (e *rehearsal) bursts() error {
	step, ok := named(e.machine.steps, burst)
	if !ok {
		return nil
	}
	e.reset()
	var trace hops.Trace
	start := time.Now()
	if err := level.Search(e.ctx, e.machine, level.Plan{burst}, e.root, &trace); err != nil {
		return err
	}
	if err := e.machine.settle(&trace); err != nil {
		return err
	}
	e.Whole = append(e.Whole, level.WholeSearch{Device: step.Device, Time: time.Since(start)})
	if tree := trace.Levels[len(trace.Levels)-1].Handover; e.Tree == 0 || tree < e.Tree {
		e.Tree = tree
	}
	for d, l := range trace.Levels[:min(len(trace.Levels), len(e.fronts))] {
		direction := level.BottomUp
		if l.Step == burstTopDown {
			direction = level.TopDown
		}
		s := level.Step{Name: l.Step, Direction: direction, Device: step.Device}
		e.Levels = append(e.Levels, level.Sample{Front: e.fronts[d], Step: s, Time: l.Time - l.Handover})
	}
	return nil
}

// manySmall is how many small levels must follow each other to be measured: they
// share the time of a burst, in which the search may also have begun.
const manySmall = 1000

// hostBursts lets the host drive itself through small levels, where there are many.
func (e *rehearsal) hostBursts() error {
	step, ok := named(e.machine.steps, hostBurst)
	if !ok || len(e.fronts) < maxExplored {
		return nil
	}
	e.reset()
	if _, err := e.machine.Seed(e.root); err != nil {
		return err
	}
	f, err := e.machine.Run(step)
	if err != nil || len(f.Ran) < manySmall {
		return err
	}
	for d, front := range e.fronts {
		e.Levels = append(e.Levels, level.Sample{Front: front, Step: hostSteps[0], Time: f.Ran[d].Time})
	}
	return nil
}

// moves adds what it takes to bring the search to the device before some level, and
// back after it: the least of several runs.
func (e *rehearsal) moves(depth, runs int) error {
	var there, back level.Move
	for run := range runs {
		to, from, err := e.move(depth)
		if err != nil {
			return err
		}
		if run == 0 || to.Time < there.Time {
			there = to
		}
		if run == 0 || from.Time < back.Time {
			back = from
		}
	}
	e.Moves = append(e.Moves, there)
	if back.Time > 0 {
		e.Moves = append(e.Moves, back)
	}
	return nil
}

// move brings the search to the device before some level, runs that there, and
// brings it back, if there is anything left of it.
func (e *rehearsal) move(depth int) (there, back level.Move, err error) {
	if err := e.ctx.Err(); err != nil {
		return there, back, err
	}
	e.reset()
	m := e.machine
	if _, err := m.Seed(e.root); err != nil {
		return there, back, err
	}
	for _, s := range e.plan[:depth] {
		if _, err := m.Run(s); err != nil {
			return there, back, err
		}
	}
	step := m.device.Steps()[0]
	if e.plan[depth].Direction != level.TopDown {
		step = m.device.Steps()[1]
	}
	f, err := m.Run(step)
	if err != nil {
		return there, back, err
	}
	start := time.Now()
	bytes, err := m.device.Settle(nil)
	if err != nil {
		return there, back, err
	}
	there = level.Move{To: step.Device, Bytes: f.Bytes + bytes, Time: f.Handover + time.Since(start)}
	if f.Vertices == 0 {
		return there, back, nil
	}
	f, err = m.Run(hostRule.Next(f, m.steps))
	return there, level.Move{Bytes: f.Bytes, Time: f.Handover}, err
}
