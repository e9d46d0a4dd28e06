package lab

import "strings"

// An Outcome is what can be said about a claim.
type Outcome string

const (
	Holds   Outcome = "holds"
	Fails   Outcome = "does not hold"
	Unclear Outcome = "cannot tell"
)

func (o Outcome) String() string { return string(o) }

// A Claim is something that a paper says, and whether it is so here.
type Claim struct {
	Text    string  `json:"text"`
	Outcome Outcome `json:"outcome"`
	Why     string  `json:"why"` // the figures that decided, or what keeps them from it
}

// A Verdict sums claims up.
type Verdict struct {
	Outcome Outcome
	Why     string // of the claims that decided, unless all hold
}

func (v Verdict) String() string {
	if v.Why == "" {
		return string(v.Outcome)
	}
	return string(v.Outcome) + ": " + v.Why
}

// verdictOf is the weakest claim: one that fails outweighs one that is unclear,
// and both outweigh any number that hold. No claims tell nothing.
func verdictOf(claims []Claim) Verdict {
	if len(claims) == 0 {
		return Verdict{Unclear, "nothing could be run"}
	}
	for _, weakest := range []Outcome{Fails, Unclear} {
		var why []string
		for _, c := range claims {
			if c.Outcome == weakest {
				why = append(why, c.Text+" ("+c.Why+")")
			}
		}
		if why != nil {
			return Verdict{weakest, strings.Join(why, "; ")}
		}
	}
	return Verdict{Outcome: Holds}
}

// Reasons that keep a claim from being decided.
const (
	spread = "spread"
	notRun = "not run here"
)
