package rank

import (
	"runtime"
	"syscall"
)

// ShortSleep yields to other goroutines and then sleeps for about 50 µs.
//
// It calls the kernel and not time.Sleep: in a process where no other goroutine
// runs, Go's timers wait in the network poller, which counts in milliseconds, so a
// time.Sleep of 50 µs takes a whole millisecond. The kernel call blocks the only
// processor of a rank with GOMAXPROCS=1, therefore other goroutines run first.
func ShortSleep() {
	runtime.Gosched()
	_ = syscall.Nanosleep(&syscall.Timespec{Nsec: 50_000}, nil)
}
