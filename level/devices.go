package level

import (
	"slices"
	"time"
)

// A DeviceModel is what is known of a machine whose steps run on several devices.
type DeviceModel struct {
	// Steps predicts a level where the search is already on the step's device.
	Steps Model `json:"steps"`
	// Moves is what it takes to bring a search to a device, by its name, and the
	// tree back from it. The host is "".
	Moves Model `json:"moves,omitempty"`
	// Whole is what a search takes that a device runs alone, from the root to the
	// finished tree.
	Whole Model `json:"whole,omitempty"`
	// Ahead is how many vertices a graph has from which on whole searches on a device
	// were faster than those of the host, all that were measured. That says more
	// than Whole about graphs of other shapes.
	Ahead map[string]int64 `json:"ahead,omitempty"`
}

// A Rehearsal is what there is to measure of several devices beyond their single
// levels.
type Rehearsal struct {
	Moves  []Move
	Whole  []WholeSearch
	Levels []Sample // of steps that ran several at once
	// Tree is what the return of the tree takes after a search that a device ran
	// alone, at least; 0 where it cannot.
	Tree time.Duration
}

// A Move is one measured handover. Where it leads to a device that is not the
// host, it includes what the return of the tree takes.
type Move struct {
	To    string
	Bytes int64
	Time  time.Duration
}

// A WholeSearch is one that a device ran alone.
type WholeSearch struct {
	Device string
	Front  Front // at the root
	Time   time.Duration
}

// Alone is what whole searches took, the medians by device.
func (r *Rehearsal) Alone() map[string]time.Duration {
	times := map[string][]time.Duration{}
	for _, w := range r.Whole {
		times[w.Device] = append(times[w.Device], w.Time)
	}
	middle := map[string]time.Duration{}
	for device, of := range times {
		slices.Sort(of)
		middle[device] = of[len(of)/2]
	}
	return middle
}

// A Judgement is a search that nothing was learned from: every step on every level,
// and what the search takes by a rule that knows no machine, as the model chose,
// and at best, with moves.
type Judgement struct {
	Levels              []Exploration
	Ruled, Chosen, Best time.Duration
}

// Learn fits moves and whole searches, each by the device.
func (d *DeviceModel) Learn(rehearsals []Rehearsal) {
	moves, whole := group{}, group{}
	for _, r := range rehearsals {
		for _, m := range r.Moves {
			moves.add(m.To, MoveLoad(m.Bytes), m.Time)
		}
		for _, w := range r.Whole {
			whole.add(w.Device, WholeLoad(w.Front), w.Time)
		}
	}
	d.Moves, d.Whole, d.Ahead = moves.fit(), whole.fit(), ahead(rehearsals)
}

// enoughAhead is how many whole searches must have been faster elsewhere.
const enoughAhead = 4

// ahead is from which size on each device was always faster than the host.
func ahead(rehearsals []Rehearsal) map[string]int64 {
	won, lost := map[string][]int64{}, map[string]int64{}
	for _, r := range rehearsals {
		times := r.Alone()
		for device, t := range times {
			if device == "" {
				continue
			}
			if size := r.Whole[0].Front.Size; t < times[""] {
				won[device] = append(won[device], size)
			} else {
				lost[device] = max(lost[device], size)
			}
		}
	}
	from := map[string]int64{}
	for device, sizes := range won {
		sizes = slices.DeleteFunc(sizes, func(size int64) bool { return size <= lost[device] })
		if len(sizes) >= enoughAhead {
			from[device] = slices.Min(sizes)
		}
	}
	return from
}

// A group collects measurements by name.
type group map[string]*struct {
	loads []Load
	times []time.Duration
}

func (g group) add(name string, x Load, t time.Duration) {
	if t <= 0 {
		return
	}
	if g[name] == nil {
		g[name] = new(struct {
			loads []Load
			times []time.Duration
		})
	}
	g[name].loads, g[name].times = append(g[name].loads, x), append(g[name].times, t)
}

func (g group) fit() Model {
	m := Model{}
	for name, of := range g {
		m[name] = fitRelative(of.loads, of.times)
	}
	return m
}

// Hindsight is the least time in which a search could have gone through its
// levels, moves included: times[d][s] is what step s takes on level d, and move
// what it takes to come from one device to another before level d. The search
// begins on the host, where its tree must be in the end: the move back from a
// device is part of the move there.
func Hindsight(times [][]time.Duration, steps []Step, move func(d int, from, to string) time.Duration) time.Duration {
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
