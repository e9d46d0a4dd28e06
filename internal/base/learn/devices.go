package learn

import (
	"time"

	"github.com/gohops/hops/level"
)

// A DeviceModel is what is known of a machine whose steps run on several devices.
type DeviceModel struct {
	// Steps predicts a level of a search that is on the step's device already.
	Steps Model `json:"steps"`
	// Moves predicts handovers, by the name of the device that a search moves to; the
	// host is "". The return of the tree from a device is part of the move there.
	Moves Model `json:"moves,omitempty"`
}

// A Rehearsal is one search measured in ways that single levels do not show.
type Rehearsal struct {
	Moves  []Move
	Whole  map[string][]time.Duration // whole searches, tree included, by the device that ran them alone
	Levels []Sample                   // within steps that run several levels
	// Tree is the least time for the return of the tree after a search that a device
	// ran alone; 0 if the device cannot.
	Tree time.Duration
}

// A Move is one measured handover. One to a device that is not the host includes the
// return of the tree.
type Move struct {
	To    string
	Bytes int64
	Time  time.Duration
}

// A Judgement is a search that was held out from learning. All times include handovers.
type Judgement struct {
	Levels []level.Exploration
	Ruled  time.Duration // by the rule of thumb on the host
	Chosen time.Duration // by the model
	Best   time.Duration // by the best steps in hindsight
}

func (j *Judgement) add(other Judgement) {
	j.Ruled, j.Chosen, j.Best = j.Ruled+other.Ruled, j.Chosen+other.Chosen, j.Best+other.Best
}

func (j *Judgement) regret() Regrets {
	over := func(t time.Duration) float64 { return 100 * (float64(t)/float64(max(j.Best, 1)) - 1) }
	return Regrets{Without: over(j.Ruled), With: over(j.Chosen)}
}

// Learn fits the moves, device by device.
func (d *DeviceModel) Learn(rehearsals []Rehearsal) {
	loads, times := map[string][]Terms{}, map[string][]time.Duration{}
	for _, r := range rehearsals {
		for _, m := range r.Moves {
			if m.Time > 0 {
				loads[m.To], times[m.To] = append(loads[m.To], MoveTerms(m.Bytes)), append(times[m.To], m.Time)
			}
		}
	}
	d.Moves = Model{}
	for to := range loads {
		d.Moves[to] = fitRelative(loads[to], times[to])
	}
}

// Hindsight is the least time in which a search could have gone through its
// levels, moves included: times[d][s] is what step s takes on level d, and move
// what it takes to come from one device to another before level d. The search
// begins on the host, where its tree must be in the end: the move back from a
// device is part of the move there.
func Hindsight(times [][]time.Duration, steps []level.Step, move func(d int, from, to string) time.Duration) time.Duration {
	best := map[string]time.Duration{"": 0}
	for d, of := range times {
		next := map[string]time.Duration{}
		for s, t := range of {
			to := steps[s].Device
			for from, before := range best {
				if t <= 0 {
					continue // this step was not measured here
				}
				if from != to {
					before += move(d, from, to)
				}
				if known, ok := next[to]; !ok || before+t < known {
					next[to] = before + t
				}
			}
		}
		best = next
	}
	least := time.Duration(-1)
	for _, t := range best {
		if least < 0 || t < least {
			least = t
		}
	}
	return max(least, 0)
}
