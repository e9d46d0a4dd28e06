package lab

import (
	"context"
	"fmt"

	"github.com/gohops/hops/internal/plot"
	"github.com/gohops/hops/learn"
	"github.com/gohops/hops/level"
)

var zhangModel = Experiment{
	ID:    "zhang/model",
	Title: "Steps chosen against the best in hindsight",
	Trend: "A performance model that is asked before each level picks a suitable step, where fixed choices do not.",
	Needs: "a processor with an integrated GPU",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		e, err := l.explore(ctx, kronecker(l.Scale), max(l.Roots/2, 1))
		if err != nil {
			return nil, err
		}
		f := &Finding{Basis: []Basis{Measured}, Setting: e.setting, Notes: []string{onDevice}}
		f.lack(e.missing...)
		f.regrets(e)
		return f, nil
	},
}

// regrets compares the time lost by the engine's policy with that of fixed directions
// and of the alpha–beta rule, on the same levels.
func (f *Finding) regrets(e exploration) {
	t := newTable("regret", "policy", "regret:%")
	names, values := []string{"the engine's"}, []float64{100 * learn.Regret(e.all)}
	for _, other := range []struct {
		name   string
		policy level.Policy
	}{
		{"alpha–beta", level.RuleOfThumb},
		{"always top-down", level.Fixed{Direction: level.TopDown}},
		{"always bottom-up", level.Fixed{Direction: level.BottomUp}},
	} {
		names = append(names, other.name)
		if len(e.all) > 0 {
			values = append(values, 100*learn.Regret(learn.Choose(e.all, other.policy, e.steps)))
		} else {
			values = append(values, 0)
		}
	}
	for i, name := range names {
		t.add(name, values[i])
	}
	f.table(t)
	f.plot(plot.Plot{
		Title: "Time lost against the best steps in hindsight",
		X:     plot.Axis{Label: "policy", Categories: names},
		Y:     plot.Axis{Label: "regret", Unit: "%"}, Series: []plot.Series{{Kind: plot.Bar, Y: values}},
	})
	f.quote("regret of the model", "no figure in the text", fmt.Sprintf("%.1f %%", values[0]))
	if len(e.all) == 0 {
		f.claim(lacking("choosing level by level loses less than either direction alone", notRun))
		return
	}
	f.claim(exact("choosing level by level loses less than either direction alone",
		values[0] < values[2] && values[0] < values[3],
		fmt.Sprintf("%.1f %% against %.1f %% and %.1f %%", values[0], values[2], values[3])))
}
