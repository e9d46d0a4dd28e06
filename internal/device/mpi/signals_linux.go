package mpi

import (
	"syscall"
	"unsafe"
)

// Go's runtime relies on its signal handlers: SIGURG to preempt, SIGSEGV for nil
// pointers, SIGPROF to profile. MPI_Init loads plugins that install handlers of
// their own (stack printers, compilers of OpenCL), some without the flag that
// runs them on the alternate stack, which crashes a Go program later.

// lastSignal is the last standard signal; libraries do not touch real-time signals.
const lastSignal = 31

// A sigaction is the kernel's struct sigaction, which is only copied.
type sigaction [32]byte

// keepSignals saves all signal handlers and returns a function that restores those
// that have changed.
func keepSignals() (restore func()) {
	var before [lastSignal + 1]sigaction
	for s := 1; s <= lastSignal; s++ {
		swapAction(s, nil, &before[s])
	}
	return func() {
		for s := 1; s <= lastSignal; s++ {
			var now sigaction
			swapAction(s, nil, &now)
			if now != before[s] {
				swapAction(s, &before[s], nil)
			}
		}
	}
}

// swapAction reads a handler into get and sets it from set; either may be nil. It fails
// for SIGKILL and SIGSTOP, which have no handlers.
func swapAction(signal int, set, get *sigaction) {
	const bytesOfMask = 8
	_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(signal),
		uintptr(unsafe.Pointer(set)), uintptr(unsafe.Pointer(get)), bytesOfMask, 0, 0)
}
