package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/internal/testing/tooltest"
)

// hopsSays runs the program and returns what it prints.
func hopsSays(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(args, &out, &errs); code != 0 {
		t.Fatalf("hops %s: exit code %d: %s", strings.Join(args, " "), code, &errs)
	}
	return out.String() + errs.String()
}

// deviceStep is a row of a search's table whose step ran on the device.
var deviceStep = regexp.MustCompile(`(?m)^ +\d+ +[a-z-]+@gpu `)

// staleCalibration has the engine find a calibration that was made on other hardware:
// it must say so and leave the file as it is.
func staleCalibration(t *testing.T) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	path := learn.Path(filepath.Join(home, "hops"), adaptiveEngine, 2)
	elsewhere := &learn.Calibration{Engine: adaptiveEngine, Hardware: learn.Hardware{Model: "Sundial", Threads: 2}}
	if err := learn.Store(path, func() (*learn.Calibration, error) { return elsewhere, nil }); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out := hopsSays(t, "graph500", "--scale", "8", "--roots", "2", "--engine", "adaptive:driver=opencl,threads=2")
	if !strings.Contains(out, "another machine") || !strings.Contains(out, "hops calibrate") {
		t.Errorf("a calibration of other hardware is not reported:\n%s", out)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("opening the engine changed the calibration: %v", err)
	}
}

// What was learned with a device is kept and used; plans and baselines keep to the
// device as told. Which step wins is a matter of time, and so not one of tests: where
// a processor plays the GPU, it should be the host's.
func TestAdaptiveOnOpenCL(t *testing.T) {
	if testing.Short() {
		t.Skip("calibrates")
	}
	if name, err := gpu.DeviceName(gpu.Options{Driver: "opencl"}); err != nil {
		tooltest.Missing(t, err)
	} else if !strings.Contains(name, "pthread") && !strings.Contains(name, "cpu") {
		t.Skipf("%s may be a GPU", name)
	}
	staleCalibration(t)
	hopsSays(t, "calibrate", "--quick", "--scale", "12", "--threads", "2", "--device", "opencl")
	if shown := hopsSays(t, "calibrate", "--show", "--threads", "2", "--device", "opencl"); !strings.Contains(shown, "to gpu") {
		t.Errorf("nothing was learned of the device, or --show leaves it out:\n%s", shown)
	}
	for engine, want := range map[string][]string{
		"adaptive:driver=opencl,threads=2":              nil, // which of the host's, was learned
		"adaptive:driver=opencl,threads=2,policy=zhang": nil,
		"adaptive:driver=opencl,threads=2,policy=daga":  {"top-down", "bottom-up@gpu"},
		"adaptive:driver=opencl,threads=2,policy=yasui": {"top-down", "bottom-up"},
	} {
		out := hopsSays(t, "graph500", "--scale", "12", "--roots", "4", "--engine", engine)
		for _, step := range want {
			if !strings.Contains(out, " "+step+" ") {
				t.Errorf("%s never ran %s:\n%s", engine, step, out)
			}
		}
		if want == nil && deviceStep.MatchString(out) {
			t.Logf("the slow device was used:\n%s", out)
		}
	}
	out := hopsSays(t, "graph500", "--scale", "10", "--roots", "4", "--engine", "adaptive:driver=opencl,apart=on", "--plan", "TC,BGC,TG")
	if !strings.Contains(out, "by the plan top-down+bottom-up-hot@gpu+top-down@gpu") || !strings.Contains(out, "plan=TC+BGC+TG") || !strings.Contains(out, "handover") {
		t.Errorf("the plan is not in the result:\n%s", out)
	}
}

// Every step is timed on every level, and the chosen one is named.
func TestLevelsOnOpenCL(t *testing.T) {
	if _, err := gpu.DeviceName(gpu.Options{Driver: "opencl"}); err != nil {
		tooltest.Missing(t, err)
	}
	out := hopsSays(t, "profile", "--scale", "8", "--runs", "1", "--engine", "adaptive:driver=opencl,plan=TC+BG")
	for _, want := range []string{"top-down", "split", "bottom-up-hot@gpu", "to device", "chosen", "Regret"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
}
