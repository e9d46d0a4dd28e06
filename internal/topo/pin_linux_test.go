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
	v, err := NewVisitor(before[:1])
	if err != nil {
		t.Fatal(err)
	}
	if !v.Enter() {
		t.Fatal("cannot enter")
	}
	if now := affinity(t); !slices.Equal(now, before[:1]) {
		t.Errorf("on CPUs %v while visiting %v", now, before[:1])
	}
	v.Leave()
	if now := affinity(t); !slices.Equal(now, before) {
		t.Errorf("on CPUs %v after leaving, had %v", now, before)
	}
	visit := func() {
		if v.Enter() {
			v.Leave()
		}
	}
	if n := testing.AllocsPerRun(100, visit); n != 0 {
		t.Errorf("%v allocations a visit", n)
	}
	if _, err := NewVisitor(CPUs{-1}); err == nil {
		t.Error("visits CPU -1")
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
