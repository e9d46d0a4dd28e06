package topo

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

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
