package lab

import (
	"fmt"
	"math"

	"github.com/gohops/hops/internal/plot"
	"github.com/gohops/hops/stats"
)

// A Sample holds one figure of several searches, in their order: the i-th values of two
// engines belong to the same root and round.
type Sample []float64

// Median of the sample, 0 if it is empty.
func (s Sample) Median() float64 { return stats.Summarize(s).Median }

// Mean of the sample, 0 if it is empty.
func (s Sample) Mean() float64 { return stats.Mean(s) }

func (s Sample) empty() bool { return len(s) == 0 }

func (s Sample) quartiles() (lo, hi float64) {
	sum := stats.Summarize(s)
	return sum.FirstQuartile, sum.ThirdQuartile
}

// String returns the median, followed by the quartiles unless they look the same.
func (s Sample) String() string {
	lo, hi := s.quartiles()
	if digits(lo) == digits(hi) {
		return digits(s.Median())
	}
	return fmt.Sprintf("%s (%s–%s)", digits(s.Median()), digits(lo), digits(hi))
}

// ratio divides a by b pair by pair, or by the median of b where the lengths differ.
func ratio(a, b Sample) Sample {
	paired := len(a) == len(b)
	middle := b.Median()
	r := make(Sample, len(a))
	for i := range a {
		divisor := middle
		if paired {
			divisor = b[i]
		}
		r[i] = quotient(a[i], divisor)
	}
	return r
}

// quotient returns a/b, 1 for 0/0, and a large number instead of infinity, which JSON
// cannot hold.
func quotient(a, b float64) float64 {
	switch {
	case a == b:
		return 1
	case b == 0:
		return math.MaxFloat32
	}
	return a / b
}

// one returns the sample of a single value.
func one(x float64) Sample { return Sample{x} }

// digits prints three significant digits, large numbers with a prefix.
func digits(x float64) string { return plot.Value(x, "") }
