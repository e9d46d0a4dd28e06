package par

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

func TestRunCallsEveryWorkerOncePerPhase(t *testing.T) {
	for _, size := range []int{1, 2, 3, 8, -2} {
		team := NewTeam(max(size, 1), nil)
		if size < 0 { // bound
			size = min(-size, runtime.GOMAXPROCS(0))
			team = NewBound(size, func(int) { runtime.LockOSThread() })
			if hasFutex && !team.epoch.inKernel {
				t.Error("workers with a thread each do not sleep in the kernel")
			}
		}
		calls := make([]int, size) // each worker writes its own entry
		for phase := range 500 {
			if phase%100 == 50 {
				time.Sleep(2 * time.Millisecond) // long enough to fall asleep
			}
			team.Run(func(w int) { calls[w]++ })
		}
		team.Close()
		for w, n := range calls {
			if n != 500 {
				t.Errorf("size %d: worker %d ran %d phases, want 500", size, w, n)
			}
		}
	}
}

// A worker that is slow to count itself off, and slower to rouse the caller, must
// not end the wait of the next phase.
func TestPhasesDoNotOverlap(t *testing.T) {
	team := NewTeam(3, nil)
	defer team.Close()
	var running atomic.Int32
	for phase := range 2000 {
		team.Run(func(w int) {
			running.Add(1)
			if w == phase%3 {
				for end := time.Now().Add(time.Duration(phase%4) * 40 * time.Microsecond); time.Now().Before(end); {
					runtime.Gosched()
				}
			}
			running.Add(-1)
		})
		if n := running.Load(); n != 0 {
			t.Fatalf("phase %d: Run returned while %d workers were running", phase, n)
		}
	}
}

func TestForCoversTheRangeOnce(t *testing.T) {
	team := NewTeam(4, nil)
	defer team.Close()
	for _, n := range []int64{0, 1, 63, 64, 1000} {
		hits := make([]atomic.Int32, n)
		team.For(n, 7, func(_ int, lo, hi int64) {
			for i := lo; i < hi; i++ {
				hits[i].Add(1)
			}
		})
		for i := range hits {
			if hits[i].Load() != 1 {
				t.Fatalf("n=%d: index %d visited %d times", n, i, hits[i].Load())
			}
		}
	}
}

// A single chunk is the caller's: no worker is told of it.
func TestForWakesNobodyForOneChunk(t *testing.T) {
	team := NewTeam(3, nil)
	defer team.Close()
	before := team.epoch.value.Load()
	team.For(7, 7, func(int, int64, int64) {})
	if team.epoch.value.Load() != before {
		t.Error("the workers were released")
	}
}

func TestSplitIsAPartition(t *testing.T) {
	for _, n := range []int64{0, 1, 63, 64, 65, 1000} {
		for parts := 1; parts < 9; parts++ {
			var end int64
			for p := range parts {
				lo, hi := Split(n, 64, p, parts)
				if lo != end || hi < lo || (lo%64 != 0 && lo != n) {
					t.Fatalf("Split(%d, 64, %d, %d) = %d, %d after %d", n, p, parts, lo, hi, end)
				}
				end = hi
			}
			if end != n {
				t.Fatalf("%d parts of %d end at %d", parts, n, end)
			}
		}
	}
}

func TestSetupRunsOnOtherWorkers(t *testing.T) {
	var mask atomic.Uint32
	team := NewTeam(4, func(w int) { mask.Or(1 << w) })
	team.Run(func(int) {})
	team.Close()
	if mask.Load() != 0b1110 {
		t.Fatalf("setup ran on workers %b, want 1110", mask.Load())
	}
}

// Whichever chunk fails first, Try returns the error of the lowest that fails, and it
// ends soon however many chunks there are.
func TestTry(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		team := NewTeam(workers, nil)
		for _, bad := range []int64{0, 3, 100} {
			err := team.Try(math.MaxInt64/2, 8, func(_ int, lo, hi int64) error {
				if lo/8 >= bad {
					return fmt.Errorf("chunk %d to %d", lo, hi)
				}
				return nil
			})
			if want := fmt.Sprintf("chunk %d to %d", 8*bad, 8*bad+8); err == nil || err.Error() != want {
				t.Errorf("%d workers: %v, want %s", workers, err, want)
			}
		}
		var sum atomic.Int64
		if err := team.Try(1001, 10, func(_ int, lo, hi int64) error { sum.Add(hi - lo); return nil }); err != nil || sum.Load() != 1001 {
			t.Errorf("%d workers: %d of 1001, %v", workers, sum.Load(), err)
		}
		team.Close()
	}
}

// idleTeam is a team of which no worker but the caller has a core.
func idleTeam(size int) *Team {
	team := NewTeam(1, nil)
	team.size, team.shares = size, make([]share, size)
	for w := range team.shares {
		team.shares[w].born.Store(true)
	}
	return team
}

// A worker that has no core when a phase begins holds nobody up: another one does its share.
func TestLateWorkersAreStoodInFor(t *testing.T) {
	team := idleTeam(3)
	calls := make([]int, 3)
	for n := range 4 {
		team.RunFirst(n, func(w int) { calls[w]++ })
	}
	if want := []int{4, 2, 1}; !slices.Equal(calls, want) {
		t.Errorf("the shares of the workers were done %v times in phases of 1, 1, 2 and 3, want %v", calls, want)
	}
}

// Nobody stands in for a worker before it is set up.
func TestSetupComesFirst(t *testing.T) {
	team := idleTeam(2)
	defer team.Close()
	team.shares[1].born.Store(false)
	isSetUp := false
	time.AfterFunc(5*time.Millisecond, func() { team.work(1, func(int) { isSetUp = true }) })
	team.Run(func(w int) {
		if w == 1 && !isSetUp {
			t.Error("somebody stood in for a worker that was not set up")
		}
	})
}

// What the caller writes for the workers is on one cache line, and what they count on another.
func TestLinesOfATeam(t *testing.T) {
	team := NewTeam(2, nil)
	defer team.Close()
	line := func(p unsafe.Pointer) uintptr { return uintptr(p) / cacheLine }
	epoch, done := line(unsafe.Pointer(&team.epoch.value)), line(unsafe.Pointer(&team.done.value))
	if body := line(unsafe.Pointer(&team.body)); body != epoch || line(unsafe.Pointer(&team.phase)) != epoch {
		t.Errorf("function and epoch are on lines %d and %d", body, epoch)
	}
	if done == epoch || line(unsafe.Pointer(&team.shares)) == epoch || line(unsafe.Pointer(&team.next)) == done {
		t.Errorf("what workers read or count is on the line %d of the epoch, or beside their count", epoch)
	}
}

// The count of shares and the epochs begin again after 2³².
func TestPhasesPastTheLastEpoch(t *testing.T) {
	const size, before = 3, 5
	team := NewTeam(size, nil)
	defer team.Close()
	team.Run(func(int) {})
	last := uint32(math.MaxUint32 - before)
	team.due = last
	team.done.value.Store(last)
	for w := range team.shares {
		team.shares[w].begun.Store(last)
	}
	team.phase.Store(uint64(last)<<32 | 1)
	team.epoch.value.Store(last)
	for range 4 * before {
		var ran [size]atomic.Int32
		team.Run(func(w int) { ran[w].Add(1) })
		for w := range ran {
			if n := ran[w].Load(); n != 1 {
				t.Fatalf("worker %d ran %d times in epoch %d", w, n, team.epoch.value.Load())
			}
		}
	}
}

// A phase of the first workers runs on each of them once, and on no other.
func TestRunFirst(t *testing.T) {
	const size, phases = 5, 20_000
	team := NewTeam(size, nil)
	defer team.Close()
	r := rand.New(rand.NewPCG(1, 2))
	for i := range phases {
		n := r.IntN(size + 2)
		var ran [size]atomic.Int32
		team.RunFirst(n, func(w int) { ran[w].Add(1) })
		for w := range ran {
			want := int32(0)
			if w < max(n, 1) {
				want = 1
			}
			if got := ran[w].Load(); got != want {
				t.Fatalf("phase %d of %d workers: worker %d ran %d times", i, n, w, got)
			}
		}
	}
}

// To close a team is no phase: who waits does nothing for those who are late to leave.
func TestCloseRunsNothing(t *testing.T) {
	const size, teams = 4, 300
	var calls atomic.Int32
	for i := range teams {
		team := NewTeam(size, nil)
		team.Run(func(int) { calls.Add(1) })
		time.Sleep(time.Duration(i%4) * standInAfter / 2)
		team.Close()
	}
	time.Sleep(10 * time.Millisecond)
	if n := calls.Load(); n != size*teams {
		t.Errorf("%d calls of %d teams of %d workers", n, teams, size)
	}
}

// Workers that sleep, and those of a team that is closed, do not count as awake.
func TestAwake(t *testing.T) {
	before := awake.Load()
	team := NewTeam(3, nil)
	team.Run(func(int) {})
	until(t, "the workers sleep", func() bool { return awake.Load() == before })
	var counted atomic.Int64
	team.Run(func(w int) {
		if w == 0 {
			until(t, "the workers are awake", func() bool { return awake.Load() == before+2 })
			counted.Add(1)
		}
		for counted.Load() == 0 {
			runtime.Gosched()
		}
	})
	team.Close()
	until(t, "the workers are gone", func() bool { return awake.Load() == before })
}

// until returns when a condition holds, which must come about.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not in 10 s: %s", what)
		}
	}
}

// Workers that have a processor each yield now and then, or often if they are interlocked; those
// that have one more, and those that are bound, never; those that have fewer often.
func TestYields(t *testing.T) {
	const running = 5
	for _, c := range []struct {
		procs    int64
		kind     kind
		at, soon bool // after yieldTime, and before
	}{
		{running - 1, independent, true, true},
		{running, independent, true, false},
		{running + 1, independent, false, false},
		{running - 1, interlocked, true, true},
		{running, interlocked, true, true},
		{running + 1, interlocked, false, false},
		{running - 1, bound, false, false},
		{running, bound, false, false},
	} {
		team := Team{procs: c.procs, kind: c.kind}
		if at, soon := team.yields(running, yieldTime), team.yields(running, yieldTime-1); at != c.at || soon != c.soon {
			t.Errorf("kind %d, %d running on %d processors: yields %v after the time, %v before", c.kind, running, c.procs, at, soon)
		}
	}
}

// Who is wanted elsewhere stops waiting, and nobody else does.
func TestWantedWorkersStopWaiting(t *testing.T) {
	team := NewTeam(1, nil)
	var g gate
	if team.spin(&g, 0, 1, time.Hour, func() bool { return true }) {
		t.Error("a worker has seen a phase that has not begun")
	}
	for _, isWanted := range []func() bool{nil, func() bool { return false }} {
		old := g.value.Load()
		time.AfterFunc(time.Millisecond, func() { g.value.Add(1) })
		if !team.spin(&g, old, 1, time.Hour, isWanted) {
			t.Error("a worker stopped waiting that nobody wanted")
		}
	}
}

// A worker that looks for a next phase sleeps when another team calls, and the caller, who waits
// for the end of a phase, does not. Both would wait for an hour otherwise.
func TestIdleWorkersLeaveTheirCores(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("who waits has the only processor")
	}
	team := &Team{size: 2, procs: 2, timeout: time.Hour, shares: make([]share, 2)}
	team.epoch.open(hasFutex)
	team.done.open(hasFutex)
	awake.Add(1)
	go team.work(1, nil)
	defer team.Close()
	// call has another team call until a worker sleeps at a gate, or for some time. A worker that
	// begins to wait after a call has not heard it.
	call := func(g *gate, atMost time.Duration) (sleeps bool) {
		for end := time.Now().Add(atMost); !sleeps && time.Now().Before(end); sleeps = g.asleep.Load() > 0 {
			calls.Add(1)
			time.Sleep(time.Millisecond)
		}
		return sleeps
	}
	team.Run(func(int) {})
	time.Sleep(10 * time.Millisecond)
	if team.epoch.asleep.Load() > 0 {
		t.Error("a worker sleeps that nobody called")
	}
	begun := make(chan struct{})
	team.Run(func(w int) {
		if w == 0 {
			<-begun // the caller does not do the other share
			return
		}
		close(begun)
		if call(&team.done, 50*time.Millisecond) {
			t.Error("who waits for the end of a phase sleeps because another team calls")
		}
	})
	if !call(&team.epoch, time.Minute) {
		t.Error("a worker does not leave its core to another team that calls")
	}
}

// A team calls where somebody sleeps, and only there.
func TestSleepersAreCalled(t *testing.T) {
	team := NewTeam(2, nil)
	defer team.Close()
	waitAsleep(t, &team.epoch, 1)
	before := calls.Load()
	team.Run(func(int) {})
	if calls.Load() != before+1 {
		t.Errorf("a team of which all sleep called %d times", calls.Load()-before)
	}
	quiet := 0
	for range 1000 { // on a busy machine some worker may sleep again
		before = calls.Load()
		if team.Run(func(int) {}); calls.Load() == before {
			quiet++
		}
	}
	if quiet == 0 {
		t.Error("a team calls workers that are awake")
	}
}

// All workers are awake after they have gathered, and one that cannot come is not waited for.
func TestGather(t *testing.T) {
	size := runtime.GOMAXPROCS(0)
	if size < 2 {
		t.Skip("workers come one after the other on one processor")
	}
	team := NewTeam(size, nil)
	defer team.Close()
	awakened := 0
	for range 100 { // a busy machine may be late
		waitAsleep(t, &team.epoch, int32(size-1))
		if team.Gather(); team.epoch.asleep.Load() == 0 {
			awakened++
		}
	}
	if awakened == 0 {
		t.Error("workers sleep after they have gathered")
	}
	large := NewTeam(size+1, nil)
	defer large.Close()
	large.Gather()
}
