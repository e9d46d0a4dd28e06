package adaptive

import (
	"context"
	"slices"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/level"
)

// hostRule is the policy that explorations follow: it needs no model.
var hostRule = level.RuleOfThumb

// single is a machine without the steps that run several levels.
type single struct{ *machine }

func (m single) Steps() []level.Step {
	return slices.DeleteFunc(slices.Clone(m.steps), func(s level.Step) bool { return s.Name == deviceLevels || s.Name == hostLevels })
}

// Steps are those that run one level.
func (s *Searcher) Steps() []level.Step { return single{s.machine}.Steps() }

// Explore searches from root and times every step on every level, runs times each,
// handovers excluded. The chosen steps are those that the model would choose, or the rule
// of thumb where there is no model.
func (s *Searcher) Explore(ctx context.Context, root hops.Vertex, runs int) ([]level.Exploration, error) {
	levels, err := s.explore(ctx, root, runs)
	if err == nil && s.options.Model != nil {
		levels = learn.Choose(levels, s.options.Model.Steps, s.Steps())
	}
	return levels, err
}

// Policies are those that Explore's levels can be judged by beside the choices that it
// returns.
func (s *Searcher) Policies() map[string]level.Policy { return s.options.Policies() }

// explore is Explore with the choices of hostRule.
func (s *Searcher) explore(ctx context.Context, root hops.Vertex, runs int) ([]level.Exploration, error) {
	reset, err := s.trial()
	if err != nil {
		return nil, err
	}
	return learn.Explore(ctx, single{s.machine}, hostRule, root, runs, reset)
}

// trial binds a tree of the searcher's own and returns a function that empties it for
// the next search.
func (s *Searcher) trial() (reset func(), err error) {
	if s.own == nil {
		if s.own, err = s.NewTree(); err != nil {
			return nil, err
		}
	}
	return func() { s.own.Reset(); _ = s.machine.bind(s.own) }, s.machine.bind(s.own)
}

// Rehearse measures what explorations of single levels do not show: handovers in both
// directions at every level, whole searches on either side, and the levels within steps
// that run several.
func (s *Searcher) Rehearse(ctx context.Context, root hops.Vertex, runs int) (r learn.Rehearsal, err error) {
	reset, err := s.trial()
	if err != nil {
		return r, err
	}
	e := rehearsal{Searcher: s, ctx: ctx, root: root, reset: reset}
	e.Whole = map[string][]time.Duration{}
	if e.host, err = learn.Record(ctx, s.machine, hostRule, root, reset); err != nil {
		return r, err
	}
	for range runs {
		if err := e.hostAlone(); err != nil {
			return r, err
		}
		if err := e.deviceAlone(); err != nil {
			return r, err
		}
	}
	if err := e.smallLevels(); err != nil {
		return r, err
	}
	for depth := range e.host.Fronts {
		if err := e.moves(depth, runs); err != nil {
			return r, err
		}
	}
	return e.Rehearsal, nil
}

type rehearsal struct {
	*Searcher
	learn.Rehearsal
	ctx   context.Context
	root  hops.Vertex
	reset func()
	host  learn.Recording // of the search on the host
}

// hostAlone searches as if there were no device.
func (e *rehearsal) hostAlone() error {
	e.machine.host.Watch(nil)
	defer e.machine.host.Watch(e.ask)
	e.reset()
	var trace hops.Trace
	start := time.Now()
	err := level.Search(e.ctx, e.machine, level.Plan{hostLevels}, e.root, &trace)
	e.Whole[""] = append(e.Whole[""], time.Since(start))
	return err
}

// deviceAlone lets the device search alone, if it can.
func (e *rehearsal) deviceAlone() error {
	step, ok := named(e.machine.steps, deviceLevels)
	if !ok {
		return nil
	}
	e.reset()
	var trace hops.Trace
	start := time.Now()
	if err := level.Search(e.ctx, e.machine, level.Plan{deviceLevels}, e.root, &trace); err != nil {
		return err
	}
	if err := e.machine.finish(&trace); err != nil {
		return err
	}
	e.Whole[step.Device] = append(e.Whole[step.Device], time.Since(start))
	if tree := trace.Levels[len(trace.Levels)-1].Handover; e.Tree == 0 || tree < e.Tree {
		e.Tree = tree
	}
	for d, l := range trace.Levels[:min(len(trace.Levels), len(e.host.Fronts))] {
		direction := level.BottomUp
		if l.Step == paper["TG"] {
			direction = level.TopDown
		}
		s := level.Step{Name: l.Within + "/" + l.Step, Direction: direction, Device: step.Device}
		e.Levels = append(e.Levels, learn.Sample{Front: e.host.Fronts[d], Step: s, Time: l.Time - l.Handover})
	}
	return nil
}

// manySmall is the number of consecutive small levels from which on their mean time is
// exact: they share the time of a step that may include the start of the search.
const manySmall = 1000

// smallLevels measures the host's small levels, where there are many in a row.
func (e *rehearsal) smallLevels() error {
	step, ok := named(e.machine.steps, hostLevels)
	if !ok || len(e.host.Fronts) < learn.MaxLevels {
		return nil
	}
	e.reset()
	if _, err := e.machine.Seed(e.root); err != nil {
		return err
	}
	_, done, err := e.machine.Run(step)
	if err != nil || len(done.Ran) < manySmall {
		return err
	}
	for d, front := range e.host.Fronts {
		e.Levels = append(e.Levels, learn.Sample{Front: front, Step: hostSteps[0], Time: done.Ran[d].Time})
	}
	return nil
}

// moves measures the handover to the device before a level, and back after it: the
// least time of several runs.
func (e *rehearsal) moves(depth, runs int) error {
	var there, back learn.Move
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

// move hands the search over to the device before a level, runs the level there, and
// hands it back unless it is over.
func (e *rehearsal) move(depth int) (there, back learn.Move, err error) {
	if err := e.ctx.Err(); err != nil {
		return there, back, err
	}
	e.reset()
	m := e.machine
	if _, err := m.Seed(e.root); err != nil {
		return there, back, err
	}
	for _, s := range e.host.Steps[:depth] {
		if _, _, err := m.Run(s); err != nil {
			return there, back, err
		}
	}
	step := m.device.Steps()[0]
	if e.host.Steps[depth].Direction != level.TopDown {
		step = m.device.Steps()[1]
	}
	f, done, err := m.Run(step)
	if err != nil {
		return there, back, err
	}
	start := time.Now()
	bytes, err := m.device.Finish(nil)
	if err != nil {
		return there, back, err
	}
	there = learn.Move{To: step.Device, Bytes: done.Bytes + bytes, Time: done.Handover + time.Since(start)}
	if f.Vertices == 0 {
		return there, back, nil
	}
	_, done, err = m.Run(hostRule.Next(f, m.steps))
	return there, learn.Move{Bytes: done.Bytes, Time: done.Handover}, err
}
