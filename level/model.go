package level

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// A Model predicts how long each step takes and picks the fastest:
//
//	time = Fixed + PerVertex · vertices of the graph + PerEntry · entries examined
//
// The first term is what it costs to start a level, the second what it costs to
// pass over the bitmaps, the third what is commonly called the speed of a step.
// Zhang et al. use the third term alone, with one assumed share of the remaining
// edges for all bottom-up levels; here the number of entries is what the machine
// expects for this very level.
//
// The coefficients belong to one machine and are learned by Fit.
type Model map[string]Cost

// A Cost is how long one step takes, in nanoseconds.
type Cost struct {
	Fixed     float64 `json:"fixed_ns"`
	PerVertex float64 `json:"per_vertex_ns"`
	PerEntry  float64 `json:"per_entry_ns"`
}

// Of is the predicted time of a step of direction d.
func (c Cost) Of(f Front, d Direction) time.Duration {
	return time.Duration(c.Fixed + c.PerVertex*float64(f.Size) + c.PerEntry*float64(f.Work[d]))
}

// Next implements Policy. Steps that the model does not know are not taken,
// unless it knows none.
func (m Model) Next(f Front, steps []Step) Step {
	best, least := steps[0], time.Duration(math.MaxInt64)
	for _, s := range steps {
		c, ok := m[s.Name]
		if !ok {
			continue
		}
		if t := c.Of(f, s.Direction); t < least {
			best, least = s, t
		}
	}
	return best
}

// A Sample is one measured level.
type Sample struct {
	Front Front
	Step  Step
	Time  time.Duration
}

// Fit learns a model from samples. For every step it minimises the sum of the
// squared relative errors, so that short levels count as much as long ones, over
// coefficients that are not negative.
func Fit(samples []Sample) (Model, error) {
	byStep := map[string][]Sample{}
	for _, s := range samples {
		if s.Time > 0 {
			byStep[s.Step.Name] = append(byStep[s.Step.Name], s)
		}
	}
	m := Model{}
	for name, group := range byStep {
		if len(group) < 3 {
			return nil, fmt.Errorf("level: step %s: %d samples are too few for a model", name, len(group))
		}
		m[name] = fitCost(group)
	}
	return m, nil
}

// fitCost tries every subset of the three terms and keeps the best fit among
// those without a negative coefficient: with three terms, exact and simple.
func fitCost(group []Sample) (best Cost) {
	least := math.Inf(1)
	for subset := 1; subset < 8; subset++ {
		c, ok := leastSquares(group, subset)
		if !ok || slices.Min(c[:]) < 0 {
			continue
		}
		cost := Cost{c[0], c[1], c[2]}
		if e := squaredError(group, cost); e < least {
			best, least = cost, e
		}
	}
	return best
}

func features(s Sample) [3]float64 {
	return [3]float64{1, float64(s.Front.Size), float64(s.Front.Work[s.Step.Direction])}
}

// leastSquares solves the weighted normal equations for the terms in subset.
func leastSquares(group []Sample, subset int) (c [3]float64, ok bool) {
	var a [3][4]float64
	for i := range a {
		a[i][i] = 1 // a term that is not in the subset stays at zero
	}
	for i := range a {
		if subset>>i&1 == 0 {
			continue
		}
		a[i] = [4]float64{}
		for _, s := range group {
			x, t := features(s), float64(s.Time)
			for j := range x {
				if subset>>j&1 != 0 {
					a[i][j] += x[i] * x[j] / (t * t)
				}
			}
			a[i][3] += x[i] / t
		}
	}
	return solve(a)
}

// solve is Gauss–Jordan elimination with pivoting.
func solve(a [3][4]float64) (x [3]float64, ok bool) {
	for col := range 3 {
		pivot := col
		for r := col + 1; r < 3; r++ {
			if math.Abs(a[r][col]) > math.Abs(a[pivot][col]) {
				pivot = r
			}
		}
		if a[pivot][col] == 0 {
			return x, false
		}
		a[col], a[pivot] = a[pivot], a[col]
		for r := range 3 {
			if r == col {
				continue
			}
			q := a[r][col] / a[col][col]
			for j := range 4 {
				a[r][j] -= q * a[col][j]
			}
		}
	}
	for i := range x {
		x[i] = a[i][3] / a[i][i]
	}
	return x, true
}

func squaredError(group []Sample, c Cost) (sum float64) {
	for _, s := range group {
		e := float64(c.Of(s.Front, s.Step.Direction))/float64(s.Time) - 1
		sum += e * e
	}
	return sum
}
