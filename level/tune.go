package level

import (
	"maps"
	"math"
	"slices"
	"time"
)

// Tune scales the costs of a model's steps against each other so that its
// decisions on explored levels lose the least time. A fit minimises errors
// wherever they are; what matters is to be right where two steps are close.
func (m Model) Tune(levels []Exploration, steps []Step) Model {
	best := maps.Clone(m)
	least := best.loss(levels, steps)
	names := slices.Sorted(maps.Keys(m))
	for range 3 { // coordinate descent settles in two or three turns
		for _, name := range names {
			start := best[name]
			for e := -8; e <= 8; e++ {
				trial := maps.Clone(best)
				trial[name] = start.scaled(math.Pow(2, float64(e)/4))
				if loss := trial.loss(levels, steps); loss < least {
					best, least = trial, loss
				}
			}
		}
	}
	return best
}

func (c Cost) scaled(by float64) Cost {
	return Cost{c.Fixed * by, c.PerVertex * by, c.PerRow * by, c.PerOpen * by, c.PerEntry * by}
}

// loss is the time that the model's decisions take beyond the best ones.
func (m Model) loss(levels []Exploration, steps []Step) (sum time.Duration) {
	for _, l := range levels {
		l.Chosen = slices.Index(steps, m.Next(l.Front, steps))
		sum += l.Regret()
	}
	return sum
}
