package adaptive

import (
	"fmt"
	"slices"

	"github.com/gohops/hops/level"
)

// policy is what the options ask for.
func (o Options) policy(steps []level.Step) (level.Policy, error) {
	for _, name := range o.Plan {
		if !slices.ContainsFunc(steps, func(s level.Step) bool { return s.Name == name }) {
			return nil, fmt.Errorf("adaptive: plan: no step %q; there are %s", name, names(steps))
		}
	}
	var p level.Policy
	switch {
	case len(o.Plan) > 0:
		return o.Plan, nil
	case o.Policy == Daga:
		p = paired{level.RuleOfThumb, map[level.Direction]string{level.TopDown: "TC", level.BottomUp: "BG"}}
	case o.Policy == Yasui:
		p = paired{level.RuleOfThumb, map[level.Direction]string{level.TopDown: "TC", level.BottomUp: "BC"}}
	case o.Policy != "":
		return nil, fmt.Errorf("adaptive: unknown policy %q: %s or %s", o.Policy, Daga, Yasui)
	case o.Model != nil:
		p = &chooser{model: o.Model}
	default:
		p = Default(steps)
	}
	if o.Interval > 1 {
		p = &patient{policy: p, interval: int32(o.Interval)}
	}
	return p, nil
}

func names(steps []level.Step) (all []string) {
	for _, s := range steps {
		all = append(all, s.Name)
	}
	return all
}

// Default is the policy without a model: a device that drives itself is worth
// having until we know better, and any other is not.
func Default(steps []level.Step) level.Policy {
	if s, ok := named(steps, burst); ok {
		return level.Plan{s.Name}
	}
	return level.RuleOfThumb
}

func named(steps []level.Step, name string) (level.Step, bool) {
	for _, s := range steps {
		if s.Name == name {
			return s, true
		}
	}
	return level.Step{}, false
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
