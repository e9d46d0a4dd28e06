package learn

import (
	"maps"
	"math"
	"slices"
	"time"

	"github.com/gohops/hops/level"
)

// Tune scales the costs of a model's steps against each other so that its
// decisions on explored levels lose the least time. A fit minimises errors
// wherever they are; what matters is to be right where two steps are close.
func (m Model) Tune(levels []level.Exploration, steps []level.Step) Model {
	best := maps.Clone(m)
	least := loss(Choose(levels, best, steps))
	worth := bestTime(levels) / worthwhile
	names := slices.Sorted(maps.Keys(m))
	for range 3 { // coordinate descent converges in two or three rounds
		for _, name := range names {
			for _, factor := range factors {
				trial := maps.Clone(best)
				trial[name] = m[name].Scaled(factor)
				if lost := loss(Choose(levels, trial, steps)); lost < least-worth {
					best, least = trial, lost
				}
			}
		}
	}
	return best
}

// worthwhile is the reciprocal of the share of the time of all levels that a change of
// a factor must gain. For less, predictions are not made worse.
const worthwhile = 100

// factors are what Tune tries, up to twice as much or as little as was fitted. Small
// ones come first, so that of changes that gain the same the smallest is made: only
// the ratios of the steps matter to decisions, and nothing else keeps predictions
// from drifting away from the times they predict.
var factors = func() []float64 {
	f := []float64{1}
	for e := range 4 {
		by := math.Pow(2, float64(e+1)/4)
		f = append(f, by, 1/by)
	}
	return f
}()

// Scaled is the cost of a step that takes so many times as long.
func (c Cost) Scaled(by float64) Cost {
	if c.Short != nil {
		short := c.Short.Scaled(by)
		c.Short = &short
	}
	return Cost{c.Fixed * by, c.PerVertex * by, c.PerRow * by, c.PerOpen * by, c.PerEntry * by, c.PerByte * by, c.Short, c.Kinds}
}

// Choose returns explored levels with the steps that p takes on them.
func Choose(levels []level.Exploration, p level.Policy, steps []level.Step) []level.Exploration {
	chosen := slices.Clone(levels)
	for i := range chosen {
		chosen[i].Chosen = slices.Index(steps, p.Next(chosen[i].Front, steps))
	}
	return chosen
}

// Regret is the time that the chosen steps lose against the best in hindsight,
// as a share of the time that the best take.
func Regret(levels []level.Exploration) float64 {
	return float64(loss(levels)) / float64(max(bestTime(levels), 1))
}

// bestTime is what the best steps take in all.
func bestTime(levels []level.Exploration) (sum time.Duration) {
	for _, l := range levels {
		sum += slices.Min(l.Times)
	}
	return sum
}

// loss is the time that the chosen steps take beyond the best ones.
func loss(levels []level.Exploration) (sum time.Duration) {
	for _, l := range levels {
		sum += l.Regret()
	}
	return sum
}
