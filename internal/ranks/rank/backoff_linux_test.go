package rank

import (
	"runtime"
	"syscall"
	"testing"
)

// A rank that shares cores with other processes leaves its core after a few polls: to
// yield to other goroutines of its own does not help the process that it waits for.
func TestProcessesLeaveSharedCores(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const sleeps = 5
	left := func() int64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(1, &u); err != nil { // RUSAGE_THREAD
			t.Fatal(err)
		}
		return u.Nvcsw
	}
	before := left()
	b := Backoff{Processes: true}
	for range sleeps * pollsPerSleep {
		b.Wait()
	}
	if n := left() - before; n < sleeps {
		t.Errorf("left its core %d times in %d polls, want at least %d", n, sleeps*pollsPerSleep, sleeps)
	}
}
