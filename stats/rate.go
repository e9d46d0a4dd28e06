package stats

import (
	"fmt"
	"math"
)

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
