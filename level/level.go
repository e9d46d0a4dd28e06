// Package level is the loop that every search runs through: before each level a
// Policy looks at the frontier and picks one of the steps that the Machine
// offers.
//
// A Step is a way to run one level: a direction, and where and how it runs. A
// Machine is whatever can run steps: the threads of a host, a GPU, ranks over
// MPI, a mixture. Front is all that a policy may look at. It is summed over
// every part and rank, so that all ranks take the same decision without a
// further message, and a device returns a few bytes a level.
//
// The loop is a function that an engine may call, not a base class: an engine
// that runs all levels in one kernel does not call it and is still an engine.
package level

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/gohops/hops"
)

// A Direction is the way in which a level looks at edges.
type Direction uint8

const (
	TopDown  Direction = iota // from the frontier to its neighbours
	BottomUp                  // from the unvisited to the frontier
	Split                     // heavy vertices one way, light ones the other

	Directions = 3
)

func (d Direction) String() string {
	return [...]string{"top-down", "bottom-up", "split"}[d]
}

// A Step is one way to run a level on a Machine.
type Step struct {
	Name      string // unique within the machine, shown in traces and plans
	Direction Direction
	Device    string // "" is the host
	Exchange  string // between ranks; "" where there is nothing to exchange
}

// A Front describes the state between two levels.
type Front struct {
	Depth     int32 // distance of the frontier from the root
	Vertices  int64 // in the frontier
	Edges     int64 // row entries of the frontier, or an estimate
	Unvisited int64 // vertices with at least one edge, not yet in the tree
	Remaining int64 // row entries of the unvisited, or an estimate

	Last Direction // of the step that made this frontier

	// Size is the number of vertices of the graph, and Work the row entries that
	// a level in each direction is expected to examine next: all a cost model
	// needs to know. A machine estimates them, from a sample where it must.
	Size int64
	Work [Directions]int64

	// Device holds the search now, and Moves is how many bytes would have to
	// reach another one before a step could run there, those that must come back
	// in the end included. Only machines of several devices fill these in.
	Device string
	Moves  int64

	// What the step that made this frontier did.
	Examined int64
	Messages int64
	Bytes    int64
	Exchange *hops.Exchange // nil where there is one rank
	Handover time.Duration  // to bring the search to its device
	// Ran holds the levels of a step that ran several of them at once, as a
	// device does that drives itself. It is nil after a single level.
	Ran []hops.Level
}

// A Machine can run the next level in any of the ways it offers.
type Machine interface {
	Steps() []Step
	// Seed starts a new search: the frontier is the root alone.
	Seed(root hops.Vertex) (Front, error)
	// Run runs one level with the given step, or several if the step is made so,
	// and returns the next frontier. It fills in everything but Depth and Last.
	Run(s Step) (Front, error)
}

// A Policy picks the step for the next level. It must depend on nothing but its
// arguments: all ranks ask it separately and must hear the same answer.
type Policy interface {
	Next(f Front, steps []Step) Step
}

// Search runs levels until the frontier is empty and appends one entry per
// level to trace. It looks at ctx between levels.
func Search(ctx context.Context, m Machine, p Policy, root hops.Vertex, trace *hops.Trace) error {
	return SearchTo(ctx, m, p, root, math.MaxInt32, trace)
}

// SearchTo is Search for what is at most depth hops from the root.
func SearchTo(ctx context.Context, m Machine, p Policy, root hops.Vertex, depth int32, trace *hops.Trace) error {
	f, err := m.Seed(root)
	if err != nil {
		return err
	}
	_, err = Continue(ctx, m, p, f, func(f Front) bool { return f.Depth >= depth }, trace)
	return err
}

// Continue runs levels from f on, until the frontier is empty or enough says so,
// and returns the frontier it stopped at.
//
// Runs of small levels share a reading of the clock, which takes about as long as
// one of them, and so have the same time in the trace.
func Continue(ctx context.Context, m Machine, p Policy, f Front, enough func(Front) bool, trace *hops.Trace) (Front, error) {
	steps := m.Steps()
	since, untimed := time.Now(), len(trace.Levels)
	for f.Vertices > 0 && !enough(f) {
		if err := ctx.Err(); err != nil {
			return f, fmt.Errorf("level %d: %w", f.Depth, err)
		}
		step := p.Next(f, steps)
		next, err := m.Run(step)
		if err != nil {
			return f, fmt.Errorf("level %d: %s: %w", f.Depth, step.Name, err)
		}
		next.Last = step.Direction
		next.Depth = f.Depth + 1
		if next.Ran == nil {
			trace.Levels = append(trace.Levels, next.entry(step, f.Vertices))
		} else {
			next.Depth = f.Depth + int32(len(next.Ran))
			if untimed == len(trace.Levels) {
				untimed += len(next.Ran)
			}
			trace.Levels = append(trace.Levels, next.Ran...)
		}
		if next.Vertices > 0 && !(next.Small() && f.Small()) {
			since = share(since, trace.Levels[untimed:])
			untimed = len(trace.Levels)
		}
		f = next
	}
	if untimed < len(trace.Levels) {
		share(since, trace.Levels[untimed:])
	}
	return f, nil
}

// entry is what a trace says of the level that made this frontier.
func (f *Front) entry(s Step, frontier int64) hops.Level {
	return hops.Level{
		Step: s.Name, Frontier: frontier, Examined: f.Examined, Found: f.Vertices,
		Messages: f.Messages, Bytes: f.Bytes, Exchange: f.Exchange, Handover: f.Handover,
	}
}

// share divides the time since some reading of the clock among the levels that
// have none yet, each of which keeps what it took to hand the search over, and
// returns the next reading.
func share(since time.Time, levels []hops.Level) time.Time {
	now := time.Now()
	rest, untimed := now.Sub(since), time.Duration(0)
	for i := range levels {
		if l := &levels[i]; l.Time == 0 {
			rest, untimed = rest-l.Handover, untimed+1
		} else {
			rest -= l.Time
		}
	}
	for i := range levels {
		if l := &levels[i]; l.Time == 0 {
			l.Time = max(0, rest/untimed) + l.Handover
		}
	}
	return now
}
