package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Four searches over 12 edges in 1, 2, 3 and 6 s: 12, 6, 4 and 2 edges per
// second, harmonic mean 4·12/(1+2+3+6) = 4. The reciprocals have mean 1/4 and
// Σ(y-ȳ)² = (4+1+0+9)/144, hence the error √(14/144)/3·4².
func TestTEPSByHand(t *testing.T) {
	got, err := TEPS([]float64{3, 1, 6, 2}, []int64{12, 12, 12, 12})
	if err != nil {
		t.Fatal(err)
	}
	want := RateSummary{
		Min:               2,
		FirstQuartile:     12 / 4.5, // of the times 3 and 6
		Median:            12 / 2.5,
		ThirdQuartile:     12 / 1.5,
		Max:               12,
		HarmonicMean:      4,
		HarmonicDeviation: math.Sqrt(14.0/144) / 3 * 16,
	}
	for _, f := range []struct {
		name      string
		got, want float64
	}{
		{"min", got.Min, want.Min},
		{"first quartile", got.FirstQuartile, want.FirstQuartile},
		{"median", got.Median, want.Median},
		{"third quartile", got.ThirdQuartile, want.ThirdQuartile},
		{"max", got.Max, want.Max},
		{"harmonic mean", got.HarmonicMean, want.HarmonicMean},
		{"harmonic deviation", got.HarmonicDeviation, want.HarmonicDeviation},
	} {
		if !near(f.got, f.want) {
			t.Errorf("%s: %v, want %v", f.name, f.got, f.want)
		}
	}
}

func TestTEPSOfOneSearch(t *testing.T) {
	got, err := TEPS([]float64{0.5}, []int64{10})
	if want := (RateSummary{20, 20, 20, 20, 20, 20, 0}); err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

func TestTEPSRefusesWhatHasNoRate(t *testing.T) {
	for name, c := range map[string]struct {
		seconds []float64
		edges   []int64
	}{
		"no searches":       {nil, nil},
		"different lengths": {[]float64{1, 2}, []int64{1}},
		"no time":           {[]float64{1, 0}, []int64{1, 1}},
		"negative time":     {[]float64{-1}, []int64{1}},
		"endless":           {[]float64{math.Inf(1)}, []int64{1}},
		"not a time":        {[]float64{math.NaN()}, []int64{1}},
		"no edges":          {[]float64{1}, []int64{0}},
		"negative edges":    {[]float64{1}, []int64{-1}},
	} {
		if _, err := TEPS(c.seconds, c.edges); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestRatesOfNothing(t *testing.T) {
	if got := Rates(nil); got != (RateSummary{}) {
		t.Errorf("got %+v, want zero", got)
	}
}

func TestTEPSProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seconds := samples().Draw(t, "seconds")
		edges := make([]int64, len(seconds))
		var reciprocals float64
		for i := range edges {
			edges[i] = rapid.Int64Range(1, 1<<42).Draw(t, "edges")
			reciprocals += 1 / (float64(edges[i]) / seconds[i])
		}
		r, err := TEPS(seconds, edges)
		if err != nil {
			t.Fatal(err)
		}
		if want := float64(len(seconds)) / reciprocals; !near(r.HarmonicMean, want) {
			t.Errorf("harmonic mean %v, want %v", r.HarmonicMean, want)
		}
		for i := range edges {
			if rate := float64(edges[i]) / seconds[i]; rate < r.Min*(1-1e-9) || rate > r.Max*(1+1e-9) {
				t.Errorf("rate %v outside [%v, %v]", rate, r.Min, r.Max)
			}
		}
		checkNorris(t, seconds, edges, r)
	})
}

// checkNorris: the deviation also equals √Σ(y-ȳ)² · H² / (n-1), computed here
// with y scaled by the harmonic mean.
func checkNorris(t *rapid.T, seconds []float64, edges []int64, r RateSummary) {
	var sum float64
	for i := range edges {
		d := seconds[i]/float64(edges[i])*r.HarmonicMean - 1
		sum += d * d
	}
	want := 0.0
	if len(edges) > 1 {
		want = math.Sqrt(sum) / float64(len(edges)-1) * r.HarmonicMean
	}
	if math.Abs(r.HarmonicDeviation-want) > 1e-9*r.HarmonicMean {
		t.Errorf("harmonic deviation %v, want %v", r.HarmonicDeviation, want)
	}
}
