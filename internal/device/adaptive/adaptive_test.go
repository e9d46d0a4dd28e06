package adaptive_test

import (
	"context"
	"errors"
	"flag"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/internal/device/adaptive"
	"github.com/gohops/hops/internal/testing/enginetest"
	"github.com/gohops/hops/internal/testing/tooltest"
	"github.com/gohops/hops/level"
)

// setup is a configuration of the engine on OpenCL.
type setup struct {
	adaptive.Options
	apart bool // the device does not share the host's memory
}

// build makes a searcher.
func (s setup) build(ctx context.Context, src hops.Source) (*adaptive.Searcher, error) {
	host, err := cpu.Build(ctx, src, cpu.Options{Threads: 2})
	if err != nil {
		return nil, err
	}
	device, err := gpu.BuildPortable(ctx, src, gpu.Options{Driver: driver()}, s.apart)
	if err != nil {
		return nil, errors.Join(err, host.Close())
	}
	x, err := adaptive.New(ctx, host.Portable(), device, s.Options, device.Close, host.Close)
	if err != nil {
		return nil, errors.Join(err, device.Close(), host.Close())
	}
	return x, nil
}

var driverFlag = flag.String("driver", "opencl", "of the device: PoCL provides opencl everywhere")

func driver() string { return *driverFlag }

// openclOrSkip skips a test where no OpenCL device is found.
func openclOrSkip(t testing.TB) {
	t.Helper()
	x, err := setup{}.build(t.Context(), edge.List(nil, 1))
	if err == nil {
		err = x.Close()
	}
	if err != nil {
		tooltest.Missing(t, "no OpenCL device: install pocl-opencl-icd: ", err)
	}
}

// TestEngine is the suite with all steps and a move before every level, or a level that both
// sides divide; TestAnyPlan has the other ways to move.
func TestEngine(t *testing.T) {
	if testing.Short() {
		t.Skip("TestAnyPlan is the short one")
	}
	openclOrSkip(t)
	s := setup{Options: adaptive.Options{Plan: level.Plan{"TC", "TG", "BC", "BG", "BT", "BGC", "split", "BT", "BT", "top-down@gpu", "top-down"}}, apart: true}
	enginetest.Run(t, enginetest.Engine{
		Build: func(ctx context.Context, src hops.Source) (enginetest.Searcher, error) { return s.build(ctx, src) },
		Steps: []string{"top-down", "top-down@gpu", "bottom-up", "bottom-up@gpu", "bottom-up-hot@gpu", "bottom-up-together", "split"}, MaxScale: 10, MaxPath: 200, Roots: 4,
		Directed: true,
	})
}
