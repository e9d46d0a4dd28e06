package adaptive

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/level"
)

// A Table is a search with the time of every step on every level, as Table 5 of
// the paper, beside the choices of the policy.
type Table struct {
	Root  hops.Vertex
	Steps []level.Step
	Rows  []Row
	// Whole is the time of the search by the policy, tree included.
	Whole time.Duration
	// Alone has the times of the search on each device alone, the host under "".
	Alone map[string]time.Duration
	// Chosen is the sum over the steps that the policy chose, and Best the least sum
	// over any steps, both with handovers. For a search with more levels than the table
	// they are Whole, and the least of Whole and Alone.
	Chosen, Best time.Duration

	explored []level.Exploration
	levels   int // of the search
}

// A Row is one level.
type Row struct {
	Frontier, Edges int64
	Times           []time.Duration // of every step; 0 where it was not measured
	Chosen          int
	ToDevice        time.Duration // a handover before this level, and the return of the tree
	ToHost          time.Duration
}

// Best is the step that takes the least.
func (r Row) Best() (best int) {
	for i, t := range r.Times {
		if t > 0 && (r.Times[best] <= 0 || t < r.Times[best]) {
			best = i
		}
	}
	return best
}

// Regret is how much longer the chosen steps take than the best in hindsight, as a share
// of the latter. Handovers count in both.
func (t Table) Regret() float64 { return float64(t.Chosen)/float64(max(t.Best, 1)) - 1 }

// LevelRegret is the regret level by level, as if handovers cost nothing, against the best
// among some of the steps. It is negative if the chosen steps are not among those and
// better.
func (t Table) LevelRegret(among func(level.Step) bool) float64 {
	var chosen, best time.Duration
	for _, r := range t.Rows {
		least := time.Duration(math.MaxInt64)
		for i, s := range t.Steps {
			if r.Times[i] > 0 && among(s) {
				least = min(least, r.Times[i])
			}
		}
		chosen, best = chosen+r.Times[r.Chosen], best+least
	}
	return float64(chosen)/float64(max(best, 1)) - 1
}

// All is every step.
func All(level.Step) bool { return true }

// Five are the steps of the paper.
func Five(s level.Step) bool {
	return slices.Contains([]string{"TC", "TG", "BC", "BG", "BGC"}, PaperName(s.Name))
}

// Tabulate searches from root by the policy, and then times every step on every
// level, runs times each.
func (s *Searcher) Tabulate(ctx context.Context, root hops.Vertex, runs int) (Table, error) {
	t := Table{Root: root, Steps: s.Steps()}
	if g, ok := named(s.machine.steps, deviceLevels); ok {
		t.Steps = append(t.Steps, g)
	}
	explored, err := s.explore(ctx, root, runs)
	if err != nil {
		return t, err
	}
	t.explored = explored
	for _, e := range explored {
		times := make([]time.Duration, len(t.Steps))
		copy(times, e.Times) // the step that runs several levels is the last
		t.Rows = append(t.Rows, Row{Frontier: e.Front.Vertices, Edges: e.Front.Edges, Times: times})
	}
	if err := t.addMoves(ctx, s, runs); err != nil {
		return t, err
	}
	if err := t.addChoice(ctx, s, runs); err != nil {
		return t, err
	}
	t.judge()
	return t, nil
}

// addMoves fills in the levels that the device ran alone, and the handovers.
func (t *Table) addMoves(ctx context.Context, s *Searcher, runs int) error {
	r, err := s.Rehearse(ctx, t.Root, runs)
	if err != nil {
		return err
	}
	if len(t.Steps) > len(s.Steps()) {
		r.Levels = slices.DeleteFunc(r.Levels, func(s learn.Sample) bool { return s.Step.Device == "" })
		column, levels := len(t.Steps)-1, len(r.Levels)/runs
		for d := range min(levels, len(t.Rows)) {
			var times []time.Duration
			for i := range runs {
				times = append(times, r.Levels[i*levels+d].Time)
			}
			t.Rows[d].Times[column] = slices.Min(times)
		}
	}
	t.Alone = map[string]time.Duration{}
	for device, times := range r.Whole {
		t.Alone[device] = median(times)
	}
	at := -1
	for _, m := range r.Moves {
		if m.To != "" {
			at++
			t.Rows[at].ToDevice = m.Time
			if at == 0 && r.Tree > 0 {
				t.begin(m.Time, r.Tree)
			}
		} else if at+1 < len(t.Rows) {
			t.Rows[at+1].ToHost = m.Time
		}
	}
	return nil
}

// begin accounts for a search that begins on the device. The step that runs several
// levels moves nothing but the tree in the end. The other steps have the state cleared
// first, which is part of the first level, as it is on the host.
func (t *Table) begin(move, tree time.Duration) {
	first := &t.Rows[0]
	first.ToDevice = tree
	for i, s := range t.Steps {
		if s.Device != "" && s.Name != deviceLevels {
			first.Times[i] += max(0, move-tree)
		}
	}
}

// addChoice searches by the policy, runs times, and takes the median.
func (t *Table) addChoice(ctx context.Context, s *Searcher, runs int) error {
	var times []time.Duration
	for range runs {
		s.own.Reset()
		start := time.Now()
		trace, err := s.Search(ctx, t.Root, s.own)
		if err != nil {
			return err
		}
		times, t.levels = append(times, time.Since(start)), len(trace.Levels)
		for d, l := range trace.Levels[:min(len(trace.Levels), len(t.Rows))] {
			name := l.Step
			if l.Within == deviceLevels {
				name = deviceLevels
			}
			t.Rows[d].Chosen = slices.IndexFunc(t.Steps, func(s level.Step) bool { return s.Name == name })
		}
	}
	t.Whole = median(times)
	return nil
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

// judge adds up the chosen steps and the best ones.
func (t *Table) judge() {
	if t.levels > len(t.Rows) {
		t.Chosen, t.Best = t.Whole, t.Whole
		for _, alone := range t.Alone {
			t.Best = min(t.Best, alone)
		}
		return
	}
	var times [][]time.Duration
	here := ""
	for d, r := range t.Rows {
		times = append(times, r.Times)
		device := t.Steps[r.Chosen].Device
		if device != here {
			t.Chosen += t.move(d, here, device)
		}
		here, t.Chosen = device, t.Chosen+r.Times[r.Chosen]
	}
	t.Best = learn.Hindsight(times, t.Steps, t.move)
}

// Judge compares a search by the policy with one by the rule of thumb on the host and
// with the best steps in hindsight.
func (s *Searcher) Judge(ctx context.Context, root hops.Vertex, runs int) (learn.Judgement, error) {
	t, err := s.Tabulate(ctx, root, runs)
	j := learn.Judgement{Levels: t.explored, Chosen: t.Chosen, Best: t.Best}
	if t.levels > len(t.Rows) {
		j.Ruled = t.Alone[""]
		return j, err
	}
	for _, l := range t.explored {
		j.Ruled += l.Times[l.Chosen]
	}
	return j, err
}

func (t *Table) move(d int, _, to string) time.Duration {
	if to == "" {
		return t.Rows[d].ToHost
	}
	return t.Rows[d].ToDevice
}
