package par

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// A thread that is woken is put on a CPU by the kernel. Where all other CPUs have something to do
// for a moment, or look as if they had, that may be the CPU of whoever wakes it. Two workers then
// share a CPU for the rest of a search of a millisecond, because the kernel looks only every few
// milliseconds whether threads are spread evenly. So the threads of a team may not run on the CPU
// of the caller while it wakes them.

// threadsApart are the threads that are kept off a CPU.
type threadsApart [maxInKernel]struct {
	thread int         // 0: none
	before unix.CPUSet // where it could run before
}

// keep keeps sleepers off the CPU of the caller, as far as they may run on another one. A
// sleeper that wakes up by itself meanwhile waits for release.
func (a *threadsApart) keep(sleepers []share) {
	here := thisCPU()
	for i := range sleepers {
		k, s := &a[i], &sleepers[i].sleeper
		if !s.keptOff.CompareAndSwap(false, true) {
			continue
		}
		if thread := int(s.thread.Load()); thread != 0 && unix.SchedGetaffinity(thread, &k.before) == nil {
			there := k.before
			there.Clear(here)
			if there != k.before && there.Count() > 0 && unix.SchedSetaffinity(thread, &there) == nil {
				k.thread = thread
				continue
			}
		}
		s.keptOff.Store(false)
	}
}

// release lets the threads run where they could before. They stay where they are.
func (a *threadsApart) release(sleepers []share) {
	for i := range sleepers {
		if k := &a[i]; k.thread != 0 {
			_ = unix.SchedSetaffinity(k.thread, &k.before)
			sleepers[i].keptOff.Store(false)
		}
	}
}

// thisThread is the thread of the caller, as the kernel numbers it.
func thisThread() int32 { return int32(unix.Gettid()) }

// thisCPU is the CPU of the caller.
func thisCPU() int {
	var cpu uint32
	_, _, _ = unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&cpu)), 0, 0)
	return int(cpu)
}
