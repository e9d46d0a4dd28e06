package rank

import (
	"runtime"
	"syscall"
)

// Nap lets other goroutines run and sleeps for some 50 µs. A timer of the runtime would
// take a whole millisecond where nothing else runs: it waits for the network meanwhile,
// in milliseconds. But while the kernel sleeps for us, so may all threads of a rank
// that has one processor: they come first.
func Nap() {
	runtime.Gosched()
	_ = syscall.Nanosleep(&syscall.Timespec{Nsec: 50_000}, nil)
}
