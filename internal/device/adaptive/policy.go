package adaptive

import (
	"fmt"
	"slices"
	"time"

	"github.com/gohops/hops/internal/base/spec"
	"github.com/gohops/hops/level"
)

// policy is the policy that the options ask for, and where its searches begin.
func (o Options) policy(m *machine) (p level.Policy, w start, err error) {
	steps := m.steps
	for _, name := range o.Plan {
		if _, ok := named(steps, name); !ok {
			return nil, w, spec.Refuse(fmt.Errorf("adaptive: plan: no step %q; there are %s", name, names(steps)))
		}
	}
	starts := map[string]start{"": toBeTried, OnHost: onHost, OnDevice: onDevice}
	if _, ok := starts[o.Start]; !ok {
		return nil, w, fmt.Errorf("adaptive: unknown start %q: %s or %s", o.Start, OnHost, OnDevice)
	}
	switch {
	case len(o.Plan) > 0:
		return &script{plan: o.Plan}, onHost, nil
	case o.Policy == Zhang && o.Speeds == nil:
		return nil, w, fmt.Errorf("adaptive: policy %s needs the speeds of this machine, which hops calibrate learns", Zhang)
	case o.Policy != "":
		if p = o.Policies()[o.Policy]; p == nil {
			return nil, w, fmt.Errorf("adaptive: unknown policy %q: %s, %s, %s or %s", o.Policy, Zhang, Daga, Yasui, Together)
		}
	case o.Model == nil && drivesItself(steps):
		p, w = level.Plan{deviceLevels}, onDevice // most devices are faster than their host
	case o.Model == nil || !knowsDevice(o.Model, steps):
		w = hostAlone
	default:
		p, w = &chooser{model: o.Model, search: m, steps: steps, now: time.Now}, starts[o.Start]
	}
	if o.Interval > 1 {
		p = &periodic{policy: p, interval: int32(o.Interval)}
	}
	return p, w, nil
}

// Policies are those that can be compared on single levels, by their names: Daga, Yasui,
// and Zhang where there are speeds.
func (o Options) Policies() map[string]level.Policy {
	all := map[string]level.Policy{
		Daga:     paired{level.RuleOfThumb, map[level.Direction]string{level.TopDown: paper["TC"], level.BottomUp: paper["BG"]}},
		Together: paired{level.RuleOfThumb, map[level.Direction]string{level.TopDown: paper["TC"], level.BottomUp: together.Name}},
		Yasui:    paired{level.RuleOfThumb, map[level.Direction]string{level.TopDown: paper["TC"], level.BottomUp: paper["BC"]}},
	}
	if o.Speeds != nil {
		all[Zhang] = o.Speeds
	}
	return all
}

// byModel is the chooser that a policy asks, or nil.
func byModel(p level.Policy) *chooser {
	if periodic, ok := p.(*periodic); ok {
		p = periodic.policy
	}
	c, _ := p.(*chooser)
	return c
}

func every(level.Front) bool { return true }

func names(steps []level.Step) (all []string) {
	for _, s := range steps {
		all = append(all, s.Name)
	}
	return all
}

// drivesItself tells whether the device can run several levels without the host.
func drivesItself(steps []level.Step) bool {
	_, ok := named(steps, deviceLevels)
	return ok
}

// named is the step of a name, or of the name that the paper gives it.
func named(steps []level.Step, name string) (level.Step, bool) {
	if long, ok := paper[name]; ok {
		name = long
	}
	i := slices.IndexFunc(steps, func(s level.Step) bool { return s.Name == name })
	if i < 0 {
		return level.Step{}, false
	}
	return steps[i], true
}

// script follows a plan from step to step, each of which may run many levels. It keeps
// its place in the plan.
type script struct {
	plan level.Plan
	at   int
}

func (p *script) Begin() { p.at = 0 }

func (p *script) Next(_ level.Front, steps []level.Step) level.Step {
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

// periodic asks a policy only every so many levels.
type periodic struct {
	policy   level.Policy
	interval int32
	asked    int32 // the depth of the last question
	last     level.Step
}

func (p *periodic) Begin() {
	p.last = level.Step{}
	if s, ok := p.policy.(level.StatefulPolicy); ok {
		s.Begin()
	}
}

func (p *periodic) Next(f level.Front, steps []level.Step) level.Step {
	if p.last.Name == "" || f.Depth-p.asked >= p.interval {
		p.last, p.asked = p.policy.Next(f, steps), f.Depth
	}
	return p.last
}
