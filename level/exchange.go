package level

import (
	"math"
	"time"
)

// Exchanges is a policy for ranks: to what a step costs to compute it adds what
// its exchange costs, in rounds that all ranks take part in and in bytes.
//
// All of it is the same on all ranks, and so is their choice, without a message.
type Exchanges struct {
	Compute Model   // of all ranks together, without the exchange
	Round   float64 // nanoseconds of a round
	Byte    float64 // nanoseconds of a byte that somebody has to wait for
	// Traffic predicts what a step would exchange. It must not depend on
	// anything else.
	Traffic func(f Front, s Step) (rounds, bytes float64)
}

// Next implements Policy.
func (e Exchanges) Next(f Front, steps []Step) Step {
	best, least := steps[0], time.Duration(math.MaxInt64)
	for _, s := range steps {
		if t := e.Predict(f, s); t < least {
			best, least = s, t
		}
	}
	return best
}

// Predict is how long a step is expected to take.
func (e Exchanges) Predict(f Front, s Step) time.Duration {
	rounds, bytes := e.Traffic(f, s)
	return e.Compute[s.Name].Of(f, s.Direction) + time.Duration(rounds*e.Round+bytes*e.Byte)
}
