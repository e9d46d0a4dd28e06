package level

import (
	"slices"
	"time"
)

// An Exploration is one level of a search with the time that each step of the
// machine takes for it.
type Exploration struct {
	Front  Front
	Chosen int             // index of the step that the policy took
	Times  []time.Duration // of every step: the least of several runs, handovers excluded
}

// Regret is how much longer the chosen step takes than the best in hindsight.
func (e Exploration) Regret() time.Duration { return e.Times[e.Chosen] - slices.Min(e.Times) }
