package cpu

import (
	"context"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// A burst is the engine's own search from the frontier at hand on, by its own
// policy: a search that stays here costs what it costs the engine alone, however
// many devices there are. It ends where whoever watches wants to look, and now and
// then by itself.
//
// Its levels have the names of the steps that ran them. Of small ones in a row
// only the first is the policy's choice: no step but top-down can be as fast. The
// machine is the engine's own, with nothing around it: along a path it is felt when a
// front is copied once more.
type burst struct{ *Portable }

const (
	nameC     = "C"
	nameSmall = nameC + ".TC"

	// A burst ends after so much work, in vertices, row entries and levels, each
	// level counting as many: some tens of milliseconds, or 4,096 levels of a
	// path. So long may it take until a cancelled context is noticed.
	burstWork = 1 << 24
	levelWork = 1 << 12
)

var smallStep = level.Step{Name: nameSmall, Direction: level.TopDown}

// Next implements level.Policy.
func (b burst) Next(f level.Front, steps []level.Step) level.Step {
	if f.Small() && f.Last == level.TopDown {
		return smallStep
	}
	return b.policy.Next(f, steps)
}

// Watch implements level.Host.
func (p *Portable) Watch(ask func(level.Front) bool) { p.ask = ask }

// runBurst runs one level, and more until that is enough.
func (p *Portable) runBurst() (level.Front, error) {
	trace := hops.Trace{Levels: p.ran[:0]}
	f := p.m.state
	f.Depth, p.spent, p.m.steps = 0, 0, portableSteps[:len(steps)]
	f, err := level.Continue(context.Background(), p.m, burst{p}, f, p.enough, &trace)
	p.ran, f.Ran = trace.Levels, trace.Levels
	p.m.state.Last, p.noted = f.Last, false
	return f, err
}

// isEnough tells whether a burst ends at this frontier, and notes it if not. enough is
// its value: one made for every burst would be allocated.
func (p *Portable) isEnough(f level.Front) bool {
	if f.Depth > 0 {
		p.noted = false
		p.spent += levelWork + f.Vertices + f.Edges
		if p.spent > burstWork || p.ask != nil && !f.Small() && p.ask(f) {
			return true
		}
	}
	p.note()
	return false
}
