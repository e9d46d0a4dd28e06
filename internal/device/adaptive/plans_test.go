package adaptive_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/edge"
	"github.com/gohops/hops/engine/cpu"
	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/internal/device/adaptive"
	"github.com/gohops/hops/internal/testing/enginetest"
	"github.com/gohops/hops/level"
)

// A pair is a host and a device with one graph, to be composed again and again.
type pair struct {
	src    hops.Source
	host   *cpu.Searcher
	device *gpu.Portable
}

func newPair(t *testing.T, src hops.Source, blocks int, apart bool) pair {
	t.Helper()
	host, err := cpu.Build(t.Context(), src, cpu.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	device, err := gpu.BuildPortable(t.Context(), src, gpu.Options{Driver: driver(), Blocks: blocks}, apart)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := device.Close(); err != nil {
			t.Error(err)
		}
		_ = host.Close()
	})
	return pair{src, host, device}
}

// search runs one search by some options.
func (p pair) search(t *testing.T, o adaptive.Options, root hops.Vertex) (*hops.Tree, hops.Trace) {
	t.Helper()
	x, err := adaptive.New(t.Context(), p.host.Portable(), p.device, o)
	if err != nil {
		t.Fatal(err)
	}
	tree := hops.NewTree(p.src.NumVertices())
	trace, err := x.Search(context.Background(), root, tree)
	if err != nil {
		t.Fatalf("%v from %d: %v", o.Plan, root, err)
	}
	return tree, trace
}

// dandelion is a path with a Kronecker graph of scale 9 at its end and some
// isolated vertices: levels of one vertex, then of many.
func dandelion(t *testing.T, n hops.Vertex) hops.Source {
	t.Helper()
	const stem = 60
	k, err := edge.NewKronecker(9, 16, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	edges := make([]hops.Edge, k.NumEdges(), k.NumEdges()+stem+1)
	if _, err := k.EdgesAt(edges, 0); err != nil {
		t.Fatal(err)
	}
	edges = append(edges, hops.Edge{U: edges[0].U, V: 512})
	for v := hops.Vertex(512); v < 512+stem; v++ {
		edges = append(edges, hops.Edge{U: v, V: v + 1})
	}
	return edge.List(edges, n)
}

// Whatever the plan, the tree is right: the search is handed over in all
// directions, with queues and bitmaps, into bursts and out of them, with the tree
// in shared memory (a whole number of words) or not.
func TestAnyPlan(t *testing.T) {
	openclOrSkip(t)
	plans := 12
	if testing.Short() {
		plans = 5
	}
	for _, tt := range []struct {
		n        hops.Vertex
		blocks   int
		apart    bool
		directed bool
	}{
		{640, 0, false, false},
		{601, 0, false, false},
		{640, 0, true, false},
		{601, 1, true, false},
		{640, 1, false, false},
		{640, 0, false, true},
		{601, 1, true, true},
	} {
		t.Run(fmt.Sprintf("n%d/blocks%d/apart=%v/directed=%v", tt.n, tt.blocks, tt.apart, tt.directed), func(t *testing.T) {
			src := dandelion(t, tt.n)
			if tt.directed {
				src = hops.Directed(src)
			}
			p := newPair(t, src, tt.blocks, tt.apart)
			var names []string
			for _, s := range append(cpu.PortableSteps(), p.device.Steps()...) {
				names = append(names, s.Name)
			}
			if tt.apart {
				names = append(names, "bottom-up-together")
			}
			if tt.blocks == 1 && !slices.Contains(names, "levels@gpu") {
				t.Fatalf("one block can wait for itself, but there are %v", names)
			}
			rules := check.New(p.src, 1)
			r := rand.New(rand.NewPCG(uint64(tt.n), 7))
			for range plans {
				var plan level.Plan
				for range 80 {
					plan = append(plan, names[r.IntN(len(names))])
				}
				root := hops.Vertex(r.IntN(int(tt.n)))
				tree, _ := p.search(t, adaptive.Options{Plan: plan}, root)
				found, err := rules.Tree(t.Context(), tree)
				if err != nil {
					t.Fatalf("%v from %d: %v", plan, root, err)
				}
				if want := levelSizes(t, p, root); !slices.Equal(found.Levels, want) {
					t.Fatalf("%v from %d: levels of %v, want %v", plan, root, found.Levels, want)
				}
			}
		})
	}
}

// levelSizes asks the CPU engine's own search, which enginetest holds to an oracle.
func levelSizes(t *testing.T, p pair, root hops.Vertex) []int64 {
	t.Helper()
	trace, err := p.host.Search(t.Context(), root, hops.NewTree(p.src.NumVertices()))
	if err != nil {
		t.Fatal(err)
	}
	sizes := []int64{1}
	for _, l := range trace.Levels {
		if l.Found > 0 {
			sizes = append(sizes, l.Found)
		}
	}
	return sizes
}

// What moves is what changed: a list of what was found with its parents, the tree
// once at the end, and nothing where memory is shared.
func TestBytesOfMoves(t *testing.T) {
	openclOrSkip(t)
	const n, stem = 640, 570
	for _, apart := range []bool{true, false} {
		p := newPair(t, dandelion(t, n), 0, apart)
		_, trace := p.search(t, adaptive.Options{Plan: level.Plan{"top-down", "top-down", "top-down", "top-down@gpu", "top-down@gpu", "top-down"}}, stem)
		var want []int64
		for range trace.Levels {
			want = append(want, 0)
		}
		last := len(want) - 1
		front := trace.Levels[3].Frontier
		if apart || p.device.Shared().Visited == nil {
			found := trace.Levels[0].Found + trace.Levels[1].Found + trace.Levels[2].Found
			want[3] = 8 * found
			want[5] = n/8 + 4*trace.Levels[5].Frontier
			want[last] += 4 * n
			for _, l := range trace.Levels[5:] {
				want[last] += 8 * l.Found // what the host found since goes to the device first
			}
		} else {
			want[3], want[5] = 4*front, 4*trace.Levels[5].Frontier
		}
		for d, l := range trace.Levels {
			if l.Bytes != want[d] {
				t.Errorf("apart=%v: level %d, %s: %d bytes, want %d", apart, d, l.Step, l.Bytes, want[d])
			}
			if l.Bytes > 0 && (l.Handover <= 0 || l.Handover > l.Time) {
				t.Errorf("apart=%v: level %d: %v of %v for the handover", apart, d, l.Handover, l.Time)
			}
		}
		if got, want := trace.Plan(), "top-down+top-down+top-down+top-down@gpu+top-down@gpu+top-down"; got != want {
			t.Errorf("plan %s, want %s", got, want)
		}
	}
}

// The baselines keep to their devices.
func TestBaselines(t *testing.T) {
	openclOrSkip(t)
	p := newPair(t, dandelion(t, 640), 0, false)
	for policy, bottomUp := range map[string]string{adaptive.Daga: "bottom-up@gpu", adaptive.Yasui: "bottom-up"} {
		_, trace := p.search(t, adaptive.Options{Policy: policy}, 0)
		ran := map[string]bool{}
		for _, l := range trace.Levels {
			ran[l.Step] = true
		}
		if len(ran) != 2 || !ran["top-down"] || !ran[bottomUp] {
			t.Errorf("%s ran %v, want TC and %s", policy, ran, bottomUp)
		}
	}
}

// The paper's policy takes the step with the least time by equations 2 to 4, wherever it
// runs, and none of those that the paper does not have.
func TestZhangsPolicy(t *testing.T) {
	openclOrSkip(t)
	p := newPair(t, dandelion(t, 640), 0, false)
	for name, speeds := range map[string]map[string]float64{
		"top-down@gpu":      {"top-down": 1, "bottom-up": 1, "top-down@gpu": 1e9, "bottom-up@gpu": 1},
		"bottom-up-hot@gpu": {"top-down": 1, "bottom-up": 1, "bottom-up@gpu": 1, "bottom-up-hot@gpu": 1e9},
		"bottom-up":         {"top-down": 1, "bottom-up": 1e9, "bottom-up@gpu": 1},
	} {
		_, trace := p.search(t, adaptive.Options{Policy: adaptive.Zhang, Speeds: &learn.Speeds{Alpha: .5, Of: speeds}}, 0)
		for _, l := range trace.Levels[:1] {
			if l.Step != name {
				t.Errorf("ran %s, want %s", l.Step, name)
			}
		}
	}
	if _, err := adaptive.New(t.Context(), p.host.Portable(), p.device, adaptive.Options{Policy: adaptive.Zhang}); err == nil || !strings.Contains(err.Error(), "hops calibrate") {
		t.Errorf("without speeds: %v", err)
	}
}

func TestUnknownChoices(t *testing.T) {
	openclOrSkip(t)
	p := newPair(t, edge.List(nil, 5), 0, false)
	for _, o := range []adaptive.Options{{Policy: "best"}, {Start: "gpu"}, {Plan: level.Plan{"top-down", "TD"}}, {Plan: level.Plan{"levels@gpu"}}} {
		if _, err := adaptive.New(t.Context(), p.host.Portable(), p.device, o); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
}

// A table has a time for every step on every level, and its best way is no longer
// than the chosen one.
func TestTabulate(t *testing.T) {
	openclOrSkip(t)
	p := newPair(t, dandelion(t, 640), 1, true)
	x, err := adaptive.New(t.Context(), p.host.Portable(), p.device, adaptive.Options{Plan: level.Plan{"top-down", "top-down", "bottom-up@gpu", "levels@gpu"}})
	if err != nil {
		t.Fatal(err)
	}
	table, err := x.Tabulate(t.Context(), 520, 1)
	if err != nil {
		t.Fatal(err)
	}
	const most = 32 // levels of longer searches are all alike
	if want := min(most, len(levelSizes(t, p, 520))); len(table.Rows) != want || len(table.Steps) != 7 {
		t.Fatalf("%d levels of %d steps, want %d of 7", len(table.Rows), len(table.Steps), want)
	}
	for d, r := range table.Rows {
		if len(r.Times) != 7 || slices.Min(r.Times) <= 0 {
			t.Errorf("level %d: times %v", d, r.Times)
		}
		if want := []string{"top-down", "top-down", "bottom-up@gpu", "levels@gpu"}[min(d, 3)]; table.Steps[r.Chosen].Name != want {
			t.Errorf("level %d: chose %s, want %s", d, table.Steps[r.Chosen].Name, want)
		}
	}
	if table.Best <= 0 || table.Best > table.Chosen || table.Regret() < 0 || table.LevelRegret(adaptive.All) < 0 {
		t.Errorf("best %v, chosen %v, regret %v and %v", table.Best, table.Chosen, table.Regret(), table.LevelRegret(adaptive.All))
	}
	if five, all := table.LevelRegret(adaptive.Five), table.LevelRegret(adaptive.All); five > all {
		t.Errorf("regret %v against five steps, %v against all", five, all)
	}
}

// Of a search that is longer than its table, whole searches are compared.
func TestJudge(t *testing.T) {
	openclOrSkip(t)
	for name, n := range map[string]hops.Vertex{"short": 5, "long": 34} {
		var path []hops.Edge
		for v := hops.Vertex(1); v < n; v++ {
			path = append(path, hops.Edge{U: v - 1, V: v})
		}
		p := newPair(t, edge.List(path, n), 1, true)
		x, err := adaptive.New(t.Context(), p.host.Portable(), p.device, adaptive.Options{Plan: level.Plan{"levels@gpu"}})
		if err != nil {
			t.Fatal(err)
		}
		table, err := x.Tabulate(t.Context(), 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		if table.Best <= 0 || len(table.Alone) != 2 || name == "long" != (table.Chosen == table.Whole) {
			t.Errorf("%s: %v chosen of %v, %v at best, %v alone", name, table.Chosen, table.Whole, table.Best, table.Alone)
		}
		for device, alone := range table.Alone {
			if alone <= 0 || name == "long" && table.Best > alone {
				t.Errorf("%s: %v on %q alone, %v at best", name, alone, device, table.Best)
			}
		}
		if name == "long" {
			continue // takes long
		}
		j, err := x.Judge(t.Context(), 0, 1)
		if err != nil || j.Best <= 0 || j.Best > j.Chosen || j.Ruled <= 0 || len(j.Levels) != len(table.Rows) {
			t.Errorf("%s: error %v; %v chosen, %v by the rule, %v at best", name, err, j.Chosen, j.Ruled, j.Best)
		}
	}
}

// Host and device together keep the contract of level.Machine, and the policies say
// which of them keep state.
func TestMachineContract(t *testing.T) {
	openclOrSkip(t)
	for name, src := range enginetest.MachineSources(t) {
		if testing.Short() && name != "kronecker" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			p := newPair(t, src, 0, false)
			enginetest.CheckMachine(t, p.device, src, func(tree *hops.Tree) {
				if err := p.device.Bind(tree); err != nil {
					t.Fatal(err)
				}
			}, false)
		})
	}
}
