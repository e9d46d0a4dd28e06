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
}

// Of is the predicted time of a step of direction d.
func (c Cost) Of(f Front, d Direction) time.Duration { return c.Time(LevelLoad(f, d)) }

// Time is the predicted time of what has this load.
func (c Cost) Time(x Load) time.Duration {
	return time.Duration(c.Fixed*x[0] + c.PerVertex*x[1] + c.PerRow*x[2] + c.PerOpen*x[3] + c.PerEntry*x[4] + c.PerByte*x[5])
}

// Least is the smallest of the coefficients: below zero, a cost makes no sense.
func (c Cost) Least() float64 {
	return min(c.Fixed, c.PerVertex, c.PerRow, c.PerOpen, c.PerEntry, c.PerByte)
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
}

// Samples are the measured levels of an exploration that a model should know: a
// step that takes several times as long as the best needs no exact prediction,
// and would only spoil those that do.
func Samples(levels []Exploration, steps []Step) (samples []Sample) {
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
		if len(group) < terms {
			continue
		}
		var loads []Load
		var times []time.Duration
		for _, s := range group {
			loads, times = append(loads, LevelLoad(s.Front, s.Step.Direction)), append(times, s.Time)
		}
		m[name] = FitCost(loads, times)
	}
	if len(m) == 0 {
		return nil, fmt.Errorf("level: %d samples are too few for a model", len(samples))
	}
	return m, nil
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
		cost := Cost{c[0], c[1], c[2], c[3], c[4], c[5]}
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
