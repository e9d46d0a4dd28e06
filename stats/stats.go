// Package stats holds the figures of merit of a benchmark as pure functions:
// the seven-number summary of a sample, and the summary of a rate, which is
// taken over its reciprocal because rates average harmonically.
//
// Both follow the Graph500 specification to the letter, quartiles included, so
// that a result can be laid beside one of the reference implementation.
package stats

import (
	"fmt"
	"math"
	"slices"
)

// A Summary describes a sample: five order statistics, the mean, and the sample
// deviation (divisor n-1; 0 for a sample of one).
type Summary struct {
	Min           float64 `json:"min"`
	FirstQuartile float64 `json:"firstquartile"`
	Median        float64 `json:"median"`
	ThirdQuartile float64 `json:"thirdquartile"`
	Max           float64 `json:"max"`
	Mean          float64 `json:"mean"`
	Deviation     float64 `json:"stddev"`
}

// Summarize returns the summary of a sample in any order, which it leaves as it
// is. The summary of no values is zero.
func Summarize(sample []float64) Summary {
	n := len(sample)
	if n == 0 {
		return Summary{}
	}
	x := slices.Sorted(slices.Values(sample))
	return Summary{
		Min:           x[0],
		FirstQuartile: midpoint(x[(n-1)/4], x[n/4]),
		Median:        midpoint(x[(n-1)/2], x[n/2]),
		ThirdQuartile: midpoint(x[n-1-(n-1)/4], x[n-1-n/4]),
		Max:           x[n-1],
		Mean:          Mean(x),
		Deviation:     Deviation(x),
	}
}

// Mean is the arithmetic mean, 0 for no values.
func Mean(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	var sum float64
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// Deviation is the sample standard deviation. Fewer than two values do not
// deviate. It takes a second pass over the sample: the one-pass formula cancels
// to noise when the values are close together, as times of one search are.
func Deviation(x []float64) float64 {
	if len(x) < 2 {
		return 0
	}
	mean := Mean(x)
	var sum float64
	for _, v := range x {
		sum += (v - mean) * (v - mean)
	}
	return math.Sqrt(sum / float64(len(x)-1))
}

func midpoint(a, b float64) float64 { return (a + b) / 2 }

// A RateSummary describes a sample of rates, such as traversed edges per
// second. Its mean is harmonic: the rate of doing all the work in all the time.
type RateSummary struct {
	Min               float64 `json:"min"`
	FirstQuartile     float64 `json:"firstquartile"`
	Median            float64 `json:"median"`
	ThirdQuartile     float64 `json:"thirdquartile"`
	Max               float64 `json:"max"`
	HarmonicMean      float64 `json:"harmonic_mean"`
	HarmonicDeviation float64 `json:"harmonic_stddev"`
}

// TEPS summarizes the traversed edges per second of searches, of which the i-th
// traversed edges[i] in seconds[i]. It fails on figures that have no rate: slices
// of different length, no searches, a time or a count that is not positive.
func TEPS(seconds []float64, edges []int64) (RateSummary, error) {
	if len(seconds) != len(edges) {
		return RateSummary{}, fmt.Errorf("stats: %d times for %d edge counts", len(seconds), len(edges))
	}
	if len(seconds) == 0 {
		return RateSummary{}, fmt.Errorf("stats: no searches to rate")
	}
	perEdge := make([]float64, len(seconds))
	for i, s := range seconds {
		if !(s > 0) || math.IsInf(s, 0) || edges[i] <= 0 {
			return RateSummary{}, fmt.Errorf("stats: search %d: no rate for %d edges in %g s", i, edges[i], s)
		}
		perEdge[i] = s / float64(edges[i])
	}
	return Rates(perEdge), nil
}

// Rates summarizes rates given as their reciprocals, in time per unit of work.
// Order statistics are taken there and inverted, which swaps their ends.
func Rates(perUnit []float64) RateSummary {
	if len(perUnit) == 0 {
		return RateSummary{}
	}
	y := Summarize(perUnit)
	return RateSummary{
		Min:               1 / y.Max,
		FirstQuartile:     1 / y.ThirdQuartile,
		Median:            1 / y.Median,
		ThirdQuartile:     1 / y.FirstQuartile,
		Max:               1 / y.Min,
		HarmonicMean:      1 / y.Mean,
		HarmonicDeviation: harmonicDeviation(y, len(perUnit)),
	}
}

// harmonicDeviation is the standard error of a harmonic mean, after N. Norris,
// "The standard errors of the geometric and harmonic means and their application
// to index numbers", 1940: s/(mean²·√(n-1)), all over the reciprocals.
func harmonicDeviation(y Summary, n int) float64 {
	if n < 2 {
		return 0
	}
	return y.Deviation / (y.Mean * y.Mean * math.Sqrt(float64(n-1)))
}
