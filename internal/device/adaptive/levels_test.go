package adaptive_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gohops/hops"
	"github.com/gohops/hops/check"
	"github.com/gohops/hops/internal/base/learn"
	"github.com/gohops/hops/internal/device/adaptive"
	"github.com/gohops/hops/level"
)

// Where the device is not worth it, a search is the CPU engine's: the same steps
// that look at the same entries, but for small levels, of which it is not asked.
func TestStayingIsTheCPUEngine(t *testing.T) {
	openclOrSkip(t)
	hostOnly := &learn.DeviceModel{Steps: learn.Model{"top-down": {Fixed: 1}, "bottom-up": {Fixed: 1}}}
	for _, o := range []adaptive.Options{{}, {Model: hostOnly}, {Plan: level.Plan{"levels"}}} {
		p := newPair(t, dandelion(t, 640), 0, false)
		drives := slices.ContainsFunc(p.device.Steps(), func(s level.Step) bool { return s.Name == "levels@gpu" })
		if drives && o.Model == nil && o.Plan == nil {
			continue // nothing is known against the device, and it can search alone
		}
		for _, root := range []hops.Vertex{0, 100, 570} {
			_, got := p.search(t, o, root)
			got = got.Clone() // the searcher has one trace
			want, err := p.host.Search(t.Context(), root, hops.NewTree(640))
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Levels) != len(want.Levels) {
				t.Fatalf("root %d: %d levels, want %d", root, len(got.Levels), len(want.Levels))
			}
			for d, l := range got.Levels {
				w, small := want.Levels[d], l.Step == "top-down" && l.Frontier <= level.SmallFront
				same := l.Step == w.Step && l.Examined == w.Examined
				if l.Frontier != w.Frontier || l.Found != w.Found || l.Bytes != 0 || !small && !same {
					t.Errorf("root %d, level %d: %+v, want %+v", root, d, l, w)
				}
			}
		}
	}
}

// A path with a dense end is walked by the host, handed over once, as the list of
// what was found, and finished by the device.
func TestPathsAreHandedOverOnce(t *testing.T) {
	openclOrSkip(t)
	m := &learn.DeviceModel{
		Steps: learn.Model{
			"top-down": {Fixed: 20_000, PerEntry: 100, Short: &learn.Cost{Fixed: 200, PerEntry: 100}}, "bottom-up": {Fixed: 1e6},
			"levels@gpu/top-down@gpu": {Fixed: 5000, PerEntry: 0.01}, "levels@gpu/bottom-up@gpu": {Fixed: 5000},
		},
		Moves: learn.Model{"": {Fixed: 50_000}, "gpu": {Fixed: 20_000}},
	}
	p := newPair(t, dandelion(t, 640), 1, true)
	_, trace := p.search(t, adaptive.Options{Model: m, Start: adaptive.OnHost}, 570)
	moves, found := 0, int64(0)
	for d, l := range trace.Levels {
		device := l.Within == "levels@gpu"
		if moves == 0 && device {
			moves++
			if l.Bytes < 8*found || l.Handover <= 0 {
				t.Errorf("level %d: %d bytes for %d vertices, in %v", d, l.Bytes, found, l.Handover)
			}
		} else if !device && (moves > 0 || l.Bytes > 0) {
			t.Errorf("level %d on the host after %d moves, %d bytes", d, moves, l.Bytes)
		}
		if !device {
			found += l.Found
		}
	}
	if moves != 1 || found < 50 {
		t.Errorf("plan %s: %d moves after %d vertices, want one after the stem", trace.Plan(), moves, found)
	}
}

// A search that begins on the device alone leaves it along a path, and the device
// has it again for what follows; the tree is right.
func TestASoloEndsAlongAPath(t *testing.T) {
	openclOrSkip(t)
	m := &learn.DeviceModel{
		Steps: learn.Model{
			"top-down": {Fixed: 20_000, PerEntry: 100, Short: &learn.Cost{Fixed: 1, PerEntry: 1}}, "bottom-up": {Fixed: 1e9},
			"levels@gpu/top-down@gpu": {Fixed: 100, PerEntry: 0.01}, "levels@gpu/bottom-up@gpu": {Fixed: 100},
		},
		Moves: learn.Model{"": {Fixed: 1}, "gpu": {Fixed: 1}},
	}
	p := newPair(t, dandelion(t, 640), 1, true)
	x, err := adaptive.New(t.Context(), p.host.Portable(), p.device, adaptive.Options{Model: m, Start: adaptive.OnDevice})
	if err != nil {
		t.Fatal(err)
	}
	rules := check.New(p.src, 1)
	for i, tt := range []struct {
		root hops.Vertex
		plan string
	}{{570, "levels@gpu+levels+levels@gpu"}, {570, "levels@gpu+levels+levels@gpu"}, {100, "levels@gpu+levels"}} {
		tree := hops.NewTree(p.src.NumVertices())
		trace, err := x.Search(t.Context(), tt.root, tree)
		if err != nil {
			t.Fatal(err)
		}
		found, err := rules.Tree(t.Context(), tree)
		if err != nil {
			t.Fatalf("search %d, plan %s: %v", i, trace.Plan(), err)
		}
		if want := levelSizes(t, p, tt.root); !slices.Equal(found.Levels, want) || trace.Plan() != tt.plan {
			t.Errorf("search %d: plan %s, want %s; levels of %v, want %v", i, trace.Plan(), tt.plan, found.Levels, want)
		}
		for d, l := range trace.Levels {
			if l.Time < l.Handover {
				t.Errorf("search %d, level %d: %v of %v for the handover", i, d, l.Handover, l.Time)
			}
		}
	}
}

// A plan with bursts can be repeated: the report of a search is a plan for it.
func TestPlansRepeat(t *testing.T) {
	openclOrSkip(t)
	p := newPair(t, dandelion(t, 640), 1, true)
	for _, plan := range []level.Plan{{"levels", "top-down@gpu", "levels", "levels@gpu"}, {"levels@gpu", "levels", "bottom-up@gpu", "top-down"}, {"top-down", "levels", "levels@gpu"}} {
		_, first := p.search(t, adaptive.Options{Plan: plan}, 570)
		_, second := p.search(t, adaptive.Options{Plan: strings.Split(first.Plan(), "+")}, 570)
		if first.Plan() != second.Plan() || len(first.Levels) != len(second.Levels) {
			t.Errorf("plan %v became %s and that %s", plan, first.Plan(), second.Plan())
		}
	}
}

// However searches begin, and whatever was tried before, trees are right.
func TestTryOut(t *testing.T) {
	openclOrSkip(t)
	m := &learn.DeviceModel{
		Steps: learn.Model{"top-down": {Fixed: 1000}, "bottom-up": {Fixed: 1000}, "bottom-up@gpu": {Fixed: 1000}, "levels@gpu/top-down@gpu": {Fixed: 1000}},
		Moves: learn.Model{"": {Fixed: 1}, "gpu": {Fixed: 1}},
	}
	for _, apart := range []bool{true, false} {
		p := newPair(t, dandelion(t, 640), 1, apart)
		x, err := adaptive.New(t.Context(), p.host.Portable(), p.device, adaptive.Options{Model: m})
		if err != nil {
			t.Fatal(err)
		}
		if len(x.Trials()) != 3 || x.Trials()[0].Time <= 0 {
			t.Errorf("apart=%v: trials %v", apart, x.Trials())
		}
		rules := check.New(p.src, 1)
		for _, root := range []hops.Vertex{570, 0, 620} {
			tree, err := x.NewTree()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := x.Search(t.Context(), root, tree); err != nil {
				t.Fatal(err)
			}
			if found, err := rules.Tree(t.Context(), tree); err != nil || !slices.Equal(found.Levels, levelSizes(t, p, root)) {
				t.Errorf("apart=%v, root %d: levels of %v, error %v", apart, root, found.Levels, err)
			}
		}
	}
}
