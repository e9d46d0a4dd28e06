package topo

import (
	"runtime"
	"slices"
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

func TestVisit(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := affinity(t)
	leave, err := Visit(before[:1])
	if err != nil {
		t.Fatal(err)
	}
	if now := affinity(t); !slices.Equal(now, before[:1]) {
		t.Errorf("on CPUs %v while visiting %v", now, before[:1])
	}
	leave()
	if now := affinity(t); !slices.Equal(now, before) {
		t.Errorf("on CPUs %v after leaving, had %v", now, before)
	}
}

// affinity lists the CPUs that the calling thread may run on.
func affinity(t *testing.T) (cpus CPUs) {
	t.Helper()
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		t.Fatal(err)
	}
	for cpu := range maxCPU {
		if set.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	return cpus
}
