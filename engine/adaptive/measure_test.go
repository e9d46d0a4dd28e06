package adaptive_test

import (
	"cmp"
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
// HOPS_ENGINES=cpu,adaptive leaves the others out. The adaptive and the gpu engine
// search the same copy of the graph and fill the same tree: another copy lies elsewhere
// in both memories and is up to a few percent faster or slower, as "gpu apart" shows.
// HOPS_TABLES is from how many roots every step is timed on every level.
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
	start := time.Now()
	src := family(t, name, scale)
	if name != "kronecker" { // which the device generates by itself
		packed, err := edge.Pack(t.Context(), src, 0, func(_, _ int64) {})
		if err != nil {
			t.Fatal(err)
		}
		defer packed.Close()
		src = packed
	}
	graph, err := csr.Build(t.Context(), src, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer graph.Close()
	hostModel, _ := learned(t, "cpu", "", cpu.Steps())
	host, err := cpu.New(graph, cpu.Options{Model: hostModel.Steps})
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	device, err := gpu.BuildPortable(t.Context(), src, gpu.Options{Driver: driver()}, false)
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	all := engines(t, src, host, device)
	built := time.Since(start)
	from := roots(t, name, src, host, number("HOPS_ROOTS", 8))
	for _, root := range from {
		measure(t, all, root, number("HOPS_RUNS", 5))
	}
	what := fmt.Sprintf("%s %d", name, scale)
	print(t, what, all, built)
	for _, root := range from[:min(len(from), number("HOPS_TABLES", 0))] {
		printTable(t, what, all[len(all)-1].enginer.(*adaptive.Searcher), root)
	}
}

// engines are those that are asked for, the adaptive one last.
func engines(t *testing.T, src hops.Source, host *cpu.Searcher, device *gpu.Portable) (all []*searcher) {
	t.Helper()
	tree, err := device.NewTree()
	if err != nil {
		t.Fatal(err)
	}
	asked := strings.Split(cmp.Or(os.Getenv("HOPS_ENGINES"), "cpu,gpu,adaptive"), ",")
	add := func(name string, tree *hops.Tree, e enginer) {
		all = append(all, &searcher{name: name, enginer: e, tree: tree, plans: map[string]int{}})
	}
	if slices.Contains(asked, "cpu") {
		add("cpu", hops.NewTree(src.NumVertices()), host)
	}
	if slices.Contains(asked, "gpu") {
		add("gpu", tree, device.Alone())
	}
	if slices.Contains(asked, "gpu apart") {
		apart, err := gpu.Build(t.Context(), src, gpu.Options{Driver: driver()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = apart.Close() })
		own, err := apart.NewTree()
		if err != nil {
			t.Fatal(err)
		}
		add("gpu apart", own, apart)
	}
	var model *level.DeviceModel
	if m, ok := learned(t, "adaptive", device.DeviceName(), append(cpu.PortableSteps(), gpu.PortableSteps()...)); ok {
		model = &m
	}
	for _, policy := range []string{adaptive.Daga, adaptive.Yasui, ""} {
		name := strings.TrimSuffix("adaptive "+policy, " ")
		if !slices.Contains(asked, name) {
			continue
		}
		x, err := adaptive.New(t.Context(), host.Portable(), device, adaptive.Options{Policy: policy, Model: model})
		if err != nil {
			t.Fatal(err)
		}
		if len(x.Trials()) > 0 {
			fmt.Printf("  tried: %v\n", x.Trials())
		}
		add(name, tree, x)
	}
	return all
}

// printTable shows what every step takes on every level, in microseconds.
func printTable(t *testing.T, what string, x *adaptive.Searcher, root hops.Vertex) {
	t.Helper()
	table, err := x.Tabulate(t.Context(), root, number("HOPS_TABLE_RUNS", 3))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("table of %s, root %d, in µs; the whole search %v, alone %v\n  level  frontier      edges", what, root, table.Whole, table.Alone)
	for _, s := range table.Steps {
		fmt.Printf(" %9s", s.Name)
	}
	fmt.Println(" to device   to host chosen best")
	for d, r := range table.Rows {
		fmt.Printf("  %5d %9d %10d", d, r.Frontier, r.Edges)
		for _, x := range append(slices.Clone(r.Times), r.ToDevice, r.ToHost) {
			fmt.Printf(" %9.1f", float64(x)/1e3)
		}
		fmt.Println("", table.Steps[r.Chosen].Name, table.Steps[r.Best()].Name)
	}
	fmt.Printf("  regret of %s: against five %.1f %%, against all %.1f %%, with moves %.1f %% (%v chosen, %v at best)\n", what,
		100*table.LevelRegret(adaptive.Five), 100*table.LevelRegret(adaptive.All), 100*table.Regret(), table.Chosen, table.Best)
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
	alone := slices.DeleteFunc(slices.Clone(all), func(s *searcher) bool { return s.name != "cpu" && s.name != "gpu" })
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
