package report

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/stats"
)

// A profile is how searches went at each level: medians over those that got
// there.
type profile struct {
	levels []levelProfile
	rest   float64 // seconds of a search outside its levels
}

type levelProfile struct {
	searches int            // that had such a level
	steps    map[string]int // how many took which step

	frontier, examined, found, messages, bytes float64
	seconds                                    float64
	phases                                     []float64 // seconds, in the order of the table
}

// phases are the parts of a level's time that a trace may tell of: between
// devices, and between ranks. The rest is computing.
var phases = []struct {
	name string
	of   func(hops.Level) time.Duration
}{
	{"sending", func(l hops.Level) time.Duration { return exchange(l).Sending }},
	{"waiting", func(l hops.Level) time.Duration { return exchange(l).Waiting }},
	{"handover", func(l hops.Level) time.Duration { return l.Handover }},
}

// exchange is what ranks told each other, which is nothing where there is one.
func exchange(l hops.Level) hops.Exchange {
	if l.Exchange == nil {
		return hops.Exchange{}
	}
	return *l.Exchange
}

func profileOf(searches []graph500.Search) profile {
	var byLevel [][]hops.Level
	var rest []float64
	for _, s := range searches {
		left := s.Time
		for i, l := range s.Levels {
			if i == len(byLevel) {
				byLevel = append(byLevel, nil)
			}
			byLevel[i] = append(byLevel[i], l)
			left -= l.Time
		}
		rest = append(rest, max(0, left.Seconds()))
	}
	p := profile{rest: median(rest)}
	for _, levels := range byLevel {
		p.levels = append(p.levels, profileLevel(levels))
	}
	return p
}

func profileLevel(levels []hops.Level) levelProfile {
	middle := func(of func(hops.Level) float64) float64 {
		var all []float64
		for _, l := range levels {
			all = append(all, of(l))
		}
		return median(all)
	}
	p := levelProfile{
		searches: len(levels), steps: map[string]int{},
		frontier: middle(func(l hops.Level) float64 { return float64(l.Frontier) }),
		examined: middle(func(l hops.Level) float64 { return float64(l.Examined) }),
		found:    middle(func(l hops.Level) float64 { return float64(l.Found) }),
		messages: middle(func(l hops.Level) float64 { return float64(l.Messages) }),
		bytes:    middle(func(l hops.Level) float64 { return float64(l.Bytes) }),
		seconds:  middle(func(l hops.Level) float64 { return l.Time.Seconds() }),
	}
	for _, phase := range phases {
		p.phases = append(p.phases, middle(func(l hops.Level) float64 { return phase.of(l).Seconds() }))
	}
	for _, l := range levels {
		p.steps[l.Step]++
	}
	return p
}

func median(sample []float64) float64 { return stats.Summarize(sample).Median }

// step is the one that most searches took.
func (l levelProfile) step() string { return l.byFrequency()[0] }

func (l levelProfile) byFrequency() []string {
	names := slices.Sorted(maps.Keys(l.steps))
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(l.steps[b], l.steps[a]) })
	return names
}

// steps are all steps that are the usual one of some level, in order of
// appearance.
func (p profile) steps() []string {
	var names []string
	for _, l := range p.levels {
		if !slices.Contains(names, l.step()) {
			names = append(names, l.step())
		}
	}
	return names
}

// hasPhases tells whether the trace divides the time of levels.
func (p profile) hasPhases() bool {
	return slices.ContainsFunc(p.levels, func(l levelProfile) bool {
		return slices.ContainsFunc(l.phases, func(s float64) bool { return s > 0 })
	})
}

func (p profile) sends() bool {
	return slices.ContainsFunc(p.levels, func(l levelProfile) bool { return l.messages > 0 || l.bytes > 0 })
}
