package learn

import (
	"math"
	"time"

	"github.com/gohops/hops/level"
)

// Exchanges is a policy for ranks: to what a step costs to compute it adds what
// its exchange costs, in rounds that all ranks take part in and in bytes.
//
// All of it is the same on all ranks, and so is their choice, without a message.
type Exchanges struct {
	Compute []Cost  // of each step of the machine, for all ranks together, without the exchange
	Round   float64 // nanoseconds of a round
	Byte    float64 // nanoseconds of a byte that somebody has to wait for
	// Traffic predicts what a step would exchange. It must not depend on
	// anything else.
	Traffic func(f level.Front, s level.Step) (rounds, bytes float64)
}

// Next implements Policy.
func (e Exchanges) Next(f level.Front, steps []level.Step) level.Step {
	best, least := 0, time.Duration(math.MaxInt64)
	for i := range steps {
		if t := e.Predict(f, steps, i); t < least {
			best, least = i, t
		}
	}
	return steps[best]
}

// Predict is how long step i of the machine is expected to take.
func (e Exchanges) Predict(f level.Front, steps []level.Step, i int) time.Duration {
	rounds, bytes := e.Traffic(f, steps[i])
	return e.Compute[i].Of(f, steps[i].Direction) + time.Duration(rounds*e.Round+bytes*e.Byte)
}
