// Package level is the loop that every search runs through: before each level a
// Policy looks at the frontier and picks one of the steps that the Machine offers.
//
// A Step is one way to run a level: a direction, and where and how it runs. A
// Machine is whatever can run steps: the threads of a host, a GPU, ranks over MPI, or
// a host and a device together. A Front is all that a policy may look at. It is
// summed over every part and rank, so that all ranks take the same decision without a
// further message, and a device returns a few bytes a level. An Outcome is what a
// step did; it goes into the trace, and no policy sees it.
//
// The loop is a function that an engine may call, not a base class: an engine that
// runs all levels in one kernel does not call it and is still an engine.
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
	BottomUp                  // from the unvisited vertices to the frontier
	Split                     // hubs bottom-up, all other vertices top-down

	Directions = 3
)

func (d Direction) String() string {
	return [...]string{"top-down", "bottom-up", "split"}[d]
}

// A Step is one way to run a level on a Machine. Its name is the key by which a
// machine dispatches it, and by which plans, traces and cost models speak of it:
//
//	direction[-how][@device]
//
// as in "top-down", "bottom-up-probe" or "bottom-up-hot@gpu". A device is named only
// by a machine that has several. A step that runs several levels, each in the
// direction that the step itself chooses, has "levels" in place of a direction.
type Step struct {
	Name      string
	Direction Direction
	Device    string // "" is the host
	Workers   int    // that run it; 0 leaves their number to the machine
}

// A Front describes the state between two levels: what a policy may look at.
type Front struct {
	Depth     int32 // distance of the frontier from the root
	Vertices  int64 // in the frontier
	Edges     int64 // row entries of the frontier, or an estimate
	Unvisited int64 // vertices with at least one edge that are not in the tree
	Remaining int64 // row entries of the unvisited vertices, or an estimate

	Last Direction // of the step that made this frontier

	// Size is the number of vertices of the graph. Work is the number of row
	// entries that the next level is expected to examine, by its direction; a
	// machine that cannot count them estimates them, with Expect if with nothing
	// better.
	Size int64
	Work [Directions]int64
}

// An Outcome is what a step did.
type Outcome struct {
	Examined int64 // row entries
	Messages int64
	Bytes    int64          // sent over a wire or a bus
	Exchange *hops.Exchange // nil where there is one rank
	Handover time.Duration  // spent on moving the search to the step's device
	// Ran holds the levels of a step that ran several. It is nil after a single
	// level, and valid until the machine runs its next step.
	Ran []hops.Level
}

// A Machine can run the next level in any of the ways that it offers.
type Machine interface {
	Steps() []Step
	// Seed starts a new search: the frontier is the root alone.
	Seed(root hops.Vertex) (Front, error)
	// Run runs the step of that name, which takes the search one level further, or
	// as many as Outcome.Ran says. The machine fills in the whole Front but Depth
	// and Last, which are the loop's.
	Run(s Step) (Front, Outcome, error)
}

// A Clock is a Machine with a time of its own: ranks may be on a modelled machine.
type Clock interface {
	Now() time.Time
}

// A Policy picks the step for the next level. It depends on nothing but its
// arguments: all ranks ask it separately and must hear the same answer. A policy for
// which that is not true is a StatefulPolicy.
type Policy interface {
	Next(f Front, steps []Step) Step
}

// A WorkIgnorer is a Policy that decides without Front.Work, so that machines need not
// predict it.
type WorkIgnorer interface {
	Policy
	IgnoresWork()
}

// A StatefulPolicy also depends on the levels that it was asked about before. It
// serves one search at a time and no group of ranks.
type StatefulPolicy interface {
	Policy
	// Begin forgets all of the search before.
	Begin()
}

// Search runs levels until the frontier is empty and appends one entry per
// level to trace. It looks at ctx between levels.
func Search(ctx context.Context, m Machine, p Policy, root hops.Vertex, trace *hops.Trace) error {
	return SearchTo(ctx, m, p, root, math.MaxInt32, trace)
}

// SearchTo is Search for vertices that are at most depth hops from the root.
func SearchTo(ctx context.Context, m Machine, p Policy, root hops.Vertex, depth int32, trace *hops.Trace) error {
	f, err := m.Seed(root)
	if err != nil {
		return err
	}
	if s, ok := p.(StatefulPolicy); ok {
		s.Begin()
	}
	_, err = Continue(ctx, m, p, f, func(f Front) bool { return f.Depth >= depth }, trace)
	return err
}

// Continue runs levels from f on, until the frontier is empty or enough says so,
// and returns the frontier it stopped at.
//
// Consecutive small levels share one reading of the clock, which takes about as long
// as such a level, and so have the same time in the trace.
func Continue(ctx context.Context, m Machine, p Policy, f Front, enough func(Front) bool, trace *hops.Trace) (Front, error) {
	steps := m.Steps()
	now := time.Now
	if c, ok := m.(Clock); ok {
		now = c.Now
	}
	since, untimed := now(), len(trace.Levels)
	for f.Vertices > 0 && !enough(f) {
		if err := ctx.Err(); err != nil {
			return f, fmt.Errorf("level %d: %w", f.Depth, err)
		}
		step := p.Next(f, steps)
		next, done, err := m.Run(step)
		if err != nil {
			return f, fmt.Errorf("level %d: %s: %w", f.Depth, step.Name, err)
		}
		next.Last = step.Direction
		next.Depth = f.Depth + 1
		if done.Ran == nil {
			trace.Levels = append(trace.Levels, done.entry(step, f.Vertices, next.Vertices))
		} else {
			next.Depth = f.Depth + int32(len(done.Ran))
			if untimed == len(trace.Levels) {
				untimed += len(done.Ran)
			}
			trace.Levels = append(trace.Levels, done.Ran...)
		}
		if next.Vertices > 0 && !(next.Small() && f.Small()) {
			since = share(since, now(), trace.Levels[untimed:])
			untimed = len(trace.Levels)
		}
		f = next
	}
	if untimed < len(trace.Levels) {
		share(since, now(), trace.Levels[untimed:])
	}
	return f, nil
}

// entry is what a trace says of a level that went from one frontier to the next.
func (o *Outcome) entry(s Step, frontier, found int64) hops.Level {
	return hops.Level{
		Step: s.Name, Workers: s.Workers, Frontier: frontier, Examined: o.Examined, Found: found,
		Messages: o.Messages, Bytes: o.Bytes, Exchange: o.Exchange, Handover: o.Handover,
	}
}

// share divides the time between two readings of the clock among the levels that have
// no time yet, each of which keeps the time of its own handover, and returns the second
// reading.
func share(since, now time.Time, levels []hops.Level) time.Time {
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

// SmallFront is the largest number of vertices and row entries, added up, of a small
// frontier: about a microsecond's work for one core, less than a device or a team of
// workers needs to start.
const SmallFront = 64

// Small tells whether the frontier is a small one.
func (f *Front) Small() bool { return f.Vertices+f.Edges <= SmallFront }

// Expect estimates Front.Work for a machine that cannot try a sample of rows. If the
// ends of edges met at random, an entry of an unvisited vertex would lead to the
// frontier with the probability p of the frontier's share of the edges, and a row of
// average length d would be looked at for (1-(1-p)^d)/p entries.
func Expect(f Front) (work [Directions]int64) {
	open, edges, rest := float64(f.Unvisited), float64(f.Edges), float64(f.Remaining)
	work[TopDown] = f.Edges
	if open > 0 && edges > 0 {
		p := edges / (edges + rest)
		looked := (1 - math.Pow(1-p, max(1, rest/open))) / p
		work[BottomUp] = int64(min(rest, open*looked))
	}
	work[Split] = work[BottomUp]
	return work
}
