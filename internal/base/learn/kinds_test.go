package learn

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gohops/hops/internal/testing/leveltest"
	"github.com/gohops/hops/level"
	"pgregory.net/rapid"
)

// Levels that follow a bottom-up one and look at little wait for the workers first,
// which no term says.
func TestKindsHaveFactors(t *testing.T) {
	sleepy := func(s Sample) bool {
		return s.Step == leveltest.Up && s.Front.Last != level.TopDown && s.Front.Work[level.BottomUp] < 1<<12
	}
	samples, _ := measured(rand.New(rand.NewPCG(1, 2)), truth, 3000, 0.1)
	for i, s := range samples {
		if sleepy(s) {
			samples[i].Time *= 5
		}
	}
	learned, held := samples[:len(samples)/2], samples[len(samples)/2:]
	m, err := Fit(learned)
	if err != nil {
		t.Fatal(err)
	}
	plain := m["bottom-up"]
	plain.Kinds = nil
	var with, without, n float64
	for _, s := range held {
		if sleepy(s) {
			with += math.Abs(math.Log(float64(m["bottom-up"].Of(s.Front, level.BottomUp)) / float64(s.Time)))
			without += math.Abs(math.Log(float64(plain.Of(s.Front, level.BottomUp)) / float64(s.Time)))
			n++
		}
	}
	if with/n > math.Log(1.3) || with > without/2 {
		t.Errorf("%v levels are wrong by %.2f, and by %.2f without their factors", n, math.Exp(with/n), math.Exp(without/n))
	}
}

// What the numTerms say already needs no factor.
func TestNoFactorsWithoutErrors(t *testing.T) {
	samples, _ := measured(rand.New(rand.NewPCG(1, 2)), truth, 1000, 0)
	m, err := Fit(samples)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range m {
		if c.Kinds == nil {
			continue
		}
		for _, k := range *c.Kinds {
			if k.Factor < 0.95 || k.Factor > 1.05 {
				t.Errorf("%s: %+v", name, k)
			}
		}
	}
}

// Whatever was measured, a factor is a positive number, and a level that nobody has
// seen has none.
func TestFactorsArePositive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		var samples []Sample
		for range rapid.IntRange(numTerms, 60).Draw(t, "samples") {
			samples = append(samples, Sample{randomFront(r), leveltest.Up, time.Duration(1 + r.Int64N(1<<30)), r.IntN(4) == 0})
		}
		m, _ := Fit(samples)
		c := m[leveltest.Up.Name]
		if c.Kinds == nil {
			return
		}
		for _, k := range *c.Kinds {
			if !(k.Factor > 0) || math.IsInf(k.Factor, 0) {
				t.Fatalf("%+v", k)
			}
		}
		if got := c.Kinds.of(Kind{Work: 40}); got != 1 {
			t.Fatalf("an unknown kind takes %v times as long", got)
		}
	})
}
