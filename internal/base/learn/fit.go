package learn

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gohops/hops/level"
)

// A Sample is one measured level.
type Sample struct {
	Front level.Front
	Step  level.Step
	Time  time.Duration
	Bound bool // the step takes at least this time, and perhaps longer
}

// Samples are the measured levels of an exploration. A step that takes more than
// hopelessFactor times as long as the best of its device needs no exact prediction,
// which would only spoil the predictions that matter: its sample is a lower bound.
func Samples(levels []level.Exploration, steps []level.Step) (samples []Sample) {
	for _, l := range levels {
		for i, t := range l.Times {
			if limit := hopelessFactor * bestOf(l, steps, steps[i].Device); t > 0 {
				samples = append(samples, Sample{l.Front, steps[i], min(t, limit), t > limit})
			}
		}
	}
	return samples
}

// Fit learns a model from samples. For every step it minimises the squared errors,
// each divided by the measured time, so that many short levels count as much as one long
// level. No coefficient is negative.
//
// A lower-bound sample is used only if the fit would predict less than it. A step whose
// samples are nearly all lower bounds is left out: it is never worth taking.
func Fit(samples []Sample) (Model, error) {
	byStep := map[string][]Sample{}
	for _, s := range samples {
		byStep[s.Step.Name] = append(byStep[s.Step.Name], s)
	}
	m := Model{}
	for name, group := range byStep {
		exact := slices.DeleteFunc(slices.Clone(group), func(s Sample) bool { return s.Bound })
		if len(exact) >= numTerms {
			c := fitBounded(exact, group)
			c.Kinds = c.corrections(group)
			m[name] = c
		}
	}
	if len(m) == 0 {
		return nil, fmt.Errorf("learn: %d samples are too few for a model", len(samples))
	}
	return m, nil
}

// Useful is the model without the steps that were never the best of their device:
// nothing can be gained by taking them.
func (m Model) Useful(levels []level.Exploration, steps []level.Step) Model {
	useful := Model{}
	for _, l := range levels {
		for i, s := range steps {
			if c, known := m[s.Name]; known && l.Times[i] <= bestOf(l, steps, s.Device) {
				useful[s.Name] = c
			}
		}
	}
	return useful
}

// fitBounded learns the cost of one step from its exact samples, and from those lower
// bounds among all samples that the fit would otherwise contradict.
func fitBounded(exact, all []Sample) Cost {
	c := fitStep(exact)
	for range 8 { // two rounds are most often enough
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

// fitStep learns the cost of one step. Short levels have coefficients of their own if
// there are enough samples of short levels and of others.
func fitStep(group []Sample) Cost {
	long, short := slices.Clone(group), []Sample(nil)
	for i := len(long) - 1; i >= 0; i-- {
		if s := long[i]; isShort(&s.Front, s.Step.Direction) {
			short, long = append(short, s), slices.Delete(long, i, i+1)
		}
	}
	load := func(s Sample) Terms { return levelTerms(s.Front, s.Step.Direction) }
	if len(short) < numTerms || len(long) < numTerms {
		return FitCost(loadsOf(group, load))
	}
	c := FitCost(loadsOf(long, load))
	few := fitRelative(loadsOf(short, func(s Sample) Terms { return shortTerms(s.Front) }))
	c.Short = &few
	return c
}

// fitRelative is FitCost for times of several orders of magnitude. It minimises the
// errors of the logarithms: half the time is as wrong as twice the time. Dividing errors
// by the measured time would not do that: a prediction of zero would then be wrong by no
// more than one, and of scattered times the shortest would be fitted. So each round
// weighs the errors by the predictions of the round before.
func fitRelative(loads []Terms, times []time.Duration) (c Cost) {
	const same = float64(time.Millisecond)
	even, scaled := slices.Clone(loads), make([]time.Duration, len(times))
	for round := range 16 { // converges in about ten rounds
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

func loadsOf(group []Sample, load func(Sample) Terms) (loads []Terms, times []time.Duration) {
	for _, s := range group {
		loads, times = append(loads, load(s)), append(times, s.Time)
	}
	return loads, times
}

// FitCost learns one cost from measured times and their loads. It tries every
// subset of the numTerms and keeps the best fit among those without a negative
// coefficient: with so few numTerms, exact and simple.
func FitCost(loads []Terms, times []time.Duration) (best Cost) {
	least := math.Inf(1)
	for subset := 1; subset < 1<<numTerms; subset++ {
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

// leastSquares solves the weighted normal equations for the numTerms in subset.
func leastSquares(loads []Terms, times []time.Duration, subset int) (c [numTerms]float64, ok bool) {
	var a [numTerms][numTerms + 1]float64
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
			a[i][numTerms] += x[i]
		}
	}
	return solve(a)
}

// solve is Gauss–Jordan elimination with pivoting.
func solve(a [numTerms][numTerms + 1]float64) (x [numTerms]float64, ok bool) {
	for col := range a {
		pivot := col
		for r := col + 1; r < numTerms; r++ {
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
		x[i] = a[i][numTerms] / a[i][i]
	}
	return x, true
}

func squaredError(loads []Terms, times []time.Duration, c Cost) (sum float64) {
	for k, x := range loads {
		e := float64(c.Time(x) - times[k])
		sum += e * e / float64(times[k])
	}
	return sum
}
