package adaptive_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/csr"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/adaptive"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/internal/calibration"
	"github.com/gohops/hops/internal/par"
	"github.com/gohops/hops/internal/topo"
	"github.com/gohops/hops/level"
)

// roots are where the family is searched from: the centre and leaves of the star,
// the far end of the path, and otherwise vertices that reach one in eight.
func roots(t *testing.T, name string, src hops.Source, s *cpu.Searcher, want int) (all []hops.Vertex) {
	t.Helper()
	n := src.NumVertices()
	tree := hops.NewTree(n)
	r := rand.New(rand.NewPCG(uint64(n), 1))
	for len(all) < want {
		v := hops.Vertex(r.Uint64N(uint64(n)))
		switch {
		case name == "star" && len(all) == 0:
			v = 0
		case name == "dandelion":
			v = n - 1 - hops.Vertex(len(all))
		}
		tree.Reset()
		trace, err := s.Search(t.Context(), v, tree)
		if err != nil {
			t.Fatal(err)
		}
		if trace.Found() > int64(n/8) && !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all
}

// searcher is an engine under measurement, with its tree.
type searcher struct {
	name string
	enginer
	tree  *hops.Tree
	times []time.Duration // of all roots: the medians
	plans map[string]int
}

type enginer interface {
	Search(ctx context.Context, root hops.Vertex, t *hops.Tree) (hops.Trace, error)
}

// measure times the searches of all engines from one root, in turn, each time in
// another order: what runs before leaves its traces in caches and clocks.
func measure(t *testing.T, all []*searcher, root hops.Vertex, runs int) {
	t.Helper()
	times := make([][]time.Duration, len(all))
	var found []int64
	r := rand.New(rand.NewPCG(uint64(root), 1))
	for range runs {
		for _, i := range r.Perm(len(all)) {
			s := all[i]
			s.tree.Reset()
			start := time.Now()
			trace, err := s.Search(t.Context(), root, s.tree)
			times[i] = append(times[i], time.Since(start))
			if err != nil {
				t.Fatal(s.name, err)
			}
			if found = append(found, trace.Found()); trace.Found() != found[0] || s.tree.Parent(root) != root {
				t.Fatalf("%s: root %d: %d vertices, %s found %d", s.name, root, trace.Found(), all[0].name, found[0])
			}
			if len(times[i]) == runs {
				s.plans[trace.Plan()]++
			}
		}
	}
	for i, s := range all {
		slices.Sort(times[i])
		s.times = append(s.times, times[i][runs/2])
	}
}

// learned is what hops calibrate has stored of this machine, or nothing.
func learned(t *testing.T, engine, device string, steps []level.Step) (m level.DeviceModel, known bool) {
	t.Helper()
	dir, err := calibration.Dir()
	if err != nil {
		t.Fatal(err)
	}
	here := calibration.On(topo.Here(), runtime.GOMAXPROCS(0))
	here.Device = device
	c, err := calibration.Load(dir, engine, here, steps)
	if err != nil {
		fmt.Printf("%s without a model: %v\n", engine, err)
		return m, false
	}
	return c.DeviceModel, true
}

// TestMeasure prints what docs/results/adaptive.md holds. HOPS_ADAPTIVE names what
// to measure: "kronecker=20,22;star=22". Engines take turns, the medians of
// HOPS_RUNS runs of each search count, and all must find the same vertices.
// HOPS_ENGINES=cpu,adaptive leaves the others out.
func TestMeasure(t *testing.T) {
	wanted := os.Getenv("HOPS_ADAPTIVE")
	if wanted == "" {
		t.Skip("HOPS_ADAPTIVE names no graphs")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, item := range strings.Split(wanted, ";") {
		name, scales, _ := strings.Cut(item, "=")
		for _, text := range strings.Split(scales, ",") {
			scale, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			measureFamily(t, name, scale)
			runtime.GC()
		}
	}
}

func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

func measureFamily(t *testing.T, name string, scale int) {
	ctx, start := t.Context(), time.Now()
	src := family(t, name, scale)
	team := par.NewTeam(0, nil)
	defer team.Close()
	if name != "kronecker" { // which the device generates by itself
		packed, err := edge.Pack(ctx, src, team, func(_, _ int64) {})
		if err != nil {
			t.Fatal(err)
		}
		defer packed.Close()
		src = packed
	}
	graph, err := csr.Build(ctx, src, team)
	if err != nil {
		t.Fatal(err)
	}
	defer graph.Close()
	hostModel, _ := learned(t, "cpu", "", cpu.Steps())
	alone, err := cpu.New(graph, cpu.Options{Model: hostModel.Steps})
	if err != nil {
		t.Fatal(err)
	}
	defer alone.Close()
	o := gpu.Options{Driver: driver()}
	fused, err := gpu.Build(ctx, src, o)
	if err != nil {
		t.Fatal(err)
	}
	defer fused.Close()
	device, err := gpu.BuildPortable(ctx, src, o, false)
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	host, err := cpu.New(graph, cpu.Options{Model: hostModel.Steps})
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	all := []*searcher{{name: "cpu", enginer: alone}, {name: "gpu", enginer: fused}}
	var model *level.DeviceModel
	if m, ok := learned(t, "adaptive", device.Name(), append(cpu.PortableSteps(), gpu.PortableSteps()...)); ok {
		model = &m
	}
	for _, policy := range []string{"", adaptive.Daga, adaptive.Yasui} {
		x, err := adaptive.New(host.Portable(), device, adaptive.Options{Policy: policy, Model: model})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, &searcher{name: strings.TrimSuffix("adaptive "+policy, " "), enginer: x})
	}
	all = slices.DeleteFunc(all, func(s *searcher) bool {
		only := os.Getenv("HOPS_ENGINES")
		return only != "" && !slices.Contains(strings.Split(only, ","), s.name)
	})
	for _, s := range all {
		s.plans = map[string]int{}
		if s.tree, err = device.NewTree(); err != nil {
			t.Fatal(err)
		}
		if s.name == "cpu" {
			s.tree = hops.NewTree(src.NumVertices())
		}
	}
	built := time.Since(start)
	for _, root := range roots(t, name, src, alone, number("HOPS_ROOTS", 8)) {
		measure(t, all, root, number("HOPS_RUNS", 5))
	}
	print(t, fmt.Sprintf("%s %d", name, scale), all, built)
}

// print compares the sums over all roots, and root by root.
func print(t *testing.T, what string, all []*searcher, built time.Duration) {
	t.Helper()
	sum := func(times []time.Duration) (s time.Duration) {
		for _, t := range times {
			s += t
		}
		return s / time.Duration(len(times))
	}
	fmt.Printf("%s (built in %v, %d roots)\n", what, built.Round(time.Millisecond), len(all[0].times))
	alone := slices.DeleteFunc(slices.Clone(all), func(s *searcher) bool { return strings.HasPrefix(s.name, "adaptive") })
	best := func(of func(*searcher) time.Duration) time.Duration {
		least := of(alone[0])
		for _, s := range alone {
			least = min(least, of(s))
		}
		return least
	}
	better := best(func(s *searcher) time.Duration { return sum(s.times) })
	for _, s := range all {
		var ratios []float64
		for i, took := range s.times {
			ratios = append(ratios, float64(best(func(s *searcher) time.Duration { return s.times[i] }))/float64(took))
		}
		slices.Sort(ratios)
		fmt.Printf("  %-15s %12v  speed against the better of cpu and gpu: mean %.3f, by root %.3f … %.3f … %.3f  plans %v\n",
			s.name, sum(s.times), float64(better)/float64(sum(s.times)), ratios[0], ratios[len(ratios)/2], ratios[len(ratios)-1], shortest(s.plans))
	}
}

// shortest keeps output short: steps that repeat are counted, and but a few plans
// are shown.
func shortest(plans map[string]int) (some []string) {
	for p := range plans {
		var short []string
		steps := strings.Split(p, "+")
		for i := 0; i < len(steps); {
			n := 1
			for i+n < len(steps) && steps[i+n] == steps[i] {
				n++
			}
			short = append(short, fmt.Sprintf("%d %s", n, steps[i]))
			i += n
		}
		text := strings.Join(short, ", ")
		some = append(some, text[:min(len(text), 80)])
	}
	slices.Sort(some)
	return some[:min(len(some), 3)]
}
