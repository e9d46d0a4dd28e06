package topo

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sys/unix"
)

// Visit binds the calling goroutine to its thread and the thread to the given
// CPUs until leave is called, which must happen on the same goroutine.
func Visit(cpus CPUs) (leave func(), err error) {
	before := unix.NewCPUSet(maxCPU)
	runtime.LockOSThread()
	if err := unix.SchedGetaffinityDynamic(0, before); err != nil {
		runtime.UnlockOSThread()
		return nil, fmt.Errorf("topo: affinity: %w", err)
	}
	if err := Pin(cpus); err != nil {
		runtime.UnlockOSThread()
		return nil, err
	}
	return func() {
		if unix.SchedSetaffinityDynamic(0, before) == nil {
			runtime.UnlockOSThread() // the one of Pin
			runtime.UnlockOSThread()
		}
	}, nil
}

// Pin binds the calling goroutine to its thread and the thread to the given
// CPUs. It lasts for the goroutine's life: the thread ends with it, so that no
// other goroutine inherits the mask.
func Pin(cpus CPUs) error {
	if len(cpus) == 0 {
		return errors.New("topo: pin: no CPU given")
	}
	if lo, hi := slices.Min(cpus), slices.Max(cpus); lo < 0 || hi >= maxCPU {
		return fmt.Errorf("topo: pin to CPUs %v: numbers must be in [0, %d)", []int(cpus), maxCPU)
	}
	set := unix.NewCPUSet(slices.Max(cpus) + 1)
	for _, c := range cpus {
		set.Set(c)
	}
	runtime.LockOSThread()
	if err := unix.SchedSetaffinityDynamic(0, set); err != nil {
		runtime.UnlockOSThread()
		return fmt.Errorf("topo: pin to CPUs %v: %w", cpus, err)
	}
	return nil
}
