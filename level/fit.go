package level

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// A Sample is one measured level.
type Sample struct {
	Front Front
	Step  Step
	Time  time.Duration
	Bound bool // it takes at least so long
}

// Samples are the measured levels of an exploration. A step that takes several
// times as long as the best of its device needs no exact prediction, which would
// only spoil those that do: it is enough to know that it takes so long.
func Samples(levels []Exploration, steps []Step) (samples []Sample) {
	for _, l := range levels {
		for i, t := range l.Times {
			if limit := hopeless * l.best(steps, steps[i].Device); t > 0 {
				samples = append(samples, Sample{l.Front, steps[i], min(t, limit), t > limit})
			}
		}
	}
	return samples
}

// Fit learns a model from samples. For every step it minimises the squared errors,
// each over the time it is an error of, so that many short levels count as much
// as one long one, over coefficients that are not negative.
//
// Samples that are bounds count as far as the others would break them. A step with
// nearly nothing but bounds is left out: it was hopeless almost always.
func Fit(samples []Sample) (Model, error) {
	byStep := map[string][]Sample{}
	for _, s := range samples {
		byStep[s.Step.Name] = append(byStep[s.Step.Name], s)
	}
	m := Model{}
	for name, group := range byStep {
		exact := slices.DeleteFunc(slices.Clone(group), func(s Sample) bool { return s.Bound })
		if len(exact) >= terms {
			c := fitBounded(exact, group)
			c.Kinds = c.corrections(group)
			m[name] = c
		}
	}
	if len(m) == 0 {
		return nil, fmt.Errorf("level: %d samples are too few for a model", len(samples))
	}
	return m, nil
}

// Useful leaves out the steps that were never the best of their device: they have
// nothing to gain, and what they cost elsewhere is a guess.
func (m Model) Useful(levels []Exploration, steps []Step) Model {
	useful := Model{}
	for _, l := range levels {
		for i, s := range steps {
			if c, known := m[s.Name]; known && l.Times[i] <= l.best(steps, s.Device) {
				useful[s.Name] = c
			}
		}
	}
	return useful
}

// fitBounded learns the cost of one step from exact samples, and from those of the
// bounds among all that it would break.
func fitBounded(exact, all []Sample) Cost {
	c := fitStep(exact)
	for range 8 { // most often two are enough
		count := len(exact)
		for _, s := range all {
			if s.Bound && c.Of(s.Front, s.Step.Direction) < s.Time {
				exact = append(exact, s)
			}
		}
		if len(exact) == count {
			break
		}
		c = fitStep(exact)
	}
	return c
}

// fitStep learns the cost of one step, that of its short levels apart where both
// these and the others are enough.
func fitStep(group []Sample) Cost {
	long, short := slices.Clone(group), []Sample(nil)
	for i := len(long) - 1; i >= 0; i-- {
		if s := long[i]; s.Front.short(s.Step.Direction) {
			short, long = append(short, s), slices.Delete(long, i, i+1)
		}
	}
	load := func(s Sample) Load { return LevelLoad(s.Front, s.Step.Direction) }
	if len(short) < terms || len(long) < terms {
		return FitCost(loadsOf(group, load))
	}
	c := FitCost(loadsOf(long, load))
	few := fitRelative(loadsOf(short, func(s Sample) Load { return shortLoad(s.Front) }))
	c.Short = &few
	return c
}

// fitRelative is FitCost for times of several orders of magnitude: all count alike,
// and half as much is as wrong as twice as much. Errors over the time itself would
// not do: what is predicted to take nothing is then wrong by no more than one, so
// that of times that scatter the shortest are fitted. So each fit weighs the errors
// by what the one before has predicted, until their logarithms are balanced.
func fitRelative(loads []Load, times []time.Duration) (c Cost) {
	const same = float64(time.Millisecond)
	even, scaled := slices.Clone(loads), make([]time.Duration, len(times))
	for round := range 16 { // settles in about ten
		for k, x := range loads {
			t := float64(times[k])
			by := same / t
			if round > 0 {
				predicted := max(float64(c.Time(x)), t/64)
				by = same * t / (predicted * between(predicted, t))
			}
			for i := range x {
				even[k][i] = x[i] * by
			}
			scaled[k] = max(1, time.Duration(t*by))
		}
		c = FitCost(even, scaled)
	}
	return c
}

// between is the logarithmic mean: an error over it is the error of the logarithm.
func between(a, b float64) float64 {
	if d := math.Log(a / b); math.Abs(d) > 1e-6 {
		return (a - b) / d
	}
	return a
}

func loadsOf(group []Sample, load func(Sample) Load) (loads []Load, times []time.Duration) {
	for _, s := range group {
		loads, times = append(loads, load(s)), append(times, s.Time)
	}
	return loads, times
}

// FitCost learns one cost from measured times and their loads. It tries every
// subset of the terms and keeps the best fit among those without a negative
// coefficient: with so few terms, exact and simple.
func FitCost(loads []Load, times []time.Duration) (best Cost) {
	least := math.Inf(1)
	for subset := 1; subset < 1<<terms; subset++ {
		c, ok := leastSquares(loads, times, subset)
		if !ok || slices.Min(c[:]) < 0 {
			continue
		}
		cost := Cost{Fixed: c[0], PerVertex: c[1], PerRow: c[2], PerOpen: c[3], PerEntry: c[4], PerByte: c[5]}
		if e := squaredError(loads, times, cost); e < least {
			best, least = cost, e
		}
	}
	return best
}

// leastSquares solves the weighted normal equations for the terms in subset.
func leastSquares(loads []Load, times []time.Duration, subset int) (c [terms]float64, ok bool) {
	var a [terms][terms + 1]float64
	for i := range a {
		if subset>>i&1 == 0 {
			a[i][i] = 1 // a term that is not in the subset stays at zero
		}
	}
	for k, x := range loads {
		t := float64(times[k])
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

func squaredError(loads []Load, times []time.Duration, c Cost) (sum float64) {
	for k, x := range loads {
		e := float64(c.Time(x) - times[k])
		sum += e * e / float64(times[k])
	}
	return sum
}
