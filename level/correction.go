package level

import (
	"math"
	"math/bits"
	"time"
)

// Terms that are proportional to counts cannot say everything of a level: whether the
// workers are awake, what is in a cache, how a frontier must be turned into another
// form first. Much of that depends on the size of the level alone, so levels are
// sorted into kinds: by the entries that they look at and the vertices that are
// unvisited, both in powers of four, and by the direction of the level before. Where
// a kind takes longer or shorter than the terms say, and did so whichever of its
// samples is left out, it has a factor of its own.

// A Kind is levels of about the same size.
type Kind struct {
	Work  int  `json:"work"`            // ⌈log₄⌉ of the row entries
	Open  int  `json:"open"`            // ⌈log₄⌉ of the unvisited vertices
	After bool `json:"after,omitempty"` // the level before was not top-down
	Short bool `json:"short,omitempty"`
}

// A Correction is the factor of one kind.
type Correction struct {
	Kind
	Factor float64 `json:"factor"`
}

// Corrections are those of one step.
type Corrections []Correction

func kindOf(f *Front, d Direction) Kind {
	quarters := func(n int64) int { return (bits.Len64(uint64(max(n, 0))) + 1) / 2 }
	return Kind{quarters(f.Work[d]), quarters(f.Unvisited), f.Last != TopDown, f.short(d)}
}

// of is the factor for a kind, 1 where it has none.
func (c *Corrections) of(k Kind) float64 {
	if c == nil {
		return 1
	}
	for i := range *c {
		if (*c)[i].Kind == k {
			return (*c)[i].Factor
		}
	}
	return 1
}

const (
	// doubt is as many samples without an error as are added to each kind.
	doubt = 0.5
	// convincing is to what part a factor must reduce the errors of its kind.
	convincing = 0.9
)

// residuals are the logarithms of measured over predicted times of a kind.
type residuals []float64

func (r residuals) sum() (sum float64) {
	for _, x := range r {
		sum += x
	}
	return sum
}

// convince tells whether each of them is nearer to what the others say than to
// nothing, on the whole.
func (r residuals) convince() bool {
	sum, before, after := r.sum(), 0.0, 0.0
	for _, x := range r {
		others := (sum - x) / (float64(len(r)-1) + doubt)
		before, after = before+math.Abs(x), after+math.Abs(x-others)
	}
	return after < convincing*before
}

// corrections are what samples say against the cost of their step. Samples that are
// bounds count where they are broken.
func (c Cost) corrections(samples []Sample) *Corrections {
	kinds := map[Kind]residuals{}
	var order []Kind // of maps there is none
	for _, s := range samples {
		predicted := max(c.Of(s.Front, s.Step.Direction), time.Nanosecond)
		if s.Bound && predicted >= s.Time {
			continue
		}
		k := kindOf(&s.Front, s.Step.Direction)
		if kinds[k] == nil {
			order = append(order, k)
		}
		kinds[k] = append(kinds[k], math.Log(float64(s.Time)/float64(predicted)))
	}
	var all Corrections
	for _, k := range order {
		if r := kinds[k]; len(r) > 1 && r.convince() {
			all = append(all, Correction{k, math.Exp(r.sum() / (float64(len(r)) + doubt))})
		}
	}
	if all == nil {
		return nil
	}
	return &all
}
