package stats

import (
	"math"
	"slices"
	"sort"
	"testing"

	"pgregory.net/rapid"
)

func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b))
}

// The positions for n = 64 are written out in the specification: the means of
// x15 and x16, of x31 and x32, of x47 and x48.
func TestQuartilesOf64(t *testing.T) {
	x := make([]float64, 64)
	for i := range x {
		x[i] = float64((i * 37) % 64) // 0 … 63 in another order
	}
	s := Summarize(x)
	want := Summary{Min: 0, FirstQuartile: 15.5, Median: 31.5, ThirdQuartile: 47.5, Max: 63, Mean: 31.5}
	want.Deviation = math.Sqrt(64 * 65 / 12.0) // of 0 … n-1: n(n+1)/12
	if !near(s.Deviation, want.Deviation) {
		t.Errorf("deviation %v, want %v", s.Deviation, want.Deviation)
	}
	s.Deviation = want.Deviation
	if s != want {
		t.Errorf("got %+v, want %+v", s, want)
	}
}

func TestSummarizeByHand(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want Summary
	}{
		{nil, Summary{}},
		{[]float64{7}, Summary{7, 7, 7, 7, 7, 7, 0}},
		{[]float64{3, 1}, Summary{1, 1, 2, 3, 3, 2, math.Sqrt2}},
		{[]float64{3, 1, 2}, Summary{1, 1, 2, 3, 3, 2, 1}},
		// n = 4: q1 = (x0+x1)/2, median = (x1+x2)/2, q3 = (x3+x2)/2; Σ(x-4)² = 9+4+1+16 = 30.
		{[]float64{8, 1, 2, 5}, Summary{1, 1.5, 3.5, 6.5, 8, 4, math.Sqrt(30.0 / 3)}},
		// n = 5: all three quartiles are single values x1, x2, x3.
		{[]float64{9, 1, 5, 3, 7}, Summary{1, 3, 5, 7, 9, 5, math.Sqrt(40.0 / 4)}},
	} {
		if got := Summarize(c.x); got != c.want {
			t.Errorf("Summarize(%v) = %+v, want %+v", c.x, got, c.want)
		}
	}
}

func TestSummarizeLeavesTheSampleAlone(t *testing.T) {
	x := []float64{3, 1, 2}
	Summarize(x)
	if !slices.Equal(x, []float64{3, 1, 2}) {
		t.Errorf("the sample became %v", x)
	}
}

// The deviation of close values far from zero is where a one-pass formula fails.
func TestDeviationFarFromZero(t *testing.T) {
	if got := Deviation([]float64{1e9, 1e9 + 1, 1e9 + 2}); got != 1 {
		t.Errorf("deviation %v, want 1", got)
	}
}

func samples() *rapid.Generator[[]float64] {
	return rapid.SliceOfN(rapid.Float64Range(1e-6, 1e3), 1, 200)
}

func TestSummaryProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := samples().Draw(t, "sample")
		s := Summarize(x)
		order := []float64{s.Min, s.FirstQuartile, s.Median, s.ThirdQuartile, s.Max}
		if !sort.Float64sAreSorted(order) {
			t.Errorf("order statistics are out of order: %v", order)
		}
		if s.Min != slices.Min(x) || s.Max != slices.Max(x) {
			t.Errorf("ends %v, %v of %v", s.Min, s.Max, x)
		}
		if math.Abs(s.Deviation-slowDeviation(x)) > 1e-12*s.Max {
			t.Errorf("deviation %v, by differences of pairs %v", s.Deviation, slowDeviation(x))
		}
		checkHalves(t, x, s)
		checkMirror(t, x, s)
	})
}

// slowDeviation uses Σᵢ<ⱼ(xᵢ-xⱼ)² = n·Σ(x-x̄)²: no mean is involved.
func slowDeviation(x []float64) float64 {
	var sum float64
	for i := range x {
		for j := range i {
			sum += (x[i] - x[j]) * (x[i] - x[j])
		}
	}
	if sum == 0 {
		return 0
	}
	n := float64(len(x))
	return math.Sqrt(sum / n / (n - 1))
}

// checkHalves states what a quartile is without naming positions: at most the
// fraction lies strictly below it, and at most the rest strictly above.
func checkHalves(t *rapid.T, x []float64, s Summary) {
	for _, q := range []struct{ value, fraction float64 }{
		{s.FirstQuartile, 0.25}, {s.Median, 0.5}, {s.ThirdQuartile, 0.75},
	} {
		var below, above float64
		for _, v := range x {
			if v < q.value {
				below++
			}
			if v > q.value {
				above++
			}
		}
		n := float64(len(x))
		if below > q.fraction*n || above > (1-q.fraction)*n {
			t.Errorf("%v below and %v above the %v-quantile of %v values", below, above, q.fraction, n)
		}
	}
}

// checkMirror: negating a sample reverses its order statistics.
func checkMirror(t *rapid.T, x []float64, s Summary) {
	negated := make([]float64, len(x))
	for i := range x {
		negated[i] = -x[i]
	}
	m := Summarize(negated)
	if m.FirstQuartile != -s.ThirdQuartile || m.Median != -s.Median || m.Max != -s.Min {
		t.Errorf("negated: %+v of %+v", m, s)
	}
	if !near(m.Mean, -s.Mean) || math.Abs(m.Deviation-s.Deviation) > 1e-12*s.Max {
		t.Errorf("negated: mean and deviation %+v of %+v", m, s)
	}
}
