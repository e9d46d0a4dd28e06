package adaptive

import (
	"fmt"
	"slices"

	"github.com/gohops/hops/level"
)

// policy is what the options ask for, and which fronts of the host it wants to
// see: nil where searches stay there.
func (o Options) policy(steps []level.Step) (p level.Policy, ask func(level.Front) bool, err error) {
	for _, name := range o.Plan {
		if _, ok := named(steps, name); !ok {
			return nil, nil, fmt.Errorf("adaptive: plan: no step %q; there are %s", name, names(steps))
		}
	}
	ask = every
	switch {
	case len(o.Plan) > 0:
		return &script{plan: o.Plan}, ask, nil
	case o.Policy == Daga:
		p = paired{level.RuleOfThumb, map[level.Direction]string{level.TopDown: "TC", level.BottomUp: "BG"}}
	case o.Policy == Yasui:
		p = paired{level.RuleOfThumb, map[level.Direction]string{level.TopDown: "TC", level.BottomUp: "BC"}}
	case o.Policy != "":
		return nil, nil, fmt.Errorf("adaptive: unknown policy %q: %s or %s", o.Policy, Daga, Yasui)
	case o.Model == nil && drivesItself(steps):
		p = always{level.Plan{burst}} // worth having until we know better
	case o.Model == nil || !knowsDevice(o.Model, steps):
		p, ask = level.Plan{hostBurst}, nil
	default:
		c := &chooser{model: o.Model}
		p, ask = c, c.ask
	}
	if o.Interval > 1 {
		p = &patient{policy: p, interval: int32(o.Interval)}
	}
	return p, ask, nil
}

func every(level.Front) bool { return true }

// A leader is a policy that may know before a search that it begins with a burst of
// the device, unless at an isolated vertex. It is then asked from there on.
type leader interface{ leads() bool }

// always is a plan that begins so.
type always struct{ level.Plan }

func (always) leads() bool { return true }

func names(steps []level.Step) (all []string) {
	for _, s := range steps {
		all = append(all, s.Name)
	}
	return all
}

// drivesItself tells whether the device can run bursts.
func drivesItself(steps []level.Step) bool {
	_, ok := named(steps, burst)
	return ok
}

func named(steps []level.Step, name string) (level.Step, bool) {
	i := slices.IndexFunc(steps, func(s level.Step) bool { return s.Name == name })
	if i < 0 {
		return level.Step{}, false
	}
	return steps[i], true
}

// script follows a plan from step to step, each of which may run many levels.
type script struct {
	plan level.Plan
	at   int
}

func (p *script) Next(f level.Front, steps []level.Step) level.Step {
	if f.Depth == 0 {
		p.at = 0
	}
	s, _ := named(steps, p.plan[min(p.at, len(p.plan)-1)])
	p.at++
	return s
}

// paired takes directions from the alpha–beta rule, each on its own device.
type paired struct {
	rule level.AlphaBeta
	name map[level.Direction]string
}

func (p paired) Next(f level.Front, steps []level.Step) level.Step {
	s := p.rule.Next(f, steps)
	if paired, ok := named(steps, p.name[s.Direction]); ok {
		return paired
	}
	return s
}

// patient asks a policy only every so many levels.
type patient struct {
	policy   level.Policy
	interval int32
	asked    int32 // at this depth
	last     level.Step
}

func (p *patient) Next(f level.Front, steps []level.Step) level.Step {
	if f.Depth == 0 || f.Depth-p.asked >= p.interval {
		p.last, p.asked = p.policy.Next(f, steps), f.Depth
	}
	return p.last
}
