package gpu

import (
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/internal/testing/enginetest"
	"github.com/gohops/hops/level"
)

func cudaOrSkip(t testing.TB) {
	t.Helper()
	d, err := openCUDA(0)
	if err != nil {
		t.Skip(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestCUDAFused(t *testing.T) {
	cudaOrSkip(t)
	enginetest.Run(t, enginetest.Engine{
		Build:   engine(Options{Driver: "cuda"}),
		Steps:   []string{"top-down", "bottom-up", "bottom-up-leftover"},
		MaxPath: 10_000, LevelsPerLook: levelsPerLaunch,
		Directed: true,
	})
}

func TestCUDAStepped(t *testing.T) {
	cudaOrSkip(t)
	for name, policy := range plans {
		t.Run(name, func(t *testing.T) {
			enginetest.Run(t, enginetest.Engine{Build: engine(Options{Driver: "cuda", Stepped: policy}), MaxScale: 12, MaxPath: 1000, Directed: true})
		})
	}
}

// TestSmall runs every kernel of a search on little work and in few blocks, so that a
// tool that watches each access to memory takes minutes and not hours.
func TestSmall(t *testing.T) { eachDriver(t, small) }

func small(t *testing.T, driver string) {
	src, err := edge.NewKronecker(12, 8, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]Options{
		"fused":    {Blocks: 3},
		"hot":      {Blocks: 3, Hot: true},
		"summary":  {Blocks: 3, Alpha: 1 << 20},
		"topDown":  {Blocks: 3, Alpha: 1},
		"stepped":  {Blocks: 2, Stepped: plans["alternating"]},
		"bottomUp": {Blocks: 2, Stepped: plans["bottomUp"]},
	} {
		o.Driver, o.Threads = driver, 256
		if driver == "opencl" {
			o.Blocks, o.defines = 1, smallLimits
		}
		t.Run(name, func(t *testing.T) { searchSmall(t, src, o) })
	}
}

// searchSmall has the trees from some roots checked on the host.
func searchSmall(t *testing.T, src hops.Source, o Options) {
	s, err := Build(t.Context(), src, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	checker, tree := check.New(src, 1), hops.NewTree(src.NumVertices())
	for root := hops.Vertex(0); root < 40; root += 8 {
		tree.Reset()
		if _, err := s.Search(t.Context(), root, tree); err != nil {
			t.Fatal(err)
		}
		if _, err := checker.Tree(t.Context(), tree); err != nil {
			t.Errorf("root %d: %v", root, err)
		}
	}
}

// plans are schedules for stepped searches that run every step.
var plans = map[string]level.Policy{
	"alternating": level.Plan{"top-down", "bottom-up", "top-down", "bottom-up-hot", "bottom-up-leftover", "top-down", "bottom-up-leftover", "bottom-up-leftover"},
	"bottomUp":    level.Plan{"bottom-up", "bottom-up-leftover"},
	"topDown":     level.Fixed{Direction: level.TopDown},
}
