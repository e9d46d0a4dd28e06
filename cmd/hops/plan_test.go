package main

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/human"
	"github.com/gohops/hops/report"
)

// No run takes more memory than its plan says. The plan of a run with few workers is at
// most twice what the run took, and 96 MiB: what no graph of this size needs.
func TestPlansHold(t *testing.T) {
	if underRace {
		t.Skip("the race detector takes memory of its own")
	}
	const few, many = "few", "many" // workers
	for _, x := range []struct{ engine, scale, workers string }{
		{"cpu", "10", few},
		{"cpu", "16", few},
		{"cpu:threads=1024", "12", many},
		{"cluster", "16", few},
		{"cluster:ranks=64", "14", many},
		{"grid:ranks=4,shape=2x2", "16", few},
		{"grid:ranks=4,shape=1x4,hosts=4", "16", few},
		{"grid:ranks=64", "16", many},
		{"cluster:twin=romeo,nodes=16", "14", many},
		{"grid:twin=bluegene-q,nodes=64", "16", many},
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
	out, err := exec.Command("hops", append([]string{"graph500", "--roots", "2", "--quiet", "--to", "json", "--output", file}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r, err := report.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return r.Memory
}

// What workers and ranks take, those of a twin too, is in the plan: with less memory than
// that the run is refused with both figures.
func TestTooManyWorkersAreRefused(t *testing.T) {
	for engine, least := range map[string]int64{
		"cpu:lean=on,threads=4096":     1 << 30,
		"cluster:ranks=1024,threads=8": 1 << 30,
		"cluster:twin=bluegene-q":      1 << 30, // 512 nodes
		"grid:twin=romeo":              128 << 20,
	} {
		e, err := (&app{}).openEngine(engine)
		if err != nil {
			t.Fatal(err)
		}
		cfg := graph500.Config{Scale: 14}
		plan, err := graph500.PlanMemory(cfg, e, 0)
		if err != nil || plan.Graph < least {
			t.Errorf("%s: %d bytes planned (%v), want %d", engine, plan.Graph, err, least)
			continue
		}
		if _, err := graph500.PlanMemory(cfg, e, plan.Needed); err != nil {
			t.Errorf("%s: %v", engine, err)
		}
		_, err = graph500.PlanMemory(cfg, e, plan.Needed/2)
		want := fmt.Sprintf("needs %s of memory, but only %s is available", human.Bytes(plan.Needed), human.Bytes(plan.Needed/2))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", engine, err, want)
		}
	}
}
