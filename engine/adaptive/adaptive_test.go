package adaptive_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/adaptive"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/engine/enginetest"
	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/level"
)

// setup is a configuration of the engine on OpenCL.
type setup struct {
	adaptive.Options
	blocks int  // 1: the device can run bursts
	apart  bool // memory is copied, as if over a bus
}

// build makes a searcher.
func (s setup) build(ctx context.Context, src hops.Source) (*adaptive.Searcher, error) {
	host, err := cpu.Build(ctx, src, cpu.Options{Threads: 2})
	if err != nil {
		return nil, err
	}
	device, err := gpu.BuildPortable(ctx, src, gpu.Options{Driver: "opencl", Blocks: s.blocks}, s.apart)
	if err != nil {
		return nil, errors.Join(err, host.Close())
	}
	x, err := adaptive.New(host.Portable(), device, s.Options, device.Close, host.Close)
	if err != nil {
		return nil, errors.Join(err, device.Close(), host.Close())
	}
	return x, nil
}

// openclOrSkip skips a test where no OpenCL device is found; continuous
// integration must have one.
func openclOrSkip(t testing.TB) {
	t.Helper()
	x, err := setup{}.build(t.Context(), edge.List(nil, 1))
	if err == nil {
		err = x.Close()
	}
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatalf("no OpenCL device: install pocl-opencl-icd: %v", err)
	}
	if err != nil {
		t.Skipf("no OpenCL device: %v", err)
	}
}

// TestEngine forces every step and every handover: from each device to the other,
// in both directions of search, with small and large frontiers, into a burst and
// out of it.
func TestEngine(t *testing.T) {
	openclOrSkip(t)
	for name, s := range map[string]setup{
		"shared": {Options: adaptive.Options{Plan: level.Plan{"TC", "TG", "BC", "BG", "TC", "BGC", "SC", "TG", "TC"}}},
		"apart":  {Options: adaptive.Options{Plan: level.Plan{"TG", "TC", "BG", "BC", "TG", "SC", "BGC", "TC", "TG"}}, apart: true},
		"bursts": {Options: adaptive.Options{Plan: level.Plan{"TC", "G"}}, blocks: 1, apart: true},
	} {
		t.Run(name, func(t *testing.T) {
			steps := []string{"TC", "TG", "BC", "BG", "BGC", "SC"}
			if s.blocks == 1 {
				steps = []string{"TC", "G.TG", "G.BG", "G.rest"}
			}
			enginetest.Run(t, enginetest.Engine{
				Build: func(ctx context.Context, src hops.Source) (enginetest.Searcher, error) { return s.build(ctx, src) },
				Steps: steps, MaxScale: 10, MaxPath: 300, Roots: 4,
			})
		})
	}
}
