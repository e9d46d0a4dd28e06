package cpu

import (
	"context"
	"slices"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/level"
)

// The step "levels" is the engine's own search from the frontier at hand on, by its own
// policy: a search that stays here costs what it costs the engine alone, however many
// devices there are. It ends where Watch's function wants to look, and after a bounded
// amount of work.
//
// Of consecutive small levels only the first is the policy's choice: no step but
// top-down can be as fast. The machine is the engine's own with nothing around it:
// along a path, one more copy of a front would show in the time.
const stepLevels = "levels"

const (
	// levelsWork bounds the work of one step "levels", in vertices and row entries:
	// some tens of milliseconds. That long may it take until a cancelled context is
	// noticed.
	levelsWork = 1 << 24
	// perLevelWork is what each level counts for beside its vertices and entries, so
	// that 4,096 levels of a path are as much as levelsWork.
	perLevelWork = 1 << 12
)

// ownPolicy is the policy of the step "levels".
type ownPolicy struct{ *Portable }

// Next implements level.Policy.
func (o ownPolicy) Next(f level.Front, all []level.Step) level.Step {
	if f.Small() && f.Last == level.TopDown {
		return all[0]
	}
	return o.policy.Next(f, all)
}

// Watch implements adaptive.Host.
func (p *Portable) Watch(ask func(level.Front) bool) { p.ask = ask }

// runLevels runs one level, and more until that is enough.
func (p *Portable) runLevels() (level.Front, level.Outcome, error) {
	trace := hops.Trace{Levels: p.ran[:0]}
	f := p.m.state
	f.Depth, p.spent = 0, 0
	f, err := level.Continue(context.Background(), p.m, ownPolicy{p}, f, p.enough, &trace)
	for i := range trace.Levels {
		trace.Levels[i].Within = stepLevels
	}
	p.ran = trace.Levels
	p.m.state.Last, p.noted = f.Last, false
	return f, level.Outcome{Ran: trace.Levels}, err
}

// isEnough tells whether the step ends at this frontier, and logs the frontier if not.
// The field enough is its method value: one made for every step would be allocated.
func (p *Portable) isEnough(f level.Front) bool {
	if f.Depth > 0 {
		p.noted = false
		p.spent += perLevelWork + f.Vertices + f.Edges
		if p.spent > levelsWork || p.ask != nil && !f.Small() && p.ask(f) {
			return true
		}
	}
	p.note()
	return false
}

// Steps are the ways in which this engine can run a level.
func Steps() []level.Step { return slices.Clone(steps) }

// Steps are those of the engine.
func (s *Searcher) Steps() []level.Step { return Steps() }

// Explore searches from root and times every step on every level, runs times
// each.
func (s *Searcher) Explore(ctx context.Context, root hops.Vertex, runs int) ([]level.Exploration, error) {
	t := hops.NewTree(s.graph.NumVertices())
	s.m.parents = t.Narrow
	defer func() { s.m.parents = nil }()
	return learn.Explore(ctx, s.m, s.policy.Policy, root, runs, t.Reset)
}
