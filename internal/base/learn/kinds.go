package learn

import (
	"math"
	"math/bits"
	"time"

	"github.com/gohops/hops/level"
)

// Terms that are proportional to counts do not describe all of a level: whether the
// workers are awake, what is in a cache, how a frontier must be converted first. Much
// of that depends on the size of the level alone. So levels are sorted into kinds: by
// the row entries that they look at and by the unvisited vertices, both in powers of
// four, and by the direction of the level before. A kind has a factor of its own if its
// samples take longer, or shorter, than the terms say, and if leave-one-out
// cross-validation confirms that.

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

// Corrections are the corrections of one step.
type Corrections []Correction

func kindOf(f *level.Front, d level.Direction) Kind {
	quarters := func(n int64) int { return (bits.Len64(uint64(max(n, 0))) + 1) / 2 }
	return Kind{quarters(f.Work[d]), quarters(f.Unvisited), f.Last != level.TopDown, isShort(f, d)}
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
	// priorSamples is the weight, in samples, of the prior belief that the terms are
	// right: it shrinks the factors of kinds with few samples towards 1.
	priorSamples = 0.5
	// confirmedShare is the share of its errors that a kind must be left with, at
	// most, for its factor to be used.
	confirmedShare = 0.9
)

// residuals are the logarithms of measured over predicted times of a kind.
type residuals []float64

func (r residuals) sum() (sum float64) {
	for _, x := range r {
		sum += x
	}
	return sum
}

// confirmed tells by leave-one-out cross-validation whether a factor helps: whether
// the mean of the others predicts each residual better than zero does.
func (r residuals) confirmed() bool {
	sum, before, after := r.sum(), 0.0, 0.0
	for _, x := range r {
		others := (sum - x) / (float64(len(r)-1) + priorSamples)
		before, after = before+math.Abs(x), after+math.Abs(x-others)
	}
	return after < confirmedShare*before
}

// corrections are the factors of the kinds that the cost of their step describes
// badly. A lower-bound sample is used only if the cost predicts less than it.
func (c Cost) corrections(samples []Sample) *Corrections {
	kinds := map[Kind]residuals{}
	var order []Kind // of first appearance, so that the result is deterministic
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
		if r := kinds[k]; len(r) > 1 && r.confirmed() {
			all = append(all, Correction{k, math.Exp(r.sum() / (float64(len(r)) + priorSamples))})
		}
	}
	if all == nil {
		return nil
	}
	return &all
}
