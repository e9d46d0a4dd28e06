package learn

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// An Agreement compares what the model says with what was measured, for the levels of
// one step whose times have the same order of magnitude.
type Agreement struct {
	Step      string        `json:"step"`
	From      time.Duration `json:"from_ns"` // a power of ten; up to ten times that
	Levels    int           `json:"levels"`
	Measured  time.Duration `json:"measured_ns"`   // median
	Predicted time.Duration `json:"predicted_ns"`  // median
	Error     float64       `json:"error_percent"` // median of the deviations, without sign
}

// judge compares a model with samples, step by step, short levels first.
func judge(m Model, samples []Sample) []Agreement {
	type key struct {
		step string
		from time.Duration
	}
	groups := map[key][]Sample{}
	for _, s := range samples {
		if _, known := m[s.Step.Name]; known && !s.Bound {
			k := key{s.Step.Name, magnitude(s.Time)}
			groups[k] = append(groups[k], s)
		}
	}
	var fits []Agreement
	for k, group := range groups {
		fits = append(fits, agreementOf(m[k.step], k.step, k.from, group))
	}
	slices.SortFunc(fits, func(a, b Agreement) int {
		return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(a.From, b.From))
	})
	return fits
}

func agreementOf(c Cost, step string, from time.Duration, group []Sample) Agreement {
	var measured, predicted []time.Duration
	var errors []float64
	for _, s := range group {
		p := c.Of(s.Front, s.Step.Direction)
		measured, predicted = append(measured, s.Time), append(predicted, p)
		errors = append(errors, 100*math.Abs(float64(p-s.Time))/float64(s.Time))
	}
	return Agreement{step, from, len(group), median(measured), median(predicted), median(errors)}
}

// magnitude is the largest power of ten up to d, which is positive.
func magnitude(d time.Duration) time.Duration {
	from := time.Duration(1)
	for d/10 >= from {
		from *= 10
	}
	return from
}

func median[T cmp.Ordered](values []T) T {
	slices.Sort(values)
	return values[(len(values)-1)/2]
}
