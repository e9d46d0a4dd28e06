package par

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// BenchmarkRun is an empty phase of workers that are awake.
func BenchmarkRun(b *testing.B) {
	team := NewTeam(0, nil)
	defer team.Close()
	for b.Loop() {
		team.Run(func(int) {})
	}
}

// BenchmarkWake is a phase in which the workers, who all sleep as before a search, wait for
// each other, and another one that follows at once: medians in µs. An empty phase would be
// over sooner where one processor runs several workers in turn, which helps no search.
func BenchmarkWake(b *testing.B) {
	team := NewTeam(0, nil)
	defer team.Close()
	var (
		phases [2][]float64
		awake  atomic.Int32
	)
	meet := func(int) {
		for awake.Add(1); int(awake.Load()) < team.Size(); {
		}
	}
	for b.Loop() {
		time.Sleep(2 * spinTime * time.Duration(team.Size()))
		for i := range phases {
			awake.Store(0)
			start := time.Now()
			team.Run(meet)
			phases[i] = append(phases[i], float64(time.Since(start).Nanoseconds())/1000)
		}
	}
	for i, name := range []string{"first-µs", "second-µs"} {
		slices.Sort(phases[i])
		b.ReportMetric(phases[i][len(phases[i])/2], name)
	}
	b.ReportMetric(0, "ns/op") // mostly the time until all sleep
}
