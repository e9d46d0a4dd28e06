package topo

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestPin(t *testing.T) {
	for _, cpu := range Here().CPUs {
		result := make(chan unix.CPUSet)
		go func() { // the thread and its mask end with this goroutine
			var set unix.CPUSet
			defer func() { result <- set }()
			if err := Pin(CPUs{cpu}); err != nil {
				t.Error(err)
				return
			}
			if err := unix.SchedGetaffinity(0, &set); err != nil {
				t.Error(err)
			}
		}()
		if set := <-result; set.Count() != 1 || !set.IsSet(cpu) {
			t.Errorf("pinned to CPU %d: the mask has %d CPUs", cpu, set.Count())
		}
	}
}

func TestPinRefuses(t *testing.T) {
	for _, cpus := range []CPUs{nil, {-1}, {maxCPU}, {maxCPU - 1}} {
		if err := Pin(cpus); err == nil {
			t.Errorf("pinned to %v", []int(cpus))
		}
	}
}
