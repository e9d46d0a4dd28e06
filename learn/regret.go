package learn

import (
	"slices"
	"time"

	"github.com/gohops/hops/level"
)

// Choose returns explored levels with the steps that p takes on them.
func Choose(levels []Exploration, p level.Policy, steps []level.Step) []Exploration {
	chosen := slices.Clone(levels)
	for i := range chosen {
		chosen[i].Chosen = slices.Index(steps, p.Next(chosen[i].Front, steps))
	}
	return chosen
}

// Regret is the time that the chosen steps lose against the best in hindsight,
// as a share of the time that the best take.
func Regret(levels []Exploration) float64 {
	return float64(loss(levels)) / float64(max(bestTime(levels), 1))
}

// bestTime is what the best steps take in all.
func bestTime(levels []Exploration) (sum time.Duration) {
	for _, l := range levels {
		sum += slices.Min(l.Times)
	}
	return sum
}

// loss is the time that the chosen steps take beyond the best ones.
func loss(levels []Exploration) (sum time.Duration) {
	for _, l := range levels {
		sum += l.Regret()
	}
	return sum
}
