package gpu

import (
	"context"
	"errors"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/device/nvml"
	"github.com/gohops/hops/internal/testing/enginetest"
	"github.com/gohops/hops/internal/testing/tooltest"
)

// openclOrSkip skips a test where no OpenCL device is found.
func openclOrSkip(t testing.TB) {
	t.Helper()
	d, err := openOpenCL(0, "")
	if err == nil {
		err = d.Close()
	}
	if err != nil {
		tooltest.Missing(t, "no OpenCL device: install pocl-opencl-icd: ", err)
	}
}

// eachDriver runs a test on a device of every driver that is there, and with -short on
// the first of them only.
func eachDriver(t *testing.T, run func(t *testing.T, driver string)) {
	t.Helper()
	found := false
	for _, driver := range []string{"cuda", "opencl"} {
		t.Run(driver, func(t *testing.T) {
			if found && testing.Short() {
				t.Skip("another driver was tested")
			}
			if driver == "cuda" {
				cudaOrSkip(t)
			} else {
				openclOrSkip(t)
			}
			found = true
			run(t, driver)
		})
	}
}

func engine(o Options) func(context.Context, hops.Source) (enginetest.Searcher, error) {
	return func(ctx context.Context, src hops.Source) (enginetest.Searcher, error) {
		return Build(ctx, src, o)
	}
}

// smallLimits makes rare cases common: rows of 512 entries are left to the whole grid,
// and many frontiers get a summary, whose bits stand for several labels.
const smallLimits = "-DEXTREME=512 -DSUMMARY_WORDS=8 -DSPARSE=4"

func TestOpenCLFused(t *testing.T) {
	openclOrSkip(t)
	enginetest.Run(t, enginetest.Engine{
		Build:    engine(Options{Driver: "opencl", defines: smallLimits}),
		Steps:    []string{"top-down", "bottom-up", "bottom-up-leftover"},
		MaxScale: 10,
		MaxPath:  levelsPerLaunch + 100, // more levels than one launch runs
		Roots:    4, LevelsPerLook: levelsPerLaunch,
		Directed: true,
	})
}

// Devices of OpenCL have no counter of energy.
func TestNoEnergyThroughOpenCL(t *testing.T) {
	openclOrSkip(t)
	s, err := Build(t.Context(), edge.List(nil, 1), Options{Driver: "opencl"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Joules(); !errors.Is(err, nvml.ErrUnavailable) {
		t.Errorf("energy through OpenCL: %v", err)
	}
}

func TestOpenCLStepped(t *testing.T) {
	openclOrSkip(t)
	if testing.Short() {
		t.Skip("the race detector sees no kernel, and TestOpenCLFused runs the same code of the host")
	}
	for name, policy := range plans {
		if name == "topDown" {
			continue // the others have the same steps
		}
		t.Run(name, func(t *testing.T) {
			enginetest.Run(t, enginetest.Engine{
				Build:    engine(Options{Driver: "opencl", defines: smallLimits, Stepped: policy, Blocks: 3, MaxAlloc: 1 << 20}),
				MaxScale: 10,
				MaxPath:  200,
				Roots:    2,
				Directed: true,
				Variant:  name != "alternating",
			})
		})
	}
}
