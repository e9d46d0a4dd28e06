package report

import (
	"math"
	"testing"
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

// samples have n and m different values. In u pairs the first has the larger one.
func samples(n, m, u int) (a, b []float64) {
	for i := range m {
		b = append(b, float64(i+1))
	}
	for i := range n {
		below := min(m, u)
		u -= below
		a = append(a, float64(below)+0.5+float64(i)/1000)
	}
	return a, b
}

func TestChanceAgainstPublishedTables(t *testing.T) {
	for _, c := range critical {
		if p := chance(samples(c.n, c.m, c.u)); p > significance {
			t.Errorf("n %d, m %d: u = %d has p = %.4f, the table says significant", c.n, c.m, c.u, p)
		}
		if p := chance(samples(c.n, c.m, c.u+1)); p <= significance {
			t.Errorf("n %d, m %d: u = %d has p = %.4f, the table says not significant", c.n, c.m, c.u+1, p)
		}
	}
}

// With three values each there are 20 orders, one of which puts all of a first.
func TestChanceByHand(t *testing.T) {
	if p := chance([]float64{1, 2, 3}, []float64{4, 5, 6}); math.Abs(p-0.1) > 1e-12 {
		t.Errorf("p = %v, want 0.1", p)
	}
	if p := chance([]float64{1, 1}, []float64{1, 1}); p != 1 {
		t.Errorf("equal values: p = %v", p)
	}
	if p := chance(nil, []float64{1}); p != 1 {
		t.Errorf("no values: p = %v", p)
	}
}
