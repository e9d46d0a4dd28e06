package lab

import (
	"fmt"
	"math"
	"slices"

	"github.com/gohops/hops/internal/page/plot"
	"github.com/gohops/hops/stats"
)

// An Outcome says whether a claim holds.
type Outcome string

const (
	Holds   Outcome = "holds"
	Fails   Outcome = "does not hold"
	Unclear Outcome = "cannot tell"
	// Calibrated marks a figure that a rate of the twin was set by. It is shown beside
	// the paper's and takes no part in verdicts.
	Calibrated Outcome = "calibrated, not judged"
)

// A Claim is a statement of a paper, and whether it holds here.
type Claim struct {
	Text    string  `json:"text"`
	Outcome Outcome `json:"outcome"`
	Why     string  `json:"why"` // the figures that decided, or why they cannot decide
	Place   string  `json:"place,omitempty"`
}

// Reasons that keep a claim from being decided.
const (
	spread = "spread"
	notRun = "not run here"
)

// larger claims that a exceeds b by more than the factor. Samples of the same
// length are paired search by search, so that differences between roots cancel. The
// middle half of the ratios must agree.
func larger(text string, a, b Sample, factor float64) Claim {
	if len(a) == 0 || len(b) == 0 {
		return Claim{Text: text, Outcome: Unclear, Why: notRun}
	}
	r := ratio(a, b)
	why := fmt.Sprintf("%s times, want more than %s", r, digits(factor))
	lo, hi := r.quartiles()
	switch {
	case lo > factor:
		return Claim{Text: text, Outcome: Holds, Why: why}
	case hi < factor || lo == hi:
		return Claim{Text: text, Outcome: Fails, Why: why}
	}
	return Claim{Text: text, Outcome: Unclear, Why: spread + ": " + why}
}

// rising claims that each of a row of samples is larger than the one before: the
// last clearly exceeds the first, and none clearly falls below its neighbour.
func rising(text string, row []Sample) Claim {
	present := slices.DeleteFunc(slices.Clone(row), Sample.empty)
	if len(present) < 2 {
		return Claim{Text: text, Outcome: Unclear, Why: notRun}
	}
	first, last := present[0], present[len(present)-1]
	why := fmt.Sprintf("from %s to %s", first, last)
	for i := 1; i < len(present); i++ {
		if larger("", present[i-1], present[i], 1).Outcome == Holds {
			return Claim{Text: text, Outcome: Fails, Why: fmt.Sprintf("%s; %s is followed by %s", why, present[i-1], present[i])}
		}
	}
	c := larger(text, last, first, 1)
	if c.Outcome != Unclear {
		c.Why = why
	}
	return c
}

// peaked claims that the best of a row of samples is neither the first nor the last, and
// clearly above both.
func peaked(text string, row []Sample, names []string) Claim {
	if len(row) < 3 || slices.ContainsFunc(row, Sample.empty) {
		return Claim{Text: text, Outcome: Unclear, Why: notRun}
	}
	at, last := 0, len(row)-1
	for i, s := range row {
		if s.Median() > row[at].Median() {
			at = i
		}
	}
	why := "the best is " + names[at]
	above := func(i int) bool { return larger("", row[at], row[i], 1).Outcome == Holds }
	switch inside := at > 0 && at < last; {
	case inside && above(0) && above(last):
		return Claim{Text: text, Outcome: Holds, Why: why}
	case !inside && above(last-at):
		return Claim{Text: text, Outcome: Fails, Why: why}
	}
	return Claim{Text: text, Outcome: Unclear, Why: spread + ": " + why}
}

// near claims that a figure differs from the wanted one by at most a share of it.
func near(text string, got, want, share float64) Claim {
	why := fmt.Sprintf("%s against %s", digits(got), digits(want))
	return exact(text, math.Abs(got-want) <= share*math.Abs(want), why)
}

// about claims that a figure is the paper's, within a share of it: the middle half of the
// sample must agree.
func about(text string, s Sample, paper, share float64) Claim {
	if len(s) == 0 {
		return lacking(text, notRun)
	}
	text = fmt.Sprintf("%s: %s, within %.0f %%", text, digits(paper), 100*share)
	why := fmt.Sprintf("%s against %s", s, digits(paper))
	lo, hi := s.quartiles()
	from, to := paper*(1-share), paper*(1+share)
	switch {
	case lo >= from && hi <= to:
		return Claim{Text: text, Outcome: Holds, Why: why}
	case hi < from || lo > to:
		return Claim{Text: text, Outcome: Fails, Why: why}
	}
	return Claim{Text: text, Outcome: Unclear, Why: spread + ": " + why}
}

// calibrates shows how well a twin meets the figure of the paper that it was set by.
func calibrates(text string, s Sample, paper float64) Claim {
	if len(s) == 0 {
		return lacking(text, notRun)
	}
	why := fmt.Sprintf("%s against %s, which the twin was set by", s, digits(paper))
	return Claim{Text: text, Outcome: Calibrated, Why: why}
}

// exact claims something that figures without spread decide.
func exact(text string, ok bool, why string) Claim {
	if ok {
		return Claim{Text: text, Outcome: Holds, Why: why}
	}
	return Claim{Text: text, Outcome: Fails, Why: why}
}

func lacking(text, what string) Claim { return Claim{Text: text, Outcome: Unclear, Why: what} }

// unless makes claims, or says of each that it cannot be told for a reason that is not "".
func (f *Finding) unless(reason string, claims ...Claim) {
	if reason == "" {
		f.claim(claims...)
		return
	}
	f.lack(reason)
	for _, c := range claims {
		f.claim(lacking(c.Text, reason))
	}
}

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

func one(x float64) Sample { return Sample{x} }

// digits prints three significant digits, large numbers with a prefix.
func digits(x float64) string { return plot.Value(x, "") }
