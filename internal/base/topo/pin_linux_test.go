package topo

import (
	"os"
	"runtime"
	"slices"
	"strconv"
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

// A confined process has all threads on its CPUs but those that were bound before, and
// what it had when it is released.
func TestConfine(t *testing.T) {
	all, procs := affinity(t), runtime.GOMAXPROCS(0)
	bound, done := make(chan int), make(chan bool)
	go func() {
		_ = Pin(all[:1])
		bound <- unix.Gettid()
		<-done
	}()
	pinned := <-bound
	defer close(done)
	was, last := threads(t), all[len(all)-1:]
	if !slices.Equal(was[pinned], all[:1]) {
		t.Fatalf("thread %d is on CPUs %v, bound to %v", pinned, was[pinned], all[:1])
	}
	free := func(id int) bool { return was[id] == nil || slices.Equal(was[id], all) }
	release, err := Confine(last)
	if err != nil {
		t.Fatal(err)
	}
	for id, cpus := range threads(t) {
		if free(id) && !slices.Equal(cpus, last) || !free(id) && !slices.Equal(cpus, was[id]) {
			t.Errorf("thread %d is on CPUs %v, had %v, and free threads are confined to %v", id, cpus, was[id], last)
		}
	}
	if n := runtime.GOMAXPROCS(0); n != 1 {
		t.Errorf("Go has %d processors", n)
	}
	release()
	for id, cpus := range threads(t) {
		if free(id) && !slices.Equal(cpus, all) {
			t.Errorf("thread %d is on CPUs %v after the release, free threads had %v", id, cpus, all)
		}
	}
	if n := runtime.GOMAXPROCS(0); n != procs {
		t.Errorf("Go has %d processors after the release, had %d", n, procs)
	}
	if _, err := Confine(CPUs{-1}); err == nil {
		t.Error("confined to CPU -1")
	}
}

// threads are those of this process with the CPUs that they may run on.
func threads(t *testing.T) map[int]CPUs {
	entries, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	all := map[int]CPUs{}
	for _, e := range entries {
		id, _ := strconv.Atoi(e.Name())
		set := unix.NewCPUSet(maxCPU)
		if unix.SchedGetaffinityDynamic(id, set) == nil {
			for cpu := range maxCPU {
				if set.IsSet(cpu) {
					all[id] = append(all[id], cpu)
				}
			}
		}
	}
	return all
}
