package gpu

import (
	"context"
	"errors"
	"os"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/enginetest"
	"github.com/gohops/hops/internal/nvml"
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

// smallLimits makes the rare paths common: long rows go to the whole grid, entries
// are cut into parts, and many frontiers get a sieve, whose bits stand for several
// labels.
const smallLimits = "-DHEAVY=512 -DSIEVE_WORDS=8 -DSPARSE=4"

func TestOpenCLFused(t *testing.T) {
	openclOrSkip(t)
	enginetest.Run(t, enginetest.Engine{
		Build:    engine(Options{Driver: "opencl", defines: smallLimits}),
		Steps:    []string{"top-down", "bottom-up", "bottom-up-rest"},
		MaxScale: 10,
		MaxPath:  levelsPerLaunch + 100, // more levels than one launch runs
		Roots:    4, LevelsPerLook: levelsPerLaunch,
	})
}

// Parts of one graph find what the whole would: on one device here, which runs
// everything but the copy between devices.
func TestOpenCLParts(t *testing.T) {
	openclOrSkip(t)
	if testing.Short() {
		t.Skip("the race detector sees no kernel, and TestOpenCLFused has the rest")
	}
	enginetest.Run(t, enginetest.Engine{
		Build:    engine(Options{Driver: "opencl", defines: smallLimits, Parts: 3, Blocks: 2}),
		Steps:    []string{"top-down", "bottom-up"},
		MaxScale: 10,
		MaxPath:  200,
		Roots:    2, NamedRoots: 4,
	})
}

// What a graph in parts cannot do is refused.
func TestPartsAreNotVerified(t *testing.T) {
	openclOrSkip(t)
	src := edge.List([]hops.Edge{{U: 0, V: 40}}, 41)
	s, err := Build(t.Context(), src, Options{Driver: "opencl", defines: smallLimits, Parts: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.NewVerifier(src, 1); err == nil {
		t.Error("a verifier of parts")
	}
	if _, err := s.Joules(); !errors.Is(err, nvml.ErrUnavailable) {
		t.Errorf("energy through OpenCL: %v", err)
	}
}

func TestPartsCoverAllLabels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint32Range(0, 1<<31-1).Draw(t, "n")
		of := rapid.IntRange(1, 64).Draw(t, "parts")
		var at uint32
		for i := range of {
			first, end := partOf(n, i, of)
			if first != at || end < first || (i < of-1 && end%32 != 0 && end != n) {
				t.Fatalf("part %d of %d is [%d, %d), after %d", i, of, first, end, at)
			}
			at = end
		}
		if at != n {
			t.Fatalf("the parts end at %d of %d", at, n)
		}
	})
}

func TestOpenCLStepped(t *testing.T) {
	openclOrSkip(t)
	if testing.Short() {
		t.Skip("the race detector sees no kernel, and TestOpenCLFused has the rest")
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
			})
		})
	}
}
