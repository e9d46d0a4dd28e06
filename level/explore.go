package level

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/gohops/hops"
)

// An Exploration is one level of a search with the time that each step of the
// machine takes for it.
type Exploration struct {
	Front  Front
	Chosen int             // index of the step that the policy took
	Times  []time.Duration // of every step: the least of several runs, without moves
}

// Regret is how much longer the chosen step takes than the best in hindsight.
func (e Exploration) Regret() time.Duration { return e.Times[e.Chosen] - slices.Min(e.Times) }

// best is the least time of a step of that device.
func (e Exploration) best(steps []Step, device string) time.Duration {
	least := time.Duration(math.MaxInt64 / hopeless)
	for i, t := range e.Times {
		if steps[i].Device == device && t > 0 {
			least = min(least, t)
		}
	}
	return least
}

// hopeless is how many times as long as the best a step takes that need not be
// known well.
const hopeless = 4

// longLevel is one that is longer than what else the machine does.
const longLevel = 10 * time.Millisecond

// Explore runs a search and then every level of it again with every step, runs
// times each, or twice if that was hopeless, or once if it was long as well. Of these
// the least counts: whatever else the machine does makes a level longer, never
// shorter.
//
// Before each search it calls reset, which must empty the tree. Searches of more
// than maxDepth levels are explored up to there.
func Explore(ctx context.Context, m Machine, p Policy, root hops.Vertex, runs, maxDepth int, reset func()) ([]Exploration, error) {
	steps := m.Steps()
	plan, fronts, err := record(ctx, m, p, root, maxDepth, reset)
	if err != nil {
		return nil, err
	}
	levels := make([]Exploration, len(plan))
	for depth := range plan {
		levels[depth] = Exploration{Front: fronts[depth], Chosen: plan[depth]}
		best := time.Duration(math.MaxInt64)
		for s := range steps {
			least := time.Duration(math.MaxInt64)
			for run := range runs {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				took, err := timeLevel(m, root, plan[:depth], s, reset)
				if err != nil {
					return nil, err
				}
				least = min(least, took)
				if least/hopeless > best && (run > 0 || least > longLevel) {
					break // that is enough to know
				}
			}
			levels[depth].Times, best = append(levels[depth].Times, least), min(best, least)
		}
	}
	return levels, nil
}

// record runs a search and notes what the policy saw and took.
func record(ctx context.Context, m Machine, p Policy, root hops.Vertex, maxDepth int, reset func()) (plan []int, fronts []Front, err error) {
	reset()
	f, err := m.Seed(root)
	for err == nil && f.Vertices > 0 && len(plan) < maxDepth {
		if err = ctx.Err(); err != nil {
			break
		}
		step := p.Next(f, m.Steps())
		plan = append(plan, slices.Index(m.Steps(), step))
		fronts = append(fronts, f)
		depth := f.Depth
		f, err = m.Run(step)
		f.Depth, f.Last = depth+1, step.Direction
	}
	return plan, fronts, err
}

// timeLevel repeats a search up to some level and runs that with step s. A move
// that the step needs does not count.
func timeLevel(m Machine, root hops.Vertex, before []int, s int, reset func()) (time.Duration, error) {
	reset()
	if _, err := m.Seed(root); err != nil {
		return 0, err
	}
	steps := m.Steps()
	for _, i := range before {
		if _, err := m.Run(steps[i]); err != nil {
			return 0, err
		}
	}
	start := time.Now()
	f, err := m.Run(steps[s])
	return time.Since(start) - f.Handover, err
}
