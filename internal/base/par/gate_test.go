package par

import (
	"runtime"
	"sync"
	"testing"
	"time"
)

// Whoever sleeps wakes up when the value has changed, and not before, in the kernel and
// in Go's scheduler.
func TestGateWakesAll(t *testing.T) {
	for _, inKernel := range []bool{hasFutex, false} {
		const sleepers, rounds = 7, 200
		var (
			g    gate
			done sync.WaitGroup
		)
		g.open(inKernel)
		early := make([]int, sleepers)
		for s := range sleepers {
			done.Go(func() {
				for old := range uint32(rounds) {
					if g.sleep(old); g.value.Load() == old {
						early[s]++
					}
				}
			})
		}
		for round := range rounds {
			if round%20 == 0 {
				waitAsleep(t, &g, sleepers)
				g.rouse() // the value is the same
				waitAsleep(t, &g, sleepers)
			}
			g.value.Add(1)
			g.rouse()
		}
		done.Wait()
		for s, n := range early {
			if n > 0 {
				t.Errorf("in the kernel %v: sleeper %d woke up too early %d times", inKernel, s, n)
			}
		}
		if n := g.asleep.Load(); n != 0 {
			t.Errorf("in the kernel %v: %d are counted as sleepers at the end", inKernel, n)
		}
	}
}

// waitAsleep returns when so many have counted themselves, and have had the time to sleep.
func waitAsleep(t *testing.T, g *gate, count int32) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); g.asleep.Load() != count; time.Sleep(100 * time.Microsecond) {
		if time.Now().After(end) {
			t.Fatalf("%d of %d sleep", g.asleep.Load(), count)
		}
	}
	time.Sleep(time.Millisecond)
}

// A small team that fits its processors sleeps in the kernel, where there is a futex; a larger
// one does not hold that many threads.
func TestWhereTeamsSleep(t *testing.T) {
	for _, c := range []struct {
		size     int
		inKernel bool
	}{
		{min(runtime.GOMAXPROCS(0), maxInKernel), hasFutex},
		{runtime.GOMAXPROCS(0) + 1, false},
		{maxInKernel + 1, false},
	} {
		team := NewTeam(c.size, nil)
		if got := team.epoch.inKernel; got != c.inKernel {
			t.Errorf("a team of %d on %d processors: in the kernel %v", c.size, runtime.GOMAXPROCS(0), got)
		}
		calls := make([]int, c.size)
		for range 3 {
			waitAsleep(t, &team.epoch, int32(c.size-1))
			team.Run(func(w int) { calls[w]++ })
		}
		team.Close()
		for w, n := range calls {
			if n != 3 {
				t.Errorf("a team of %d: worker %d ran %d times, want 3", c.size, w, n)
			}
		}
	}
}
