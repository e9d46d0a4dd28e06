package gpu

import (
	"cmp"
	"context"
	"os"
	"slices"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/enginetest"
	"github.com/gohops/hops/internal/par"
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
		Steps:   []string{"top-down", "bottom-up", "bottom-up-rest"},
		MaxPath: 10_000, LevelsPerLook: levelsPerLaunch,
	})
}

func TestCUDAParts(t *testing.T) {
	cudaOrSkip(t)
	enginetest.Run(t, enginetest.Engine{
		Build:    engine(Options{Driver: "cuda", Devices: AllDevices, Parts: 3}),
		Steps:    []string{"top-down", "bottom-up"},
		MaxScale: 14, MaxPath: 1000,
	})
}

func TestCUDAStepped(t *testing.T) {
	cudaOrSkip(t)
	for name, policy := range plans {
		t.Run(name, func(t *testing.T) {
			enginetest.Run(t, enginetest.Engine{Build: engine(Options{Driver: "cuda", Stepped: policy}), MaxScale: 12, MaxPath: 1000})
		})
	}
}

// TestSmall runs every kernel of a search on little work and in few blocks, as a
// tool that watches each access can bear. HOPS_GPU_DRIVER names another driver.
func TestSmall(t *testing.T) {
	driver := cmp.Or(os.Getenv("HOPS_GPU_DRIVER"), "cuda")
	if driver == "cuda" {
		cudaOrSkip(t)
	}
	src, err := edge.NewKronecker(12, 8, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]Options{
		"fused":    {Blocks: 3},
		"hot":      {Blocks: 3, Hot: true},
		"sieved":   {Blocks: 3, Alpha: 1 << 20},
		"topDown":  {Blocks: 3, Alpha: 1},
		"stepped":  {Blocks: 2, Stepped: plans["alternating"]},
		"bottomUp": {Blocks: 2, Stepped: plans["bottomUp"]},
		"parts":    {Blocks: 2, Parts: 3},
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
	team := par.NewTeam(1, nil)
	defer team.Close()
	checker, tree := check.New(src, team), hops.NewTree(src.NumVertices())
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

var plans = map[string]level.Policy{
	"alternating": level.Plan{"top-down", "bottom-up", "top-down", "bottom-up-hot", "bottom-up-rest", "top-down", "bottom-up-rest", "bottom-up-rest"},
	"bottomUp":    level.Plan{"bottom-up", "bottom-up-rest"},
	"topDown":     level.Fixed{Direction: level.TopDown},
}

// generated holds the device's edges against those of the source.
func generated(t *testing.T, driver string, scale int) {
	t.Helper()
	src, err := edge.NewKronecker(scale, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	d, err := open(&Options{Driver: driver})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	m := newMemory(d)
	defer m.close()
	f, err := newFeed(d, m, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	const n = 10_000
	for _, first := range []int64{0, 1, src.NumEdges()/2 + 7, src.NumEdges() - n} {
		want := make([]hops.Edge, n)
		if _, err := src.EdgesAt(want, first); err != nil {
			t.Fatal(err)
		}
		if err := f.load(first, n); err != nil {
			t.Fatal(err)
		}
		got := make([]uint32, 2*n)
		if err := d.read(bytesOf(got), f.edges, 0); err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(want, func(e hops.Edge) bool {
			pair := got[:2]
			got = got[2:]
			return uint64(pair[0]) != uint64(e.U) || uint64(pair[1]) != uint64(e.V)
		})
		if i >= 0 {
			t.Fatalf("scale %d: edge %d differs", scale, first+int64(i))
		}
	}
}

func TestGenerate(t *testing.T) {
	t.Run("opencl", func(t *testing.T) { openclOrSkip(t); generated(t, "opencl", 14); generated(t, "opencl", 31) })
	t.Run("cuda", func(t *testing.T) { cudaOrSkip(t); generated(t, "cuda", 14); generated(t, "cuda", 31) })
}

// TestVerifier must accept what the engine finds and refuse what is damaged.
func verifier(t *testing.T, driver string) {
	ctx := context.Background()
	src, err := edge.NewKronecker(10, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Build(ctx, src, Options{Driver: driver, Stepped: level.Fixed{Direction: level.TopDown}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	v, err := s.NewVerifier(src, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	tree, err := s.NewTree()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Search(ctx, 458, tree); err != nil {
		t.Fatal(err)
	}
	// The numbers of the benchmark's test vectors for scale 10.
	if got, err := v.Tree(ctx, 458); err != nil || got != (Verdict{Vertices: 897, Edges: 16239, Loops: 144, Depth: 4}) {
		t.Errorf("a valid tree: %+v, %v", got, err)
	}
	if err := v.Keep(458); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Search(ctx, 459, tree); err != nil {
		t.Fatal(err)
	}
	if err := v.Keep(459); err != nil {
		t.Fatal(err)
	}
	if err := v.Keep(459); err == nil {
		t.Error("a third tree where there is room for two")
	}
	if got, err := v.Verdicts(ctx); err != nil || len(got) != 2 || got[0].Edges != 16239 || got[1].Edges != 16239 {
		t.Errorf("two trees of one component: %+v, %v", got, err)
	}
	if _, err := s.Search(ctx, 458, tree); err != nil {
		t.Fatal(err)
	}
	leaf := slices.IndexFunc(tree.Narrow, func(p uint32) bool { return p == 458 })
	far := slices.IndexFunc(tree.Narrow, func(p uint32) bool {
		return p != ^uint32(0) && p != 458 && tree.Narrow[p] != 458 && tree.Narrow[tree.Narrow[p]] != 458
	})
	damages := map[string][2]uint32{
		"parent out of range":   {uint32(leaf), 5000},
		"cycle":                 {uint32(leaf), uint32(leaf)},
		"left out":              {uint32(leaf), ^uint32(0)},
		"parent at wrong level": {uint32(far), 458},
	}
	for name, d := range damages {
		good := tree.Narrow[d[0]]
		if err := s.dev.write(s.state.parent, 4*int64(d[0]), bytesOf(d[1:])); err != nil {
			t.Fatal(err)
		}
		if _, err := v.Tree(ctx, 458); err == nil {
			t.Errorf("%s: accepted", name)
		}
		if err := s.dev.write(s.state.parent, 4*int64(d[0]), bytesOf([]uint32{good})); err != nil {
			t.Fatal(err)
		}
	}
}

func TestVerifier(t *testing.T) {
	t.Run("opencl", func(t *testing.T) { openclOrSkip(t); verifier(t, "opencl") })
	t.Run("cuda", func(t *testing.T) { cudaOrSkip(t); verifier(t, "cuda") })
}
