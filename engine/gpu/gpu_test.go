package gpu

import (
	"context"
	"os"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/enginetest"
)

// openclOrSkip skips a test where no OpenCL device is found; continuous
// integration must have one.
func openclOrSkip(t testing.TB) {
	t.Helper()
	d, err := openOpenCL(0, "")
	if err == nil {
		err = d.Close()
	}
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatalf("no OpenCL device: install pocl-opencl-icd: %v", err)
	}
	if err != nil {
		t.Skipf("no OpenCL device: %v", err)
	}
}

func engine(o Options) func(context.Context, hops.Source) (enginetest.Searcher, error) {
	return func(ctx context.Context, src hops.Source) (enginetest.Searcher, error) {
		return Build(ctx, src, o)
	}
}

// smallLimits makes the rare paths common: long rows go to the whole grid, and
// entries are cut into parts.
const smallLimits = "-DHEAVY=512"

func TestOpenCLFused(t *testing.T) {
	openclOrSkip(t)
	enginetest.Run(t, enginetest.Engine{
		Build:    engine(Options{Driver: "opencl", defines: smallLimits}),
		Steps:    []string{"top-down", "bottom-up", "bottom-up-rest"},
		MaxScale: 10,
		MaxPath:  levelsPerLaunch + 100, // more levels than one launch runs
		Roots:    4,
	})
}

func TestOpenCLStepped(t *testing.T) {
	openclOrSkip(t)
	for name, policy := range plans {
		if testing.Short() && name != "alternating" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			enginetest.Run(t, enginetest.Engine{
				Build:    engine(Options{Driver: "opencl", defines: smallLimits, Stepped: policy, Blocks: 3, MaxAlloc: 1 << 20}),
				MaxScale: 10,
				MaxPath:  200,
				Roots:    2,
			})
		})
	}
}
