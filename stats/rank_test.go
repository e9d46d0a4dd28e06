package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// critical are the largest u that are significant at 5 % on two sides, from the
// usual table of textbooks, after Mann and Whitney (1947) and Auble (1953).
var critical = []struct{ n, m, u int }{
	{3, 5, 0},
	{4, 4, 0},
	{4, 5, 1},
	{5, 5, 2},
	{5, 6, 3},
	{5, 8, 6},
	{6, 6, 5},
	{7, 7, 8},
	{7, 9, 12},
	{8, 8, 13},
	{9, 9, 17},
	{10, 10, 23},
	{12, 12, 37},
	{15, 15, 64},
	{20, 20, 127},
}

func TestMannWhitneyAgainstPublishedTables(t *testing.T) {
	for _, c := range critical {
		if p := exactP(c.n, c.m, c.u); p > 0.05 {
			t.Errorf("n %d, m %d: u = %d has p = %.4f, the table says significant", c.n, c.m, c.u, p)
		}
		if p := exactP(c.n, c.m, c.u+1); p <= 0.05 {
			t.Errorf("n %d, m %d: u = %d has p = %.4f, the table says not significant", c.n, c.m, c.u+1, p)
		}
	}
}

// With three values each there are 20 orders, one of which puts all of a first.
func TestMannWhitneyByHand(t *testing.T) {
	u, p := MannWhitney([]float64{1, 2, 3}, []float64{4, 5, 6})
	if u != 0 || math.Abs(p-0.1) > 1e-12 {
		t.Errorf("u = %v, p = %v, want 0 and 0.1", u, p)
	}
	if u, p = MannWhitney([]float64{1, 1}, []float64{1, 1}); u != 2 || p != 1 {
		t.Errorf("equal values: u = %v, p = %v", u, p)
	}
	if _, p = MannWhitney(nil, []float64{1}); p != 1 {
		t.Errorf("no values: p = %v", p)
	}
}

// The sum of all orders is what combinatorics says: u counts pairs, so both ways
// to look at it add up, p is a probability, and neither order nor any growing
// function of the values changes it.
func TestMannWhitneyProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-100, 100), 1, 40)
		a, b := values.Draw(t, "a"), values.Draw(t, "b")
		u, p := MannWhitney(a, b)
		v, q := MannWhitney(b, a)
		if u+v != float64(len(a)*len(b)) || math.Abs(p-q) > 1e-9 || !(p >= 0 && p <= 1) {
			t.Fatalf("u %v + %v, p %v and %v", u, v, p, q)
		}
		double := func(x []float64) (y []float64) {
			for _, x := range x {
				y = append(y, 2*x)
			}
			return y
		}
		if w, r := MannWhitney(double(a), double(b)); w != u || r != p {
			t.Fatalf("doubled: u %v, p %v", w, r)
		}
	})
}

// Where both can be had, the approximation is close to the count.
func TestNormalIsCloseToExact(t *testing.T) {
	for u := 0; u <= 200; u++ {
		exact, approximate := exactP(20, 20, u), normalP(20, 20, float64(u), 0)
		if math.Abs(exact-approximate) > 0.005 {
			t.Errorf("u = %d: %v and %v", u, exact, approximate)
		}
	}
}
