package main

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/report"
)

// No run takes more memory than its plan says. The plan of a run with few workers is at
// most twice what the run took, and 96 MiB: what no graph of this size needs.
func TestPlansHold(t *testing.T) {
	if testing.Short() {
		t.Skip("short: the race detector takes memory of its own")
	}
	const few, many = "few", "many" // workers
	for _, x := range []struct{ engine, scale, workers string }{
		{"cpu", "10", few},
		{"cpu", "17", few},
		{"cpu:threads=1024", "12", many},
		{"cluster", "17", few},
		{"cluster:ranks=64", "14", many},
		{"grid:ranks=4,shape=2x2", "17", few},
		{"grid:ranks=4,shape=1x4,hosts=4", "17", few},
		{"grid:ranks=64", "16", many},
		{"gpu:driver=opencl", "10", few},
		{"gpu:driver=opencl,tree=host", "14", few},
		{"adaptive:driver=opencl", "14", few},
		{"cygraph", "12", few},
	} {
		t.Run(x.engine+"/"+x.scale, func(t *testing.T) {
			if strings.Contains(x.engine, "opencl") {
				if _, err := gpu.DeviceName(gpu.Options{Driver: "opencl"}); err != nil {
					t.Skip(err)
				}
			}
			m := memoryOf(t, "--scale", x.scale, "--engine", x.engine)
			planned := m.Needed
			if m.KeepTuples {
				planned += m.Tuples
			}
			t.Logf("%d MiB planned, %d used", planned>>20, m.Process>>20)
			if m.Process > planned {
				t.Errorf("%d bytes used, %d were planned: %+v", m.Process, planned, m)
			}
			if x.workers == few && planned > 2*m.Process+96<<20 {
				t.Errorf("%d bytes planned, %d used: %+v", planned, m.Process, m)
			}
		})
	}
}

// memoryOf runs the benchmark in a process of its own.
func memoryOf(t *testing.T, args ...string) graph500.Memory {
	t.Helper()
	file := t.TempDir() + "/result.json"
	out, err := exec.Command("hops", append([]string{"graph500", "--roots", "2", "--quiet", "--format", "json", "--output", file}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r, err := report.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return r.Memory
}

// Workers and ranks that memory cannot hold are refused with both figures.
func TestTooManyWorkersAreRefused(t *testing.T) {
	available := graph500.ThisHost().Memory.Available
	for _, engine := range []string{"cpu:threads=4096", "cluster:ranks=1024,threads=8"} {
		e, err := (&app{}).openEngine(engine)
		if err != nil {
			t.Fatal(err)
		}
		const scale = 24
		if need := e.Need(1<<scale, 16<<scale); need < available {
			t.Logf("%s: %d bytes fit in %d", engine, need, available)
			continue
		}
		out, err := exec.Command("hops", "graph500", "--scale", strconv.Itoa(scale), "--engine", engine).CombinedOutput()
		if err == nil || !strings.Contains(string(out), " of memory, but only ") {
			t.Errorf("%s: %v\n%s", engine, err, out)
		}
	}
}
