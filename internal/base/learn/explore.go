package learn

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/level"
)

// bestOf is the least time of a step of that device.
func bestOf(e level.Exploration, steps []level.Step, device string) time.Duration {
	least := time.Duration(math.MaxInt64 / hopelessFactor)
	for i, t := range e.Times {
		if steps[i].Device == device && t > 0 {
			least = min(least, t)
		}
	}
	return least
}

const (
	// MaxLevels is the number of levels up to which a search is explored. The levels
	// of a longer search are all alike, as those of a path or a grid.
	MaxLevels = 32

	// hopelessFactor is the ratio to the best step's time above which the time of a
	// step need not be known exactly: no policy should take it.
	hopelessFactor = 4

	// longLevel is a time above which one run of a level is exact enough: it is much
	// longer than the interruptions by other programs.
	longLevel = 10 * time.Millisecond
)

// Explore runs a search by a policy, and then runs every level of it again with every
// step, runs times each. The least time counts, because interruptions by other
// programs make a level longer, never shorter. A step that takes more than
// hopelessFactor times as long as the best one stops after two runs, or after one if
// that took longer than longLevel.
//
// Before each search Explore calls reset, which must empty the tree. Of a search with
// more than MaxLevels levels the first MaxLevels are explored.
func Explore(ctx context.Context, m level.Machine, p level.Policy, root hops.Vertex, runs int, reset func()) ([]level.Exploration, error) {
	r, err := Record(ctx, m, p, root, reset)
	if err != nil {
		return nil, err
	}
	levels := make([]level.Exploration, len(r.Steps))
	for depth := range levels {
		levels[depth] = level.Exploration{Front: r.Fronts[depth], Chosen: slices.Index(m.Steps(), r.Steps[depth])}
		best := time.Duration(math.MaxInt64)
		for _, s := range m.Steps() {
			least := time.Duration(math.MaxInt64)
			for run := range runs {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				took, err := timeLevel(m, root, r.Steps[:depth], s, reset)
				if err != nil {
					return nil, err
				}
				least = min(least, took)
				if least/hopelessFactor > best && (run > 0 || least > longLevel) {
					break
				}
			}
			levels[depth].Times, best = append(levels[depth].Times, least), min(best, least)
		}
	}
	return levels, nil
}

// A Recording is the first levels of a search: what the policy saw and took.
type Recording struct {
	Fronts []level.Front
	Steps  []level.Step
}

// Record runs a search, of at most MaxLevels levels, and records it.
func Record(ctx context.Context, m level.Machine, p level.Policy, root hops.Vertex, reset func()) (r Recording, err error) {
	reset()
	f, err := m.Seed(root)
	for err == nil && f.Vertices > 0 && len(r.Steps) < MaxLevels {
		if err = ctx.Err(); err != nil {
			break
		}
		step := p.Next(f, m.Steps())
		r.Steps, r.Fronts = append(r.Steps, step), append(r.Fronts, f)
		depth := f.Depth
		f, _, err = m.Run(step)
		f.Depth, f.Last = depth+1, step.Direction
	}
	return r, err
}

// timeLevel repeats a search up to a level and times step s on that level. A
// handover that the step needs does not count.
func timeLevel(m level.Machine, root hops.Vertex, before []level.Step, s level.Step, reset func()) (time.Duration, error) {
	reset()
	if _, err := m.Seed(root); err != nil {
		return 0, err
	}
	for _, earlier := range before {
		if _, _, err := m.Run(earlier); err != nil {
			return 0, err
		}
	}
	start := time.Now()
	_, done, err := m.Run(s)
	return time.Since(start) - done.Handover, err
}
