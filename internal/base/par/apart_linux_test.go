package par

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// cpusOf are the CPUs on which a thread may run; 0 is the caller's.
func cpusOf(t *testing.T, thread int) (s unix.CPUSet) {
	t.Helper()
	if err := unix.SchedGetaffinity(thread, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// sleepingPair is a team of two, of which the worker sleeps, and the thread of the worker. The caller has
// its thread to itself.
func sleepingPair(t *testing.T) (*Team, int) {
	t.Helper()
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("two workers need two CPUs to sleep in the kernel")
	}
	team := NewTeam(2, nil)
	t.Cleanup(team.Close)
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	team.Run(func(int) {})
	waitAsleep(t, &team.epoch, 1)
	return team, int(team.shares[1].thread.Load())
}

// A thread that sleeps is kept off the CPU of the caller, and may run there again afterwards.
func TestThreadsAreKeptApart(t *testing.T) {
	team, thread := sleepingPair(t)
	all := cpusOf(t, thread)
	if all.Count() < 2 {
		t.Skip("there is one CPU")
	}
	var mine unix.CPUSet // the caller stays where it is
	here := thisCPU()
	mine.Set(here)
	before := cpusOf(t, 0)
	if err := unix.SchedSetaffinity(0, &mine); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.SchedSetaffinity(0, &before) }()
	var apart threadsApart
	apart.keep(team.shares[1:])
	kept := cpusOf(t, thread)
	if kept.IsSet(here) || kept.Count() != all.Count()-1 {
		t.Errorf("the thread may run on %d CPUs of %d, on that of the caller: %v", kept.Count(), all.Count(), kept.IsSet(here))
	}
	if apart.release(team.shares[1:]); cpusOf(t, thread) != all {
		t.Error("the thread may not run where it could before")
	}
}

// A thread that may run nowhere but on the CPU of the caller stays there.
func TestBoundThreadsAreLeftAlone(t *testing.T) {
	team, thread := sleepingPair(t)
	all := cpusOf(t, thread)
	var mine unix.CPUSet
	mine.Set(thisCPU())
	for _, bind := range []int{0, thread} {
		if err := unix.SchedSetaffinity(bind, &mine); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = unix.SchedSetaffinity(bind, &all) }()
	}
	var apart threadsApart
	if apart.keep(team.shares[1:]); cpusOf(t, thread) != mine || team.shares[1].keptOff.Load() {
		t.Error("a thread with one CPU was kept off it")
	}
	apart.release(team.shares[1:])
}

// Workers that were woken may run on all of their CPUs when they begin.
func TestWokenWorkersMayRunAnywhere(t *testing.T) {
	team, thread := sleepingPair(t)
	all, lacking := cpusOf(t, thread), atomic.Int32{}
	for range 300 {
		team.Run(func(w int) {
			var now unix.CPUSet
			if w == 1 && (unix.SchedGetaffinity(0, &now) != nil || now != all) {
				lacking.Add(1)
			}
		})
		if team.epoch.asleep.Load() == 0 {
			time.Sleep(time.Millisecond) // until it sleeps again
		}
	}
	if n := lacking.Load(); n > 0 {
		t.Errorf("%d times of 300 the worker could not run on all CPUs", n)
	}
}
