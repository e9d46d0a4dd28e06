package graph500

import (
	"strings"
	"testing"
	"time"

	"github.com/gohops/hops"
)

func needing(bytes int64) Engine {
	return Engine{Need: func(hops.Vertex, int64) int64 { return bytes }}
}

func TestPlanKeepsTheListWhereItFits(t *testing.T) {
	cfg := Config{Scale: 20}.withDefaults()
	const graph = 300 << 20
	needed := int64(graph) + 4<<20 // the tree
	p, err := planMemory(cfg, needing(graph), 1<<40, 1, 1)
	if err != nil || !p.KeepTuples || p.Tuples != 8*16<<20 || p.Needed < needed {
		t.Fatalf("%+v, %v", p, err)
	}
	for available, keep := range map[int64]bool{
		0:                   true, // unknown
		p.Needed:            false,
		p.Needed + p.Tuples: false, // nothing left for anyone else
		2 * p.Needed:        true,
	} {
		p, err := planMemory(cfg, needing(graph), available, 1, 1)
		if err != nil || p.KeepTuples != keep {
			t.Errorf("%d available: keeps the list: %v, want %v (%v)", available, p.KeepTuples, keep, err)
		}
	}
}

func TestPlanRefusesWithBothFigures(t *testing.T) {
	cfg := Config{Scale: 20}.withDefaults()
	_, err := planMemory(cfg, needing(3<<40), 5<<30, 1, 1)
	if err == nil || !strings.Contains(err.Error(), "3.00 TiB") || !strings.Contains(err.Error(), "5 GiB") {
		t.Errorf("%v", err)
	}
}

func TestImpossibleRunsEndAtOnce(t *testing.T) {
	start := time.Now()
	for _, scale := range []int{38, 40, MaxScale} {
		res, err := Run(t.Context(), Config{Scale: scale, EdgeFactor: MaxEdgeFactor}, serialEngine(nil), nil)
		if res != nil || err == nil || !strings.Contains(err.Error(), "available") {
			t.Errorf("scale %d: %v, %v", scale, res, err)
		}
	}
	if d := time.Since(start); d > 2*time.Minute { // milliseconds, if nothing is generated
		t.Errorf("refusing took %v", d)
	}
}

// A run that does not fit takes the lean form of its engine, which it names, and is refused
// with the needs of that form if that does not fit either.
func TestPlanTakesTheLeanForm(t *testing.T) {
	cfg := Config{Scale: 20}.withDefaults()
	engine, lean := needing(3<<30), needing(1<<30)
	engine.Lean = &lean
	for available, want := range map[int64]bool{4 << 30: false, 2 << 30: true} {
		p, err := planMemory(cfg, engine, available, 1, 1)
		if err != nil || p.Lean != want || strings.Contains(p.String(), "rows alone") != want {
			t.Errorf("%d available: %+v, %v", available, p, err)
		}
	}
	if p, err := planMemory(cfg, engine, 1<<30, 1, 1); err == nil || p.Graph != 1<<30 {
		t.Errorf("too little for both: %+v, %v", p, err)
	}
}

// A run whose plan is lean builds the lean form.
func TestLeanPlansAreRun(t *testing.T) {
	full, lean := serialEngine(nil), serialEngine(nil)
	full.Need = func(hops.Vertex, int64) int64 { return 1 << 60 }
	full.Build = nil // which would panic
	full.Lean = &lean
	res, err := Run(t.Context(), Config{Scale: 6, Roots: 2}, full, nil)
	if err != nil || !res.Memory.Lean || len(res.Searches) != 2 {
		t.Fatalf("%+v, %v", res, err)
	}
}

// Ranks of one host share its memory; what they need is divided too.
func TestPlanOfRanks(t *testing.T) {
	cfg := Config{Scale: 20}.withDefaults()
	one, err := planMemory(cfg, needing(64<<20), 1<<30, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	p, err := planMemory(cfg, needing(64<<20), 1<<30, 4, 2)
	if err != nil || p.Available != 1<<29 || p.Graph != 16<<20 || p.Tuples != one.Tuples/4 || p.Tree != one.Tree/4 {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := planMemory(cfg, needing(1<<30), 1<<29, 4, 2); err == nil {
		t.Error("two ranks of 256 MiB each fit 512 MiB with their trees")
	}
}

// A graph that is smaller when it is built leaves room for the tree and its validation.
func TestPlanOfAGraphThatShrinks(t *testing.T) {
	cfg := Config{Scale: 20}.withDefaults()
	all, err := planMemory(cfg, needing(3<<30), 8<<30, 1, 1)
	if err != nil || all.Needed != all.Program+all.Tree+all.Check+3<<30 {
		t.Fatalf("%+v, %v", all, err)
	}
	for finished, want := range map[int64]int64{
		1 << 30:       all.Program + 3<<30,
		3<<30 - 1<<10: all.Needed - 1<<10,
	} {
		e := needing(3 << 30)
		e.NeedFinished = func(hops.Vertex, int64) int64 { return finished }
		if p, err := planMemory(cfg, e, 8<<30, 1, 1); err != nil || p.Needed != want || p.Graph != 3<<30 {
			t.Errorf("%d when built: %+v, %v; want %d", finished, p, err, want)
		}
	}
}
