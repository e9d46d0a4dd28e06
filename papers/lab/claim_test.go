package lab

import (
	"testing"

	"pgregory.net/rapid"
)

func TestLarger(t *testing.T) {
	for name, c := range map[string]struct {
		a, b   Sample
		factor float64
		want   Outcome
	}{
		"clearly":                      {Sample{4, 5, 6}, Sample{1, 2, 3}, 1, Holds},
		"clearly not":                  {Sample{1, 2, 3}, Sample{4, 5, 6}, 1, Fails},
		"pairs that disagree":          {Sample{1, 4, 1, 4}, Sample{2, 2, 2, 2}, 1, Unclear},
		"roots that differ, pairs not": {Sample{10, 100, 1000}, Sample{9, 90, 900}, 1, Holds},
		"not by so much":               {Sample{3}, Sample{2}, 2, Fails},
		"equal counts":                 {Sample{7, 7}, Sample{7, 7}, 1, Fails},
		"lengths that differ":          {Sample{4, 5, 6, 7}, Sample{1, 2}, 1, Holds},
		"nothing run":                  {nil, Sample{1}, 1, Unclear},
		"nothing at all":               {Sample{0}, Sample{0}, 1, Fails},
		"something over nothing":       {Sample{1}, Sample{0}, 1, Holds},
	} {
		if got := larger("", c.a, c.b, c.factor); got.Outcome != c.want {
			t.Errorf("%s: %s (%s), want %s", name, got.Outcome, got.Why, c.want)
		}
	}
}

// Nothing is larger both ways.
func TestLargerTurnsAround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		values := rapid.SliceOfN(rapid.Float64Range(.1, 10), n, n)
		a, b := Sample(values.Draw(t, "a")), Sample(values.Draw(t, "b"))
		there, back := larger("", a, b, 1).Outcome, larger("", b, a, 1).Outcome
		if there == Holds && back == Holds {
			t.Fatalf("%v against %v: %s, and back: %s", a, b, there, back)
		}
	})
}

func TestRising(t *testing.T) {
	up := []Sample{{1, 1}, {2, 2}, {3, 3}}
	for name, c := range map[string]struct {
		row  []Sample
		want Outcome
	}{
		"up":                {up, Holds},
		"down":              {[]Sample{{3, 3}, {2, 2}, {1, 1}}, Fails},
		"a dent":            {[]Sample{{1, 1}, {5, 5}, {3, 3}}, Fails},
		"flat but noisy":    {[]Sample{{1, 3}, {2, 2}, {3, 1}}, Unclear},
		"gaps are skipped":  {[]Sample{{1, 1}, nil, {3, 3}}, Holds},
		"one point":         {[]Sample{{1}}, Unclear},
		"nothing run":       {[]Sample{nil, nil}, Unclear},
		"rises all in all":  {[]Sample{{1, 1}, {1.9, 2.1}, {2.1, 1.9}, {4, 4}}, Holds},
		"exactly the same":  {[]Sample{{2, 2}, {2, 2}}, Fails},
		"falls at the last": {[]Sample{{1, 1}, {2, 2}, {1.5, 1.5}}, Fails},
	} {
		if got := rising("", c.row); got.Outcome != c.want {
			t.Errorf("%s: %s (%s), want %s", name, got.Outcome, got.Why, c.want)
		}
	}
}

func TestPeaked(t *testing.T) {
	names := []string{"a", "b", "c"}
	for name, c := range map[string]struct {
		row  []Sample
		want Outcome
	}{
		"inside":       {[]Sample{{1, 1}, {3, 3}, {2, 2}}, Holds},
		"at the end":   {[]Sample{{1, 1}, {2, 2}, {3, 3}}, Fails},
		"at the start": {[]Sample{{3, 3}, {2, 2}, {1, 1}}, Fails},
		"too noisy":    {[]Sample{{1, 4}, {3, 3}, {2, 2}}, Unclear},
		"not all run":  {[]Sample{{1}, nil, {2}}, Unclear},
	} {
		if got := peaked("", c.row, names); got.Outcome != c.want {
			t.Errorf("%s: %s (%s), want %s", name, got.Outcome, got.Why, c.want)
		}
	}
}

func TestAbout(t *testing.T) {
	for name, c := range map[string]struct {
		sample Sample
		want   Outcome
	}{
		"exactly":              {Sample{4}, Holds},
		"at both ends":         {Sample{3, 5}, Holds},
		"too much":             {Sample{5.01}, Fails},
		"too little":           {Sample{2.99}, Fails},
		"the median alone":     {Sample{1, 4, 9}, Unclear},
		"on both sides":        {Sample{1, 1, 9, 9}, Unclear},
		"all above":            {Sample{6, 7, 8}, Fails},
		"one of many, far out": {Sample{4, 4, 4, 4, 4, 4, 90}, Holds},
		"nothing run":          {nil, Unclear},
	} {
		if got := about("", c.sample, 4, .25); got.Outcome != c.want {
			t.Errorf("%s: %s (%s), want %s", name, got.Outcome, got.Why, c.want)
		}
	}
}

// The verdict is that of the twin, whatever holds here, and figures that the twin was set
// by take no part in it.
func TestVerdictIsThatOfThePapersMachine(t *testing.T) {
	claim := func(place string, o Outcome) Claim { return Claim{Place: place, Outcome: o} }
	for name, c := range map[string]struct {
		claims []Claim
		want   Outcome
	}{
		"fails on the twin":   {[]Claim{claim(here, Holds), claim("twin", Fails)}, Fails},
		"unclear on the twin": {[]Claim{claim(here, Holds), claim("twin", Unclear)}, Unclear},
		"holds on the twin":   {[]Claim{claim(here, Fails), claim("twin", Holds)}, Holds},
		"no twin":             {[]Claim{claim(here, Fails)}, Fails},
		"calibrated and here": {[]Claim{claim(here, Holds), claim("twin", Calibrated)}, Holds},
		"calibrated alone":    {[]Claim{claim("twin", Calibrated)}, Unclear},
		"calibrated beside":   {[]Claim{claim("twin", Calibrated), claim("twin", Fails)}, Fails},
	} {
		if got := (&Finding{Claims: c.claims}).Verdict(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if c := calibrates("", Sample{5}, 4.8); c.Outcome != Calibrated {
		t.Errorf("%+v", c)
	}
	if c := calibrates("", nil, 4.8); c.Outcome != Unclear {
		t.Errorf("without a run: %+v", c)
	}
}

func TestVerdictIsTheWeakestClaim(t *testing.T) {
	yes, no, maybe := Claim{Outcome: Holds}, Claim{Outcome: Fails}, Claim{Outcome: Unclear}
	for _, c := range []struct {
		claims []Claim
		want   Outcome
	}{
		{[]Claim{yes, yes}, Holds},
		{[]Claim{yes, maybe}, Unclear},
		{[]Claim{maybe, no, yes}, Fails},
		{nil, Unclear},
	} {
		if got := (&Finding{Claims: c.claims}).Verdict(); got != c.want {
			t.Errorf("%v: %q, want %q", c.claims, got, c.want)
		}
	}
}
