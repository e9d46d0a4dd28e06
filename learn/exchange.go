package learn

import (
	"math"
	"time"

	"github.com/gohops/hops/level"
)

// Exchanges is a policy for ranks: to the cost of computing a step it adds the cost of
// its exchange, in rounds of all ranks and in bytes. All its fields must be equal on all
// ranks; then so are the choices, without a message.
type Exchanges struct {
	Compute []Cost  // of each step of the machine, for all ranks together, without the exchange
	Round   float64 // nanoseconds of a round
	Byte    float64 // nanoseconds of a byte on the critical path
	// Traffic predicts what a step would exchange. It must depend on its arguments
	// alone.
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
