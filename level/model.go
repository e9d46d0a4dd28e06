package level

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// A Model predicts how long each step takes and picks the fastest:
//
//	time = Fixed
//	     + PerVertex · vertices of the graph
//	     + PerRow    · vertices of the frontier, top-down
//	     + PerOpen   · unvisited vertices looked at
//	     + PerEntry  · row entries examined
//
// The first term is what it costs to start a level, the second to pass over the
// bitmaps, the third to find a row, which is a cache miss. The fourth is, bottom-up, the first look at each vertex, which is read
// in order, and top-down the vertices found, about which only this is known
// before: they are fewer than both the edges and the unvisited vertices, so the
// geometric mean of the two stands for them (on Kronecker graphs it is three to
// four times their number over two decades). The last term is what is commonly
// called the speed of a step. Zhang et al.
// use the last term alone, with one assumed share of the remaining edges for all
// bottom-up levels; here the number of entries is what the machine expects for
// this very level.
//
// The coefficients belong to one machine and are learned by Fit.
type Model map[string]Cost

// A Cost is how long one step takes, in nanoseconds.
type Cost struct {
	Fixed     float64 `json:"fixed_ns"`
	PerVertex float64 `json:"per_vertex_ns"`
	PerRow    float64 `json:"per_row_ns"`
	PerOpen   float64 `json:"per_open_ns"`
	PerEntry  float64 `json:"per_entry_ns"`
}

// Of is the predicted time of a step of direction d.
func (c Cost) Of(f Front, d Direction) time.Duration {
	x := features(f, d)
	return time.Duration(c.Fixed*x[0] + c.PerVertex*x[1] + c.PerRow*x[2] + c.PerOpen*x[3] + c.PerEntry*x[4])
}

const terms = 5

func features(f Front, d Direction) [terms]float64 {
	rows, open := 0.0, float64(f.Unvisited)
	if d == TopDown {
		rows, open = float64(f.Vertices), math.Sqrt(open*float64(f.Work[d]))
	}
	return [terms]float64{1, float64(f.Size), rows, open, float64(f.Work[d])}
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

// Samples are the measured levels of an exploration that a model should know: a
// step that takes several times as long as the best needs no exact prediction,
// and would only spoil those that do.
func Samples(levels []Exploration, steps []Step) (samples []Sample) {
	const hopeless = 4
	for _, l := range levels {
		limit := hopeless * slices.Min(l.Times)
		for i, t := range l.Times {
			if t > 0 && t <= limit {
				samples = append(samples, Sample{l.Front, steps[i], t})
			}
		}
	}
	return samples
}

// Fit learns a model from samples. For every step it minimises the squared errors,
// each over the time it is an error of, so that many short levels count as much
// as one long one, over coefficients that are not negative.
//
// A step with too few samples for that is left out: see Samples, it was hopeless
// almost always.
func Fit(samples []Sample) (Model, error) {
	byStep := map[string][]Sample{}
	for _, s := range samples {
		byStep[s.Step.Name] = append(byStep[s.Step.Name], s)
	}
	m := Model{}
	for name, group := range byStep {
		if len(group) >= terms {
			m[name] = fitCost(group)
		}
	}
	if len(m) == 0 {
		return nil, fmt.Errorf("level: %d samples are too few for a model", len(samples))
	}
	return m, nil
}

// fitCost tries every subset of the terms and keeps the best fit among those
// without a negative coefficient: with five terms, exact and simple.
func fitCost(group []Sample) (best Cost) {
	least := math.Inf(1)
	for subset := 1; subset < 1<<terms; subset++ {
		c, ok := leastSquares(group, subset)
		if !ok || slices.Min(c[:]) < 0 {
			continue
		}
		cost := Cost{c[0], c[1], c[2], c[3], c[4]}
		if e := squaredError(group, cost); e < least {
			best, least = cost, e
		}
	}
	return best
}

// leastSquares solves the weighted normal equations for the terms in subset.
func leastSquares(group []Sample, subset int) (c [terms]float64, ok bool) {
	var a [terms][terms + 1]float64
	for i := range a {
		if subset>>i&1 == 0 {
			a[i][i] = 1 // a term that is not in the subset stays at zero
		}
	}
	for _, s := range group {
		x, t := features(s.Front, s.Step.Direction), float64(s.Time)
		for i := range a {
			if subset>>i&1 == 0 {
				continue
			}
			for j := range x {
				if subset>>j&1 != 0 {
					a[i][j] += x[i] * x[j] / t
				}
			}
			a[i][terms] += x[i]
		}
	}
	return solve(a)
}

// solve is Gauss–Jordan elimination with pivoting.
func solve(a [terms][terms + 1]float64) (x [terms]float64, ok bool) {
	for col := range a {
		pivot := col
		for r := col + 1; r < terms; r++ {
			if math.Abs(a[r][col]) > math.Abs(a[pivot][col]) {
				pivot = r
			}
		}
		if a[pivot][col] == 0 {
			return x, false
		}
		a[col], a[pivot] = a[pivot], a[col]
		for r := range a {
			if r == col {
				continue
			}
			q := a[r][col] / a[col][col]
			for j := range a[r] {
				a[r][j] -= q * a[col][j]
			}
		}
	}
	for i := range x {
		x[i] = a[i][terms] / a[i][i]
	}
	return x, true
}

func squaredError(group []Sample, c Cost) (sum float64) {
	for _, s := range group {
		e := float64(c.Of(s.Front, s.Step.Direction) - s.Time)
		sum += e * e / float64(s.Time)
	}
	return sum
}
