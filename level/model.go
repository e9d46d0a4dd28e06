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
// bitmaps, the third to find a row, which is a cache miss. The fourth is,
// bottom-up, the first look at each vertex, which is read in order, and top-down
// the vertices found, about which only this is known before: they are fewer than
// both the edges and the unvisited vertices, so the geometric mean of the two
// stands for them (on Kronecker graphs it is three to four times their number
// over two decades). The last term is what is commonly called the speed of a
// step. Zhang et al. use the last term alone, with one assumed share of the
// remaining edges for all bottom-up levels; here the number of entries is what
// the machine expects for this very level.
//
// Top-down levels with a short frontier are another matter: one worker runs them,
// who wakes nobody and passes over nothing. They have coefficients of their own
// where there is something to learn them from.
//
// What is not a level can have a cost too: the move of a search to another
// device, which takes PerByte, and a whole search.
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
	PerByte   float64 `json:"per_byte_ns,omitempty"`
	Short     *Cost   `json:"short,omitempty"` // of levels with a short frontier
}

// shortFront is how many vertices and row entries a frontier has at most that is
// surely run by one worker.
const shortFront = 8192

// short tells whether the coefficients are those of short levels.
func (f *Front) short(d Direction) bool { return d == TopDown && f.Vertices+f.Edges <= shortFront }

// Of is the predicted time of a step of direction d.
func (c Cost) Of(f Front, d Direction) time.Duration {
	if c.Short != nil && f.short(d) {
		return c.Short.Time(shortLoad(f))
	}
	return c.Time(LevelLoad(f, d))
}

// Time is the predicted time of what has this load.
func (c Cost) Time(x Load) time.Duration {
	return time.Duration(c.Fixed*x[0] + c.PerVertex*x[1] + c.PerRow*x[2] + c.PerOpen*x[3] + c.PerEntry*x[4] + c.PerByte*x[5])
}

// Least is the smallest of the coefficients: below zero, a cost makes no sense.
func (c Cost) Least() float64 {
	least := min(c.Fixed, c.PerVertex, c.PerRow, c.PerOpen, c.PerEntry, c.PerByte)
	if c.Short != nil {
		least = min(least, c.Short.Least())
	}
	return least
}

const terms = 6

// A Load is what a cost is proportional to, coefficient by coefficient: 1,
// vertices, rows, open vertices, entries and bytes.
type Load [terms]float64

// LevelLoad is the load of a level of direction d.
func LevelLoad(f Front, d Direction) Load {
	rows, open := 0.0, float64(f.Unvisited)
	if d == TopDown {
		rows, open = float64(f.Vertices), math.Sqrt(open*float64(f.Work[d]))
	}
	return Load{1, float64(f.Size), rows, open, float64(f.Work[d]), 0}
}

// shortLoad is that of a short level, which passes over the vertices only to list
// the frontier that another direction has left.
func shortLoad(f Front) Load {
	x := LevelLoad(f, TopDown)
	if f.Last == TopDown {
		x[1] = 0
	}
	return x
}

// MoveLoad is the load of moving bytes to another device.
func MoveLoad(bytes int64) Load { return Load{1, 0, 0, 0, 0, float64(bytes)} }

// WholeLoad is the load of a whole search, of which f is the front at the root.
func WholeLoad(f Front) Load {
	return Load{1, float64(f.Size), 0, float64(f.Unvisited), float64(f.Edges + f.Remaining), 0}
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
			m[name] = fitBounded(exact, group)
		}
	}
	if len(m) == 0 {
		return nil, fmt.Errorf("level: %d samples are too few for a model", len(samples))
	}
	return m, nil
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
		return fitSamples(group, load)
	}
	c, s := fitSamples(long, load), fitSamples(short, func(s Sample) Load { return shortLoad(s.Front) })
	c.Short = &s
	return c
}

func fitSamples(group []Sample, load func(Sample) Load) Cost {
	var loads []Load
	var times []time.Duration
	for _, s := range group {
		loads, times = append(loads, load(s)), append(times, s.Time)
	}
	return FitCost(loads, times)
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
		cost := Cost{c[0], c[1], c[2], c[3], c[4], c[5], nil}
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
