package topo

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// A Visitor binds goroutines to a set of CPUs for a while, repeatedly, without
// allocating.
type Visitor struct {
	there, before unix.CPUSetDynamic
}

// NewVisitor returns a Visitor for the given CPUs.
func NewVisitor(cpus CPUs) (*Visitor, error) {
	there, err := mask(cpus)
	return &Visitor{there: there, before: unix.NewCPUSet(maxCPU)}, err
}

// Enter binds the calling goroutine to its thread and the thread to the CPUs. It reports
// whether that succeeded: only then must the same goroutine call Leave.
func (v *Visitor) Enter() bool {
	runtime.LockOSThread()
	if unix.SchedGetaffinityDynamic(0, v.before) == nil && unix.SchedSetaffinityDynamic(0, v.there) == nil {
		return true
	}
	runtime.UnlockOSThread()
	return false
}

// Leave restores the CPUs of the thread. If that fails, the thread stays bound to its
// goroutine, and ends with it.
func (v *Visitor) Leave() {
	if unix.SchedSetaffinityDynamic(0, v.before) == nil {
		runtime.UnlockOSThread()
	}
}

// Pin binds the calling goroutine to its thread and the thread to the given
// CPUs, until the goroutine ends. The thread ends with it, so that no other goroutine
// inherits the mask.
func Pin(cpus CPUs) error {
	set, err := mask(cpus)
	if err != nil {
		return err
	}
	runtime.LockOSThread()
	if err := unix.SchedSetaffinityDynamic(0, set); err != nil {
		runtime.UnlockOSThread()
		return fmt.Errorf("topo: pin to CPUs %v: %w", cpus, err)
	}
	return nil
}

func mask(cpus CPUs) (unix.CPUSetDynamic, error) {
	if len(cpus) == 0 {
		return nil, errors.New("topo: pin: no CPU given")
	}
	if lo, hi := slices.Min(cpus), slices.Max(cpus); lo < 0 || hi >= maxCPU {
		return nil, fmt.Errorf("topo: pin to CPUs %v: numbers must be in [0, %d)", []int(cpus), maxCPU)
	}
	set := unix.NewCPUSet(slices.Max(cpus) + 1)
	for _, c := range cpus {
		set.Set(c)
	}
	return set, nil
}

// Confine binds the threads of this process that have the CPUs of the caller, as all
// unbound threads have, to the given ones, and has Go use no more processors than that. A launcher
// that binds its processes has the same effect. The function that it returns
// undoes both.
func Confine(cpus CPUs) (release func(), err error) {
	set, err := mask(cpus)
	if err != nil {
		return nil, err
	}
	before, there := unix.NewCPUSet(maxCPU), unix.NewCPUSet(maxCPU)
	copy(there, set)
	if err := unix.SchedGetaffinityDynamic(0, before); err != nil {
		return nil, fmt.Errorf("topo: CPUs of this process: %w", err)
	}
	if err := moveThreads(before, there); err != nil {
		_ = moveThreads(there, before)
		return nil, err
	}
	procs := runtime.GOMAXPROCS(len(cpus))
	return func() {
		runtime.GOMAXPROCS(procs)
		_ = moveThreads(there, before)
	}, nil
}

// moveThreads gives all threads of this process that may run on the CPUs from, and on no
// others, the CPUs to. A thread that one of the others was starting when that was moved has the
// CPUs from and shows up a moment later, so that two looks, a while apart, must find none.
func moveThreads(from, to unix.CPUSetDynamic) error {
	if slices.Equal(from, to) {
		return nil
	}
	for inVain := 0; inVain < 2; inVain++ {
		moved, err := moveThoseHere(from, to)
		if err != nil {
			return err
		}
		if moved {
			inVain = -1
		}
		time.Sleep(betweenLooks)
	}
	return nil
}

// betweenLooks is longer than it takes to start a thread on a machine that is not overloaded.
const betweenLooks = 2 * time.Millisecond

// moveThoseHere is one look of moveThreads. It tells whether it has moved any.
func moveThoseHere(from, to unix.CPUSetDynamic) (moved bool, err error) {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return false, fmt.Errorf("topo: threads of this process: %w", err)
	}
	for _, t := range threads {
		id, err := strconv.Atoi(t.Name())
		now := unix.NewCPUSet(maxCPU)
		if err != nil || unix.SchedGetaffinityDynamic(id, now) != nil || !slices.Equal(now, from) {
			continue // it has ended, or is bound
		}
		if err := unix.SchedSetaffinityDynamic(id, to); err != nil && !errors.Is(err, unix.ESRCH) {
			return moved, fmt.Errorf("topo: bind thread %d: %w", id, err)
		}
		moved = true
	}
	return moved, nil
}
