package par

import (
	"math"
	"sync/atomic"
	"syscall"
	"unsafe"
)

const (
	hasFutex = true

	// FUTEX_WAIT and FUTEX_WAKE of linux/futex.h, for threads of one process.
	futexPrivate = 128
	futexWaitOp  = 0 | futexPrivate
	futexWakeOp  = 1 | futexPrivate
)

// futexWait sleeps if the value at an address is old, until futexWake is called for that
// address. A signal ends it too. Go takes the thread for one in a system call: another may
// have its processor.
func futexWait(at *atomic.Uint32, old uint32) {
	_, _, _ = syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(at)), futexWaitOp, uintptr(old), 0, 0, 0)
}

// futexWake wakes all who sleep. It does not block, and Go is not told of it: what it
// takes to wake some threads is enough for Go to give the processor away.
func futexWake(at *atomic.Uint32) {
	_, _, _ = syscall.RawSyscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(at)), futexWakeOp, math.MaxInt32, 0, 0, 0)
}
