package lab

import "strings"

// An Outcome says whether a claim holds.
type Outcome string

const (
	Holds   Outcome = "holds"
	Fails   Outcome = "does not hold"
	Unclear Outcome = "cannot tell"
)

func (o Outcome) String() string { return string(o) }

// A Claim is a statement of a paper, and whether it holds here.
type Claim struct {
	Text    string  `json:"text"`
	Outcome Outcome `json:"outcome"`
	Why     string  `json:"why"` // the figures that decided, or why they cannot decide
}

// A Verdict is the outcome of an experiment.
type Verdict struct {
	Outcome Outcome
	Why     string // the claims that decided and their reasons; "" if all claims hold
}

func (v Verdict) String() string {
	if v.Why == "" {
		return string(v.Outcome)
	}
	return string(v.Outcome) + ": " + v.Why
}

// verdictOf returns the verdict of the weakest claims: a claim that fails outweighs one
// that is unclear, and either outweighs all that hold. Without claims the verdict is
// unclear.
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
